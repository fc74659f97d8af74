import { isNumberAxis } from '../compiled/axis.ts';
import { type CellSet, cellsOf, has } from '../compiled/cell-set.ts';
import { isWithin } from '../request/knowledge.ts';
import type { ChangeableField, Reach } from './changeable-field.ts';

/** Numbers of adjacent cells. Excluded ends are marked. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
  readonly minExcluded?: true;
  readonly maxExcluded?: true;
}

/**
 * The cells that a field may change to, nearest to the present value first. Words are in the order of the vocabulary's `change`, else of
 * its domain.
 */
export function nearestFirst(field: ChangeableField): number[] {
  const cells = cellsOf(field.allowed);
  const { axis, reach } = field;
  if (!isNumberAxis(axis) || !reach) {
    const { change } = field.field;
    if (change.kind !== 'words') return cells;
    const place = (cell: number) => change.words.indexOf(axis.samples[cell] as string);
    return cells.sort((a, b) => place(a) - place(b));
  }
  const from = startOf(field, reach);
  const distance = (cell: number) => Math.abs(nearestIn(rangeOfCell(field, cell), from, axis.domain.integer) - from);
  const distances = new Map(cells.map((cell) => [cell, distance(cell)]));
  return cells.sort((a, b) => distances.get(a)! - distances.get(b)!);
}

export function nearestOf(field: ChangeableField, cells: CellSet): number {
  const { axis, reach } = field;
  if (!isNumberAxis(axis) || !reach) {
    const { change } = field.field;
    const word = change.kind === 'words' ? change.words.find((each) => has(cells, axis.cellOf(each))) : undefined;
    return word === undefined ? cellsOf(cells)[0]! : axis.cellOf(word);
  }
  const from = startOf(field, reach);
  const all = cellsOf(cells);
  const here = axis.cellOf(from);
  // Cells are ordered by number, so only the adjacent ones can be nearest.
  const above = here < 0 ? -1 : all.findIndex((cell) => cell >= here);
  const some = here < 0 ? all : above < 0 ? all.slice(-1) : all.slice(Math.max(0, above - 1), above + 1);
  let nearest = -1;
  let minDistance = Number.POSITIVE_INFINITY;
  for (const cell of some) {
    const distance = Math.abs(nearestIn(rangeOfCell(field, cell), from, axis.domain.integer) - from);
    if (distance >= minDistance) continue;
    nearest = cell;
    minDistance = distance;
  }
  return nearest;
}

/** The number from which a change starts: the value, the nearer bound, or the end of the reach. */
export function startOf({ knowledge, field }: ChangeableField, reach: Reach): number {
  if (typeof knowledge === 'number') return knowledge;
  if (isWithin(knowledge) && knowledge.kind === 'between')
    return field.change.kind === 'higher' ? knowledge.min : knowledge.max;
  return field.change.kind === 'lower' ? reach.max : reach.min;
}

export function rangeOfCell({ axis, reach }: ChangeableField, cell: number): NumberRange {
  if (!isNumberAxis(axis) || !reach) throw new Error(`${axis.name} is not a number axis.`);
  const { cuts, domain } = axis;
  const place = axis.cellByPlace.indexOf(cell);
  const below = place >> 1 === 0 ? undefined : cuts[(place >> 1) - 1];
  const at = cuts[place >> 1];
  if (place % 2 === 1) return { min: at!, max: at! };
  if (domain.integer) {
    return {
      min: Math.max(reach.min, below === undefined ? domain.min : Math.floor(below) + 1),
      max: Math.min(reach.max, at === undefined ? domain.max : Math.ceil(at) - 1),
    };
  }
  const isBelow = below !== undefined && below >= reach.min;
  const isAbove = at !== undefined && at <= reach.max;
  return {
    min: isBelow ? below : reach.min,
    max: isAbove ? at : reach.max,
    ...(isBelow ? { minExcluded: true as const } : {}),
    ...(isAbove ? { maxExcluded: true as const } : {}),
  };
}

/** The number of a range nearest to another. For an excluded end, a short decimal near it. */
export function nearestIn({ min, max, minExcluded, maxExcluded }: NumberRange, from: number, integer: boolean): number {
  if (from <= min) return minExcluded ? justInside(min, max) : min;
  if (from >= max) return maxExcluded ? justInside(max, min) : max;
  return integer ? Math.round(from) : from;
}

/** A hundredth away if possible, else closer. */
function justInside(end: number, other: number): number {
  const sign = Math.sign(other - end);
  const distance = Math.abs(other - end);
  for (let step = 0.01; step > 1e-9; step /= 10) {
    const number = Number((end + sign * step).toPrecision(15));
    if (step < distance && number !== end && number !== other) return number;
  }
  return end + (other - end) / 2;
}
