/**
 * The probability of the true distance D. Each shore and each tidal water i, at distance dᵢ, is real with probability pᵢ and has an error
 * with the distribution Fᵢ. The nearest real one is the coast, and errors are taken as independent:
 *
 *     P(D ≤ L) = 1 − Π (1 − pᵢ Fᵢ(L − dᵢ))
 *
 * If two classifications of an ocean differ, each of them has half of the probability. The interval of an answer holds in 95 % of cases,
 * so P is at most 0.05 below its minimum, and at least 0.95 from its maximum on.
 */
import { CoastError } from '../coast-error.ts';
import type { ErrorDistribution } from './error-distribution.ts';

/** The distance is in the interval in 95 % of cases. */
export interface DistanceInterval {
  readonly minMeters: number;
  readonly maxMeters: number;
}

const OUTSIDE = 0.05;
const TOLERANCE_METERS = 0.01;
/** More than half of the circumference of the earth. */
const MAX_DISTANCE_METERS = 1e8;

/** Reused for many points. */
export class Likelihood {
  readonly #distances: number[] = [];
  readonly #weights: number[] = [];
  readonly #distributions: ErrorDistribution[] = [];
  #count = 0;
  #otherMeters = Number.NaN;
  #otherDistribution: ErrorDistribution | undefined;

  clear(): this {
    this.#count = 0;
    this.#otherDistribution = undefined;
    return this;
  }

  add(distanceMeters: number, distribution: ErrorDistribution, weight = 1): this {
    this.#distances[this.#count] = distanceMeters;
    this.#weights[this.#count] = weight;
    this.#distributions[this.#count++] = distribution;
    return this;
  }

  /** The distance by another classification. */
  setOther(distanceMeters: number, distribution: ErrorDistribution): void {
    this.#otherMeters = distanceMeters;
    this.#otherDistribution = distribution;
  }

  /** P(D ≤ meters), consistent with the interval. */
  probabilityWithin(meters: number, { minMeters, maxMeters }: DistanceInterval): number {
    if (!(meters >= 0)) return 0;
    if (meters === Number.POSITIVE_INFINITY) return 1;
    const probability = this.#probability(meters);
    if (meters >= maxMeters) return Math.max(probability, 1 - OUTSIDE);
    return meters < minMeters ? Math.min(probability, OUTSIDE) : probability;
  }

  /** P(D ≤ min) ≤ 1 − certainty (or min is 0) and P(D ≤ max) ≥ certainty, each to the centimeter. */
  intervalAt(certainty: number, interval: DistanceInterval): DistanceInterval {
    const rest = 1 - certainty;
    const isBelow = (meters: number) => this.probabilityWithin(meters, interval) <= rest;
    const isAbove = (meters: number) => this.probabilityWithin(meters, interval) >= certainty;
    let end = Math.max(interval.maxMeters, 1);
    while (!isAbove(end) && end < MAX_DISTANCE_METERS) end *= 2;
    return {
      minMeters: isBelow(0) ? bisect(0, end, isBelow)[0] : 0,
      maxMeters: isAbove(0) ? 0 : bisect(0, end, (meters) => !isAbove(meters))[1],
    };
  }

  #probability(meters: number): number {
    let miss = 1;
    for (let at = 0; at < this.#count; at++) {
      miss *= 1 - this.#weights[at]! * this.#distributions[at]!.probabilityOf(meters - this.#distances[at]!);
    }
    if (this.#otherDistribution === undefined) return 1 - miss;
    return 1 - (miss + 1 - this.#otherDistribution.probabilityOf(meters - this.#otherMeters)) / 2;
  }
}

/** The last value that is true and the first that is false: it is true at `from` and false at `to`. */
function bisect(from: number, to: number, isTrue: (meters: number) => boolean): [number, number] {
  let [low, high] = [from, to];
  while (high - low > TOLERANCE_METERS) {
    const middle = (low + high) / 2;
    if (isTrue(middle)) low = middle;
    else high = middle;
  }
  return [low, high];
}

/** Throws `invalid_option` unless certainty is at least 0.5 and below 1. */
export function checkCertainty(certainty: number): void {
  if (certainty >= 0.5 && certainty < 1) return;
  throw new CoastError('invalid_option', `certainty is ${String(certainty)}; expected 0.5 or more, and less than 1`);
}

/** Throws `invalid_option` unless it is a number of meters. */
export function checkMeters(meters: number): void {
  if (typeof meters === 'number' && !Number.isNaN(meters)) return;
  throw new CoastError('invalid_option', `a distance of ${String(meters)}: expected a number of meters`);
}
