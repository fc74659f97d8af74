import { isNumberAxis } from '../compiled/axis.ts';
import { type CellSet, cellsOf, has } from '../compiled/cell-set.ts';
import { isWithin } from '../request/knowledge.ts';
import type { ChangeableField, Reach } from './changeable-field.ts';

/** Numbers of one cell or of several side by side; an end that is itself left out is marked. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
  readonly minExcluded?: true;
  readonly maxExcluded?: true;
}

/**
 * The cells that a field may change to, nearest to what it is now first; words in the order in which the
 * vocabulary says that they may be changed to, else in their own.
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

/** The first of them that is among some cells, all of which it may change to. */
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
  // Cells stand in the order of their numbers: only the next below and above can be nearest.
  const above = here < 0 ? -1 : all.findIndex((cell) => cell >= here);
  const some = here < 0 ? all : above < 0 ? all.slice(-1) : all.slice(Math.max(0, above - 1), above + 1);
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const cell of some) {
    const distance = Math.abs(nearestIn(rangeOfCell(field, cell), from, axis.domain.integer) - from);
    if (distance >= least) continue;
    nearest = cell;
    least = distance;
  }
  return nearest;
}

/** Where a number stands now: its value, the nearer end of what it is known to be, else the end it starts from. */
export function startOf({ known, field }: ChangeableField, reach: Reach): number {
  if (typeof known === 'number') return known;
  if (isWithin(known) && known.kind === 'between') return field.change.kind === 'higher' ? known.min : known.max;
  return field.change.kind === 'lower' ? reach.max : reach.min;
}

/** The numbers of a cell that are in reach. */
export function rangeOfCell({ axis, reach }: ChangeableField, cell: number): NumberRange {
  if (!isNumberAxis(axis) || !reach) throw new Error(`${axis.name} is no number.`);
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

/** The number of a range nearest to another; of an open end, a plain number near it. */
export function nearestIn({ min, max, minExcluded, maxExcluded }: NumberRange, from: number, integer: boolean): number {
  if (from <= min) return minExcluded ? justInside(min, max) : min;
  if (from >= max) return maxExcluded ? justInside(max, min) : max;
  return integer ? Math.round(from) : from;
}

/** The plainest number a little beyond an end: a hundredth where there is room, else less. */
function justInside(end: number, other: number): number {
  const sign = Math.sign(other - end);
  const room = Math.abs(other - end);
  for (let step = 0.01; step > 1e-9; step /= 10) {
    const number = Number((end + sign * step).toPrecision(15));
    if (step < room && number !== end && number !== other) return number;
  }
  return end + (other - end) / 2;
}
