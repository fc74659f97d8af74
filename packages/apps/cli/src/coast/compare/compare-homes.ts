import { type CoastAnswerFields, CoastError } from '@leeward/coast';
import { isWithinLimit } from '@leeward/engine/compiled';
import { type CoastPort, nearestCoast } from '@leeward/http/distance';
import type { ZipGazetteer } from '@leeward/places/zips';
import type { PlacedHome } from '../find-home.ts';
import { type ComparedLimit, rulesIn } from './limits.ts';

/** A home on different sides of a limit with the two coastlines. */
export interface Crossing {
  readonly line: number;
  readonly cells: readonly string[];
  readonly latitude: number;
  readonly longitude: number;
  readonly limit: ComparedLimit;
  /** The rules that test it where the home stands. */
  readonly ruleIds: readonly string[];
  readonly first: HomeDistance;
  readonly second: HomeDistance;
}

/** Distance by one coastline, and its side of a limit; `either` if the range spans the limit. */
export interface HomeDistance {
  readonly meters: number;
  readonly side: 'nearer' | 'farther' | 'either';
}

/** Counts of homes at a limit, by coastline. */
export interface LimitCount {
  readonly limit: ComparedLimit;
  readonly homes: number;
  /** Within it by the first and beyond it by the second, and the other way round. */
  readonly leave: number;
  readonly enter: number;
  /** Not decided, for the range spans the limit. */
  readonly undecidedByFirst: number;
  readonly undecidedBySecond: number;
}

export interface HomesComparison {
  readonly homes: number;
  /** Lines with a problem, and homes beyond one of the coastlines. */
  readonly skipped: number;
  readonly counts: readonly LimitCount[];
  readonly crossings: readonly Crossing[];
  /** Definitions that one coastline cannot answer, with its reason. */
  readonly unanswered: ReadonlyMap<string, string>;
  /** Statistics of the differences in distance by definition, in meters. */
  readonly differences: ReadonlyMap<
    string,
    { readonly median: number; readonly p95: number; readonly largest: number }
  >;
}

export interface CompareHomesOptions {
  readonly first: CoastPort;
  readonly second: CoastPort;
  readonly limits: readonly ComparedLimit[];
  /** Tells the state of a home: limits of carriers hold in theirs. */
  readonly gazetteer: ZipGazetteer;
}

/** Holds homes to limits by two coastlines, and names those that cross one. Homes are read once, in their order. */
export async function compareHomes(
  placed: AsyncIterable<PlacedHome>,
  options: CompareHomesOptions,
): Promise<HomesComparison> {
  const { first, second, limits, gazetteer } = options;
  const definitions = [...new Set(limits.map(({ definition }) => definition))];
  const counts = new Map(limits.map((limit) => [limit, { homes: 0, leave: 0, enter: 0, byFirst: 0, bySecond: 0 }]));
  const unanswered = new Map<string, string>();
  const metersApart = new Map<string, number[]>();
  const crossings: Crossing[] = [];
  let homes = 0;
  let skipped = 0;
  for await (const { home, place } of placed) {
    if (place === undefined) {
      skipped += 1;
      continue;
    }
    const state = gazetteer.nearest(place, 1)[0]?.zipPoint.state;
    let isAnswered = false;
    for (const definition of definitions) {
      const pair = askBoth(first, second, place, definition, unanswered);
      if (pair === undefined) continue;
      isAnswered = true;
      const apart = Math.abs(pair[0].distanceMeters - pair[1].distanceMeters);
      const distances = metersApart.get(definition);
      if (distances === undefined) metersApart.set(definition, [apart]);
      else distances.push(apart);
      for (const [limit, count] of counts) {
        const ruleIds = limit.definition === definition ? rulesIn(limit, state) : undefined;
        if (ruleIds === undefined) continue;
        const [a, b] = pair.map((answer) => distanceTo(limit, answer, place.errorRadiusMeters)) as [
          HomeDistance,
          HomeDistance,
        ];
        const [isWithin, willBeWithin] = [a, b].map(({ meters }) => isWithinLimit(limit, meters));
        count.homes += 1;
        if (a.side === 'either') count.byFirst += 1;
        if (b.side === 'either') count.bySecond += 1;
        if (isWithin === willBeWithin) continue;
        if (isWithin) count.leave += 1;
        else count.enter += 1;
        const { latitude, longitude } = place;
        crossings.push({
          line: home.line,
          cells: home.cells,
          latitude,
          longitude,
          limit,
          ruleIds,
          first: a,
          second: b,
        });
      }
    }
    if (isAnswered) homes += 1;
    else skipped += 1;
  }
  return {
    homes,
    skipped,
    counts: [...counts].map(([limit, { byFirst, bySecond, ...count }]) => ({
      limit,
      ...count,
      undecidedByFirst: byFirst,
      undecidedBySecond: bySecond,
    })),
    crossings,
    unanswered,
    differences: new Map([...metersApart].map(([definition, meters]) => [definition, spreadOf(meters)])),
  };
}

function askBoth(
  first: CoastPort,
  second: CoastPort,
  place: { readonly latitude: number; readonly longitude: number },
  definition: string,
  unanswered: Map<string, string>,
): readonly [CoastAnswerFields, CoastAnswerFields] | undefined {
  if (unanswered.has(definition)) return undefined;
  try {
    return [nearestCoast(first, place, definition), nearestCoast(second, place, definition)];
  } catch (error) {
    if (!(error instanceof CoastError)) throw error;
    if (error.code === 'outside_coverage') return undefined;
    unanswered.set(definition, error.message);
    return undefined;
  }
}

function distanceTo(limit: ComparedLimit, answer: CoastAnswerFields, errorMeters: number): HomeDistance {
  const isSurely = isWithinLimit(limit, answer.maxMeters + errorMeters);
  const isMaybe = isWithinLimit(limit, Math.max(0, answer.minMeters - errorMeters));
  return { meters: answer.distanceMeters, side: isSurely ? 'nearer' : isMaybe ? 'either' : 'farther' };
}

function spreadOf(meters: readonly number[]) {
  const sorted = meters.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;
  return { median: at(0.5), p95: at(0.95), largest: at(1) };
}
