/**
 * Probabilities of the distance of a home, with the error of its place.
 *
 * The coast states the distribution F of the distance S of a point. A place moves along the direction to the shore by X, and the
 * distance is D = max(0, S + X), so P(D ≤ limit) = ∫ F(limit − x) f(x) dx, with the density f of X:
 *
 * - A geocoder's radius r contains 95 % of places. For a circular normal distribution 1 − exp(−r² / 2σ²) = 0.95, so X is normal with
 *   σ = r / √(2 ln 20) = 0.4085 r.
 * - A building anywhere in a given circle of radius r: f(x) = 2 √(r² − x²) / πr².
 *
 * The shore counts as straight within the radius, which is coarse for a radius far above the distance.
 */
import type { CoastAnswerFields } from '@leeward/coast';
import type { CoastPort } from './coast-port.ts';
import type { FoundPlace } from './found-place.ts';
import { isBetweenLayers, nearestCoast } from './mean-high-water.ts';
import type { PlaceAnswer } from './place-footprint.ts';

/** The distribution of a distance. */
export interface DistanceOdds {
  probabilityWithin(meters: number): number;
  /** The distance is below `minMeters`, and above `maxMeters`, with a probability of 1 − `certainty` at most. */
  intervalAt(certainty: number): { readonly minMeters: number; readonly maxMeters: number };
}

/** Undefined for a coast without probabilities, and for mean high water between two layers. Throws the coast's errors. */
export function oddsOfPlace(
  coast: CoastPort,
  place: FoundPlace,
  definition: string,
  answer: PlaceAnswer,
): DistanceOdds | undefined {
  if (isBetweenLayers(coast, definition)) return undefined;
  const { footprint, errorRadiusMeters } = place;
  if (footprint?.kind === 'disc') {
    const center = oddsOf(nearestCoast(coast, { latitude: place.latitude, longitude: place.longitude }, definition));
    return center && displaced(center, discStrata(footprint.radiusMeters));
  }
  if (answer.footprint === undefined) {
    const odds = oddsOf(answer);
    return odds && errorRadiusMeters > 0 ? displaced(odds, normalStrata(errorRadiusMeters)) : odds;
  }
  const [nearest, farthest] = [oddsOf(answer.footprint.nearest), oddsOf(answer.footprint.farthest)];
  if (!nearest || !farthest) return undefined;
  return {
    probabilityWithin: (meters) => nearest.probabilityWithin(meters),
    intervalAt(certainty) {
      const { minMeters, maxMeters } = nearest.intervalAt(certainty);
      return { minMeters, maxMeters: Math.max(maxMeters, farthest.intervalAt(certainty).maxMeters) };
    },
  };
}

/** A host's coast may state no probabilities. */
function oddsOf(answer: CoastAnswerFields): DistanceOdds | undefined {
  return 'probabilityWithin' in answer && 'intervalAt' in answer
    ? (answer as CoastAnswerFields & DistanceOdds)
    : undefined;
}

/** Four decimals, never 0 or 1 unless certain. */
export function roundProbability(probability: number): number {
  if (probability <= 0 || probability >= 1) return probability;
  return Math.min(0.9999, Math.max(0.0001, Math.round(probability * 1e4) / 1e4));
}

/** Parts of the density of a displacement: the middle of each, in meters, and its weight. Weights add up to 1. */
interface Strata {
  readonly offsets: readonly number[];
  readonly weights: readonly number[];
}

const STRATA = 65;

function strataOf(reach: number, density: (offset: number) => number): Strata {
  const offsets = Array.from({ length: STRATA }, (_, index) => reach * ((2 * index + 1) / STRATA - 1));
  const densities = offsets.map(density);
  const sum = densities.reduce((a, b) => a + b, 0);
  return { offsets, weights: densities.map((each) => each / sum) };
}

/** Standard deviation along one direction, of a radius that contains 95 %. */
const SIGMA = 1 / Math.sqrt(2 * Math.log(20));

function normalStrata(radiusMeters: number): Strata {
  const sigma = SIGMA * radiusMeters;
  return strataOf(4 * sigma, (offset) => Math.exp(-((offset / sigma) ** 2) / 2));
}

function discStrata(radiusMeters: number): Strata {
  return strataOf(radiusMeters, (offset) => Math.sqrt(Math.max(0, radiusMeters ** 2 - offset ** 2)));
}

/** Bisection steps: from a few kilometers to a millimeter. */
const STEPS = 24;

function displaced(odds: DistanceOdds, { offsets, weights }: Strata): DistanceOdds {
  const reach = Math.abs(offsets[0]!);
  const probabilityWithin = (meters: number): number => {
    let probability = 0;
    for (let index = 0; index < offsets.length; index++) {
      const limit = meters - offsets[index]!;
      if (limit >= 0) probability += weights[index]! * odds.probabilityWithin(limit);
    }
    return Math.min(1, Math.max(0, probability));
  };
  /** The two ends of a narrow range with P below `level` at the lower and from `level` at the higher. */
  const rangeOf = (level: number, low: number, high: number): readonly [number, number] => {
    if (probabilityWithin(low) >= level) return [low, low];
    let [from, to] = [low, high];
    for (let step = 0; step < STEPS; step++) {
      const middle = (from + to) / 2;
      if (probabilityWithin(middle) < level) from = middle;
      else to = middle;
    }
    return [from, to];
  };
  return {
    probabilityWithin,
    intervalAt(certainty) {
      const { minMeters, maxMeters } = odds.intervalAt(certainty);
      const low = Math.max(0, minMeters - reach);
      const high = maxMeters + reach;
      // Rounded outward.
      return { minMeters: rangeOf(1 - certainty, low, high)[0], maxMeters: rangeOf(certainty, low, high)[1] };
    },
  };
}
