import type { Decider, Property, Verdict } from '@leeward/engine';
import { isWithinLimit } from '@leeward/engine/compiled';
import { writeQuantity } from '@leeward/terms';
import { roundProbability } from '../distance/distance-odds.ts';
import {
  type DistanceUnit,
  describeCertainty,
  describeDistance,
  describeProbability,
  unitOfDistance,
  wayOut,
} from './describe-distance.ts';
import { distanceTestsOf, requestNameOfDistance, type TestOfRule } from './distance-field-names.ts';
import { type KnownDistance, type KnownDistances, rangeAt } from './known-distances.ts';

/** A limit on distance in a carrier's rules, compared with the home. */
export interface DistanceLimit {
  readonly ruleId: string;
  readonly outcome: string;
  /** As written in the rule. */
  readonly fact: string;
  readonly limit: number;
  readonly unit: DistanceUnit;
  /** `either`: too uncertain. */
  readonly home: 'nearer' | 'farther' | 'either';
  /** If too uncertain: the probability that the home is within the limit. Undefined if the coast states none. */
  readonly probability?: number;
  /** Distance, range, data and limit in a sentence. */
  readonly text: string;
}

/** Per verdict. */
const MAX_LIMITS = 50;

/** Compares the home with the distance limits of a carrier, nearest first. Does not affect the verdict. */
export function createDistanceLimits(
  decider: Decider,
  property: Property,
  homeDistances: KnownDistances | undefined,
): (verdict: Verdict) => readonly DistanceLimit[] {
  const distances = homeDistances?.distances ?? [];
  if (distances.length === 0) return () => [];
  return (verdict) => {
    const limits: { readonly meters: number; readonly limit: DistanceLimit }[] = [];
    for (const test of distanceTestsOf(decider, verdict, property)) {
      const distance = distances.find(({ fact }) => fact === test.fact);
      if (distance === undefined) continue;
      limits.push({ meters: test.meters, limit: distanceLimitOf(test, distance, homeDistances, verdict.certainty) });
    }
    return limits
      .sort((a, b) => a.meters - b.meters)
      .slice(0, MAX_LIMITS)
      .map(({ limit }) => limit);
  };
}

function distanceLimitOf(
  test: TestOfRule,
  distance: KnownDistance,
  homeDistances: KnownDistances | undefined,
  certainty: number | undefined,
): DistanceLimit {
  const { meters: limitMeters, written, rule } = test;
  const range = rangeAt(distance, certainty);
  const home = isWithinLimit(test, range.max) ? 'nearer' : isWithinLimit(test, range.min) ? 'either' : 'farther';
  const unit = unitOfDistance(written.fact);
  const limit = typeof written.value === 'number' ? written.value : limitMeters;
  const limitText = writeQuantity(limit, unit);
  const probability =
    home === 'either' && distance.odds ? roundProbability(distance.odds.probabilityWithin(limitMeters)) : undefined;
  const likely = probability === undefined ? '' : `: ${describeProbability(probability)} likely within it`;
  const givenAs = requestNameOfDistance(written.fact) ?? distance.givenAs;
  const surely = certainty === undefined || !distance.odds ? '' : ` with ${describeCertainty(certainty)} certainty`;
  const against = {
    nearer: `nearer than the limit of ${limitText}${surely}.`,
    farther: `beyond the limit of ${limitText}${surely}.`,
    either:
      `too uncertain to compare with the limit of ${limitText}${surely}${likely}. ${wayOut(distance, homeDistances?.location, givenAs)}`.trim(),
  };
  return {
    ruleId: rule.id,
    outcome: rule.outcome,
    fact: written.fact,
    limit,
    unit,
    home,
    ...(probability === undefined ? {} : { probability }),
    text: `${describeDistance(distance, homeDistances?.location, unit)}: ${against[home]}`,
  };
}
