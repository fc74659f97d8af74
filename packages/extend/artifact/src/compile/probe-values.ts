import { countiesOf, stateCodes } from '@leeward/places/counties';
import type { ProbeValues } from '../format/probe-homes.ts';
import { spellingLists } from '../spellings/spelling-lists.ts';
import type { BuiltTables } from '../tables/built-tables.ts';
import type { VectorWriter } from './vector-homes.ts';

/** Homes of each policy type in each interval. */
const ROWS = 32_768;
/** One of so many values is unknown. */
const UNKNOWN_SHARE = 12;

/** Lists the values of probes: of each number its usual value and those on both sides of all limits; all words; all places. */
export function probeValues(tables: BuiltTables, writer: VectorWriter): ProbeValues {
  const { inputs, intervals, vocabulary } = tables;
  const spaces = new Set(
    intervals
      .flatMap(({ types }) => types.flatMap(({ lanes, reasonLanes }) => [...lanes, ...reasonLanes]))
      .map(({ space }) => space),
  );
  const limits = inputs.map(() => new Set<number>());
  for (const { axes } of spaces) {
    for (const axis of axes) {
      // An input at a certainty has the values of its base.
      const own = axis && limits[inputs[axis.input]!.base ?? axis.input]!;
      for (const bound of axis?.bounds ?? []) if (Number.isFinite(bound)) own!.add(bound);
    }
  }
  const { effectiveYear } = intervals[0]!;
  const typical = writer.typicalValues(effectiveYear);
  /** The numbers on both sides of each limit that a request can give. */
  const endsOf = (bounds: readonly number[], input: number) =>
    [Number.NEGATIVE_INFINITY, ...bounds].flatMap((low, cell): readonly number[] => {
      const below = bounds[cell] ?? Number.POSITIVE_INFINITY;
      if (writer.isFree(input)) return writer.endsOf(input, low, below, effectiveYear) ?? [];
      return [low, numberBefore(below)].filter(Number.isFinite);
    });
  const values = inputs.map(({ source, words, base }, number): (number | null)[] => {
    if (source.kind === 'host' || base !== undefined) return [];
    const choices = words
      ? words.map((_, code) => code + 1)
      : endsOf(
          [...limits[number]!].sort((a, b) => a - b),
          number,
        );
    const usual = typical.get(number) ?? choices[0] ?? null;
    const all = [usual, ...new Set(choices)];
    return [...all, ...Array.from({ length: Math.ceil(all.length / UNKNOWN_SHARE) }, () => null)];
  });
  const states = new Set([...spaces].flatMap((space) => space.states));
  const { ambiguous } = spellingLists(vocabulary);
  const places = [...states].flatMap((code) => {
    const state = stateCodes.indexOf(code);
    const counties = countiesOf(code).map(({ fips }) => Number(fips));
    const shared = [...ambiguous.keys()].filter((entry) => counties.includes(ambiguous[entry]![0]!));
    return [0, -1, ...shared.map((entry) => -2 - entry), ...counties].map((county) => [state, county] as const);
  });
  return { rows: ROWS, values, places };
}

/** The largest number before another. */
function numberBefore(value: number): number {
  const number = Float64Array.of(value === 0 ? -Number.MIN_VALUE : value);
  const bits = new BigInt64Array(number.buffer);
  if (value !== 0) bits[0]! += value > 0 ? -1n : 1n;
  return number[0]!;
}
