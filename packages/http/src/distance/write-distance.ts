import { type CoastAnswer, presentCoastAnswer } from '@leeward/coast';
import type { RequestFault } from '../problem/problem.ts';
import type { DistanceResponse } from './distance-schema.ts';
import { distanceWarnings } from './distance-warnings.ts';
import type { FoundPlace } from './find-place.ts';

/** An answer on the wire, with the layer that counted as coast, and what is to be known of it besides what the place says. */
export function writeDistance(
  answer: CoastAnswer,
  place: FoundPlace,
  definition: string,
  warnings: readonly RequestFault[] = distanceWarnings(
    answer,
    place,
    place.source === 'coordinates' ? '/lat' : '/address',
  ),
): DistanceResponse {
  const presented = presentCoastAnswer(answer, place);
  return {
    ...presented,
    location: {
      ...presented.location,
      precision: place.precision,
      ...(place.matchedAddress === undefined ? {} : { matched_address: place.matchedAddress }),
      ...(place.attribution === undefined ? {} : { attribution: place.attribution }),
    },
    shore: answer.shore,
    coast_definition: definition,
    warnings: [...place.warnings, ...warnings].map(({ code, path, message }) => ({ code, path, message })),
  };
}
