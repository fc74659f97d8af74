import { type Domain, inDomain } from '../vocabulary/field.ts';
import { addRange, type CellSet, emptySet, fullSet } from './cell-set.ts';

/** Cell of a value outside the domain. */
export const NO_CELL = -1;

/** A field or test, cut into cells. No rule distinguishes values of one cell: operators run on its sample. */
export interface Axis {
  readonly name: string;
  readonly size: number;
  readonly full: CellSet;
  /** One value of each cell. */
  readonly samples: readonly (number | string | boolean)[];
  cellOf(value: unknown): number;
  /** Ends included. */
  cellsBetween(min: number, max: number): CellSet;
}

export function wordAxis(name: string, words: readonly string[]): Axis {
  const cells = new Map(words.map((word, cell) => [word, cell]));
  return {
    name,
    size: words.length,
    full: fullSet(words.length),
    samples: words,
    cellOf: (value) => cells.get(value as string) ?? NO_CELL,
    cellsBetween: () => fullSet(words.length),
  };
}

/** 0 if the test fails, 1 if it holds. */
export function testAxis(name: string): Axis {
  const full = fullSet(2);
  return {
    name,
    size: 2,
    full,
    samples: [false, true],
    cellOf: (value) => (value === true ? 1 : value === false ? 0 : NO_CELL),
    cellsBetween: () => full,
  };
}

type Numbers = Extract<Domain, { kind: 'numbers' }>;

/** The axis of a numeric field, cut at the limits that rules name. */
export interface NumberAxis extends Axis {
  readonly domain: Numbers;
  /** Ascending, within the domain. */
  readonly cuts: Float64Array;
  /** Cell by `2 × (number of limits below the value) + (1 if the value is a limit)`; -1 if no value is there. */
  readonly cellByPlace: Int32Array;
}

/** True for the axis of a number. */
export function isNumberAxis(axis: Axis): axis is NumberAxis {
  return 'cuts' in axis;
}

export function numberAxis(name: string, domain: Numbers, limits: Iterable<number>): NumberAxis {
  const cuts = Float64Array.from(
    [...new Set(limits)].filter((limit) => limit >= domain.min && limit <= domain.max).sort((a, b) => a - b),
  );
  const cellByPlace = new Int32Array(2 * cuts.length + 1).fill(-1);
  const samples: number[] = [];
  for (let place = 0; place < cellByPlace.length; place++) {
    const sample = sampleAt(place, cuts, domain);
    if (sample === undefined) continue;
    cellByPlace[place] = samples.length;
    samples.push(sample);
  }
  return {
    name,
    domain,
    cuts,
    cellByPlace,
    size: samples.length,
    full: fullSet(samples.length),
    samples,
    cellOf: (value) =>
      typeof value === 'number' && inDomain(value, domain) ? cellByPlace[placeOf(value, cuts)]! : NO_CELL,
    cellsBetween: (min, max) => cellsOfRange({ cuts, cellByPlace }, samples.length, min, max),
  };
}

/** Ends included. */
export function cellsOfRange(
  { cuts, cellByPlace }: Pick<NumberAxis, 'cuts' | 'cellByPlace'>,
  size: number,
  min: number,
  max: number,
): CellSet {
  const axis = { cuts, cellByPlace };
  const set = emptySet(size);
  // Cells are ordered by number.
  const first = firstCellFrom(axis, min);
  const last = lastCellUpTo(axis, max);
  if (first >= 0 && first <= last) addRange(set, first, last + 1);
  return set;
}

type Cells = Pick<NumberAxis, 'cuts' | 'cellByPlace'>;

/** Returns the lowest cell with a number that is not below `min`; -1 without one. */
export function firstCellFrom({ cuts, cellByPlace }: Cells, min: number): number {
  let place = placeOf(min, cuts);
  while (place < cellByPlace.length && cellByPlace[place] === -1) place++;
  return cellByPlace[place] ?? -1;
}

/** Returns the highest cell with a number that is not above `max`; -1 without one. */
export function lastCellUpTo({ cuts, cellByPlace }: Cells, max: number): number {
  let place = placeOf(max, cuts);
  while (place >= 0 && cellByPlace[place] === -1) place--;
  return cellByPlace[place] ?? -1;
}

function placeOf(value: number, cuts: Float64Array): number {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (cuts[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return 2 * low + (low < cuts.length && cuts[low] === value ? 1 : 0);
}

/** A value at an odd place (the limit) or strictly between two limits, if any. */
function sampleAt(place: number, cuts: Float64Array, domain: Numbers): number | undefined {
  const index = place >> 1;
  if (place % 2 === 1) {
    const cut = cuts[index]!;
    return !domain.integer || Number.isInteger(cut) ? cut : undefined;
  }
  const below = index === 0 ? undefined : cuts[index - 1]!;
  const above = index === cuts.length ? undefined : cuts[index]!;
  if (domain.integer) {
    const low = below === undefined ? domain.min : Math.floor(below) + 1;
    const high = above === undefined ? domain.max : Math.ceil(above) - 1;
    return low <= high ? low : undefined;
  }
  if (below === undefined && above === undefined) return domain.min;
  if (below === undefined) return domain.min < above! ? domain.min : undefined;
  if (above === undefined) return below < domain.max ? domain.max : undefined;
  const middle = below + (above - below) / 2;
  return middle > below && middle < above ? middle : undefined;
}
