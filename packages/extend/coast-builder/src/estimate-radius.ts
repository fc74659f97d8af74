/**
 * The error of lines, from the distances of tide stations to them.
 *
 * A distance has three causes: the error of the lines, the error of the station's place, and missing lines (a creek that the file lacks).
 * The error of lines is normal or Laplace. Both forms, and the error of places, are mixtures of normals, so that the distance is a
 * mixture of half-normals. Without a line it is log-logistic. The posterior is summed over a grid of radius × form × share of missing
 * lines. The prior is uniform in the square root of the radius.
 */

/** From a tide station to the lines. */
export interface StationDistance {
  readonly meters: number;
  /** Published error of the station's place. */
  readonly errorMeters: number;
}

/** The radius contains 95 % of the errors of the lines. */
export interface RadiusEstimate {
  /** 5th and 95th percentile of the posterior. */
  readonly minRadiusMeters: number;
  readonly maxRadiusMeters: number;
  /** By station: probability that the lines lack its shore. */
  readonly missing: Float64Array;
}

/** Standard deviations of a station's place in meters, with their frequencies: fitted to 810 stations of Florida, Hawaii and Washington. */
const PLACE_DEVIATIONS: readonly (readonly [meters: number, share: number])[] = [
  [25, 0.21],
  [80, 0.62],
  [240, 0.17],
];
const SHARES = PLACE_DEVIATIONS.map(([, share]) => share);
/** Part of the published error that does not come from rounded coordinates. */
const UNROUNDED_METERS = 150;
/** Standard deviation of a rounded coordinate, divided by its part of the published error. */
const ROUNDING = 0.42;

/** Median and shape of the distance without a line. */
const MISSING_METERS = 2000;
const MISSING_SHAPE = 1.2;

/** 5 m to 5 km. */
const RADII = Array.from({ length: 62 }, (_, step) => 5 * 1.12 ** step);
const MISSING_SHARES = Array.from({ length: 20 }, (_, step) => step * 0.05);

/** Mixtures of normals in equal parts: their variances if the radius is 1. */
const FORMS: readonly (readonly number[])[] = [
  [1 / 1.96 ** 2],
  // Laplace: |error| is exponential with mean b = 1 / ln 20, the variance with mean 2 b².
  [0.06, 0.2, 0.38, 0.6, 0.9, 1.32, 1.96, 3.2].map((quantile) => (2 * quantile) / Math.log(20) ** 2),
];

export function estimateRadius(distances: readonly StationDistance[]): RadiusEstimate {
  const withoutLine = distances.map(({ meters }) => densityWithoutLine(meters));
  const cells = FORMS.flatMap((form) =>
    RADII.flatMap((radius, at) => {
      const densities = Float64Array.from(distances, (distance) => lineDensity(distance, radius, form));
      return MISSING_SHARES.map((share) => ({
        at,
        share,
        densities,
        logLikelihood: densities.reduce((sum, density, station) => sum + Math.log(mix(density, station, share)), 0),
      }));
    }),
  );
  const largest = cells.reduce((max, { logLikelihood }) => Math.max(max, logLikelihood), Number.NEGATIVE_INFINITY);
  const byRadius = new Float64Array(RADII.length);
  const missing = new Float64Array(distances.length);
  let total = 0;
  for (const { at, share, densities, logLikelihood } of cells) {
    const weight = Math.exp(logLikelihood - largest) * Math.sqrt(RADII[at]!);
    byRadius[at]! += weight;
    total += weight;
    if (weight < 1e-9) continue;
    for (let station = 0; station < missing.length; station++) {
      missing[station]! += (weight * share * withoutLine[station]!) / mix(densities[station]!, station, share);
    }
  }
  return {
    minRadiusMeters: percentile(byRadius, 0.05 * total),
    maxRadiusMeters: percentile(byRadius, 0.95 * total),
    missing: missing.map((weight) => weight / total),
  };

  function mix(density: number, station: number, share: number): number {
    return (1 - share) * density + share * withoutLine[station]! + Number.MIN_VALUE;
  }
}

/** Distances of stations with these errors to perfect lines; the same each time. */
export function perfectDistances(stations: readonly Pick<StationDistance, 'errorMeters'>[]): StationDistance[] {
  return stations.map(({ errorMeters }, station) => {
    // A sequence of low discrepancy (Kronecker, of the plastic number), then Box and Muller.
    const [part, first, second] = [0.8191725134, 0.6710436067, 0.5497004779].map(
      (step) => ((station + 0.5) * step) % 1,
    );
    const [deviation] = PLACE_DEVIATIONS[indexAt(SHARES, part!)]!;
    const normal = Math.sqrt(-2 * Math.log(1 - first!)) * Math.cos(2 * Math.PI * second!);
    return { errorMeters, meters: Math.abs(normal) * Math.hypot(deviation, roundingMeters(errorMeters)) };
  });
}

function percentile(byRadius: Float64Array, weight: number): number {
  return RADII[indexAt(byRadius, weight)]!;
}

/** First index at which the sum reaches `weight`, or the last one. */
function indexAt(weights: ArrayLike<number>, weight: number): number {
  let sum = 0;
  for (let at = 0; at < weights.length; at++) {
    sum += weights[at]!;
    if (sum >= weight) return at;
  }
  return weights.length - 1;
}

function lineDensity({ meters, errorMeters }: StationDistance, radius: number, form: readonly number[]): number {
  const rounding = roundingMeters(errorMeters) ** 2;
  let density = 0;
  for (const variance of form) {
    for (const [deviation, share] of PLACE_DEVIATIONS) {
      density += share * halfNormal(meters, variance * radius ** 2 + deviation ** 2 + rounding);
    }
  }
  return density / form.length;
}

function roundingMeters(errorMeters: number): number {
  return ROUNDING * Math.max(0, errorMeters - UNROUNDED_METERS);
}

function halfNormal(meters: number, variance: number): number {
  return Math.sqrt(2 / Math.PI / variance) * Math.exp((-meters * meters) / (2 * variance));
}

function densityWithoutLine(meters: number): number {
  const ratio = Math.max(meters, 1) / MISSING_METERS;
  return ((MISSING_SHAPE / MISSING_METERS) * ratio ** (MISSING_SHAPE - 1)) / (1 + ratio ** MISSING_SHAPE) ** 2;
}
