import { toMeters } from '@leeward/engine/compiled';
import type { CoastPort } from './coast-port.ts';
import { oddsOfPlace, roundProbability } from './distance-odds.ts';
import type { DistanceResponse } from './distance-schema.ts';
import type { FoundPlace } from './found-place.ts';
import type { PlaceAnswer } from './place-footprint.ts';

/** A distance in one unit. */
export interface DistanceInUnit {
  readonly feet?: number | null | undefined;
  readonly miles?: number | null | undefined;
  readonly meters?: number | null | undefined;
}

/**
 * The probability that the shore is within each distance, with the error of the place; null if the coast states none. Throws the coast's
 * errors.
 *
 * @example
 * const answer = nearestCoast(coast, place, 'tidal');
 * probabilitiesWithin(coast, place, 'tidal', answer, [{ feet: 1000 }]); // [{ feet: 1000, meters: 304.8, probability: 0.91 }]
 */
export function probabilitiesWithin(
  coast: CoastPort,
  place: FoundPlace,
  definition: string,
  answer: PlaceAnswer,
  limits: readonly DistanceInUnit[],
): NonNullable<DistanceResponse['probability_within']> {
  const odds = oddsOfPlace(coast, place, definition, answer);
  return limits.map(({ feet, miles, meters }) => {
    const inMeters = feet ? toMeters(feet, 'feet') : miles ? toMeters(miles, 'miles') : meters!;
    return {
      ...(feet ? { feet } : miles ? { miles } : {}),
      meters: inMeters,
      probability: odds ? roundProbability(odds.probabilityWithin(inMeters)) : null,
    };
  });
}
