import {
  type Coast,
  type CoastAnswer,
  type CoastDefinitionInput,
  CoastError,
  type GeographicPoint,
  METERS_PER_FOOT,
  METERS_PER_MILE,
} from '@leeward/coast';

/** A limit of distance that rules use. */
export interface DistanceLimit {
  readonly name: string;
  readonly meters: number;
}

/** 1,000 feet, one mile and five miles. */
export const USUAL_LIMITS: readonly DistanceLimit[] = [
  { name: '1,000 ft', meters: 1_000 * METERS_PER_FOOT },
  { name: '1 mi', meters: METERS_PER_MILE },
  { name: '5 mi', meters: 5 * METERS_PER_MILE },
];

/** By which definition, against which limits, and how many of the worst places are named. */
export interface CompareOptions {
  readonly definition?: CoastDefinitionInput;
  readonly limits?: readonly DistanceLimit[];
  /** How many of the worst places to name. By default ten. */
  readonly worst?: number;
}

/** Homes that one coast puts within a limit and the other beyond it. */
export interface Flips {
  readonly limit: string;
  readonly flips: number;
  /** Of those, how many the first coast's own interval flags: it holds the limit, so that its answer was no plain yes or no. */
  readonly flaggedByFirst: number;
  readonly flaggedBySecond: number;
}

/** A place that two shorelines put at different distances, in meters. */
export interface ComparedPlace {
  readonly point: GeographicPoint;
  readonly firstMeters: number;
  readonly secondMeters: number;
}

/** How far two shorelines differ over all places, in meters, and how many cross each limit. */
export interface CoastComparison {
  readonly places: number;
  /** Places that one of the two does not cover. */
  readonly skipped: number;
  readonly medianMeters: number;
  readonly p95Meters: number;
  readonly largestMeters: number;
  readonly worst: readonly ComparedPlace[];
  readonly flips: readonly Flips[];
}

/** How far two coasts differ at some places, and whether it matters to rules with limits of distance. */
export function compareCoasts(
  first: Coast,
  second: Coast,
  places: readonly GeographicPoint[],
  options: CompareOptions = {},
): CoastComparison {
  const { definition, limits = USUAL_LIMITS, worst = 10 } = options;
  const pairs: { place: ComparedPlace; first: CoastAnswer; second: CoastAnswer }[] = [];
  for (const point of places) {
    const a = covered(first, point, definition);
    const b = covered(second, point, definition);
    if (a === undefined || b === undefined) continue;
    pairs.push({
      place: { point, firstMeters: a.distanceMeters, secondMeters: b.distanceMeters },
      first: a,
      second: b,
    });
  }
  if (pairs.length === 0)
    throw new CoastError('outside_coverage', `none of ${places.length} places is covered by both coasts`);
  const bySize = pairs.toSorted((a, b) => difference(b.place) - difference(a.place));
  const quantile = (share: number): number => difference(bySize[Math.floor((1 - share) * (bySize.length - 1))]!.place);
  return {
    places: pairs.length,
    skipped: places.length - pairs.length,
    medianMeters: quantile(0.5),
    p95Meters: quantile(0.95),
    largestMeters: quantile(1),
    worst: bySize.slice(0, worst).map(({ place }) => place),
    flips: limits.map(({ name, meters }) => {
      const flipped = pairs.filter(({ place }) => place.firstMeters < meters !== place.secondMeters < meters);
      return {
        limit: name,
        flips: flipped.length,
        flaggedByFirst: flipped.filter((pair) => isUndecided(pair.first, meters)).length,
        flaggedBySecond: flipped.filter((pair) => isUndecided(pair.second, meters)).length,
      };
    }),
  };
}

/** Whether an answer's interval holds a limit, so that no rule can decide by it. */
export function isUndecided({ distanceMeters, accuracyMeters }: CoastAnswer, limitMeters: number): boolean {
  return distanceMeters - accuracyMeters < limitMeters && distanceMeters + accuracyMeters >= limitMeters;
}

function difference({ firstMeters, secondMeters }: ComparedPlace): number {
  return Math.abs(firstMeters - secondMeters);
}

function covered(
  coast: Coast,
  point: GeographicPoint,
  definition: CoastDefinitionInput | undefined,
): CoastAnswer | undefined {
  try {
    return coast.nearest(point, definition);
  } catch (error) {
    if (error instanceof CoastError && error.code === 'outside_coverage') return undefined;
    throw error;
  }
}
