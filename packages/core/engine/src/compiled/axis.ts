import type { Domain } from '../vocabulary/field.ts';
import { inDomain } from '../vocabulary/layout.ts';
import { addRange, type CellSet, emptySet, fullSet } from './cell-set.ts';

/** `cellOf` for a value that belongs to no cell: not of the domain. */
export const ODD = -1;

/**
 * One thing that rules test, cut into cells within which no rule can tell values apart. A cell is only a
 * cache key: what holds in it was found by running the real operators on its sample.
 */
export interface Axis {
  readonly name: string;
  readonly size: number;
  readonly full: CellSet;
  /** A value of each cell. */
  readonly samples: readonly (number | string | boolean)[];
  /** The cell of a value, or `ODD`. */
  cellOf(value: unknown): number;
  /** Cells that meet the numbers from `min` to `max`, ends included. */
  cellsBetween(min: number, max: number): CellSet;
}

/** A field whose values are words: a cell a word. */
export function wordAxis(name: string, words: readonly string[]): Axis {
  const cells = new Map(words.map((word, cell) => [word, cell]));
  return {
    name,
    size: words.length,
    full: fullSet(words.length),
    samples: words,
    cellOf: (value) => cells.get(value as string) ?? ODD,
    cellsBetween: () => fullSet(words.length),
  };
}

/** A test whose answer is itself the cell: 0 it fails, 1 it holds. */
export function testAxis(name: string): Axis {
  const full = fullSet(2);
  return {
    name,
    size: 2,
    full,
    samples: [false, true],
    cellOf: (value) => (value === true ? 1 : value === false ? 0 : ODD),
    cellsBetween: () => full,
  };
}

type Numbers = Extract<Domain, { kind: 'numbers' }>;

/** A field whose values are numbers, cut at the limits that rules name. */
export interface NumberAxis extends Axis {
  readonly domain: Numbers;
  /** The limits within the domain, ascending. */
  readonly cuts: Float64Array;
  /** Cell by `2 × (limits below the value) + (1 where it is a limit itself)`; -1 where nothing can be. */
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
      typeof value === 'number' && inDomain(value, domain) ? cellByPlace[placeOf(value, cuts)]! : ODD,
    cellsBetween: (min, max) => cellsOfRange({ cuts, cellByPlace }, samples.length, min, max),
  };
}

/** Cells that meet the numbers from `min` to `max`, ends included. */
export function cellsOfRange(
  { cuts, cellByPlace }: Pick<NumberAxis, 'cuts' | 'cellByPlace'>,
  size: number,
  min: number,
  max: number,
): CellSet {
  let first = placeOf(min, cuts);
  let last = placeOf(max, cuts);
  while (first <= last && cellByPlace[first] === -1) first++;
  while (first <= last && cellByPlace[last] === -1) last--;
  const set = emptySet(size);
  // Cells are numbered in the order of their places.
  if (first <= last) addRange(set, cellByPlace[first]!, cellByPlace[last]! + 1);
  return set;
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

/** A value at an odd place (the limit itself) or strictly between two limits; undefined where there is none. */
function sampleAt(place: number, cuts: Float64Array, domain: Numbers): number | undefined {
  const index = place >> 1;
  if (place % 2 === 1) {
    const cut = cuts[index]!;
    return !domain.integer || Number.isInteger(cut) ? cut : undefined;
  }
  const below = index === 0 ? undefined : cuts[index - 1]!;
  const above = index === cuts.length ? undefined : cuts[index]!;
  if (domain.integer) {
    const least = below === undefined ? domain.min : Math.floor(below) + 1;
    const most = above === undefined ? domain.max : Math.ceil(above) - 1;
    return least <= most ? least : undefined;
  }
  if (below === undefined && above === undefined) return domain.min;
  if (below === undefined) return domain.min < above! ? domain.min : undefined;
  if (above === undefined) return below < domain.max ? domain.max : undefined;
  const middle = below + (above - below) / 2;
  return middle > below && middle < above ? middle : undefined;
}
