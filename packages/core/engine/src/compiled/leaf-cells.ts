import type { Leaf } from '../condition/condition.ts';
import { operatorFunction, parseOperator } from '../condition/operators.ts';
import { type Axis, isNumberAxis } from './axis.ts';
import { add, addRange, type CellSet, emptySet, setOf } from './cell-set.ts';

const LONG_LIST = 16;

/** A long list is converted to a set first. */
export function leafTest(leaf: Leaf): (value: unknown) => boolean {
  const test = operatorFunction(leaf.operator)!;
  const { value } = leaf;
  const parsed = parseOperator(leaf.operator)!;
  const isPlain = parsed.decorators.every((decorator) => decorator === 'not');
  if (!isPlain || parsed.base.shape !== 'list' || !Array.isArray(value) || value.length < LONG_LIST) {
    return (factValue) => test(factValue, value);
  }
  const members = new Set<unknown>(value);
  const nots = parsed.decorators.length + (parsed.base.name === 'notIn' ? 1 : 0);
  const shouldContain = nots % 2 === 0;
  return (factValue) => members.has(factValue) === shouldContain;
}

/**
 * The cells of a field's axis in which a leaf holds.
 *
 * @param view converts a value of the field to that of the tested fact; monotone
 */
export function leafCells(leaf: Leaf, axis: Axis, view: ((value: number) => number) | undefined): CellSet {
  const test = leafTest(leaf);
  const { samples, size } = axis;
  const holds = (cell: number) => test(view ? view(samples[cell] as number) : samples[cell]);
  const parsed = parseOperator(leaf.operator)!;
  const isPlain = parsed.decorators.every((decorator) => decorator === 'not');
  if (!isPlain || !isNumberAxis(axis) || size === 0) return setOf(size, holds);
  if (parsed.base.shape === 'order') return cellsOfOrder(size, holds);
  if (view || (parsed.base.shape !== 'equality' && parsed.base.shape !== 'list')) return setOf(size, holds);
  return cellsOfMembers(leaf, axis, holds);
}

/** A comparison of order changes its result at most once: finds that cell by bisection. */
function cellsOfOrder(size: number, holds: (cell: number) => boolean): CellSet {
  const set = emptySet(size);
  const first = holds(0);
  const last = holds(size - 1);
  if (first === last) {
    if (first) addRange(set, 0, size);
    return set;
  }
  let low = 0;
  let high = size - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (holds(middle) === first) low = middle;
    else high = middle;
  }
  if (first) addRange(set, 0, high);
  else addRange(set, high, size);
  return set;
}

/** A test of equality has one result everywhere except at the values it names. */
function cellsOfMembers(leaf: Leaf, axis: Axis, holds: (cell: number) => boolean): CellSet {
  const set = emptySet(axis.size);
  const named = new Set<number>();
  for (const value of [leaf.value].flat()) {
    const cell = axis.cellOf(value);
    if (cell >= 0) named.add(cell);
  }
  let other = 0;
  while (named.has(other)) other++;
  if (other < axis.size && holds(other)) {
    addRange(set, 0, axis.size);
    for (const cell of named) if (!holds(cell)) set[cell >>> 5]! &= ~(1 << (cell & 31));
  } else for (const cell of named) if (holds(cell)) add(set, cell);
  return set;
}
