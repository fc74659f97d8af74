import {
  type Coast,
  type CoastAnswer,
  type CoastDefinitionInput,
  CoastError,
  type GeographicPoint,
  METERS_PER_FOOT,
  METERS_PER_MILE,
} from '@leeward/coast';

/** A limit of distance in rules. */
export interface DistanceLimit {
  readonly name: string;
  readonly meters: number;
}

const USUAL_LIMITS: readonly DistanceLimit[] = [
  { name: '1,000 ft', meters: 1_000 * METERS_PER_FOOT },
  { name: '1 mi', meters: METERS_PER_MILE },
  { name: '5 mi', meters: 5 * METERS_PER_MILE },
];

/** Options of `compareCoasts`. */
export interface CompareOptions {
  /** @default 'tidal' */
  readonly definition?: CoastDefinitionInput;
  /** @default 1,000 feet, one mile and five miles */
  readonly limits?: readonly DistanceLimit[];
  /** Number of worst places. @default 10 */
  readonly worst?: number;
}

/** Homes that one coast places within a limit and the other beyond it. */
export interface Flips {
  readonly limit: string;
  readonly flips: number;
  /** Those whose interval in the first coast contains the limit. */
  readonly flaggedByFirst: number;
  readonly flaggedBySecond: number;
}

/** A place and its distances by both coasts. */
export interface ComparedPlace {
  readonly point: GeographicPoint;
  readonly firstMeters: number;
  readonly secondMeters: number;
}

/** Differences of two coasts. */
export interface CoastComparison {
  readonly places: number;
  /** Places outside the coverage of one of the coasts. */
  readonly skipped: number;
  readonly medianMeters: number;
  readonly p95Meters: number;
  readonly largestMeters: number;
  readonly worst: readonly ComparedPlace[];
  readonly flips: readonly Flips[];
}

/**
 * Counts homes that change sides of a limit. @throws CoastError `outside_coverage` if no place is covered by both.
 * @example
 * const { p95Meters, flips } = compareCoasts(loadCoastlineUs(), ownCoast, homes);
 */
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
    throw new CoastError('outside_coverage', `both coasts cover none of the ${places.length} places`);
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

function isUndecided({ distanceMeters, accuracyMeters }: CoastAnswer, limitMeters: number): boolean {
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
