import { type CoastAnswerFields, type FootprintAnswer, presentCoastAnswer } from '@leeward/coast';
import type { RequestFault } from '../problem/problem.ts';
import type { DistanceResponse } from './distance-schema.ts';
import { distanceWarnings } from './distance-warnings.ts';
import type { FoundPlace } from './found-place.ts';
import { MEAN_HIGH_WATER_LAYER, withinDebrisLine } from './mean-high-water.ts';
import type { PlaceAnswer } from './place-footprint.ts';

/**
 * @param definition The counted layer.
 * @param warnings In addition to those of the place.
 * @param probabilities For the distances requested.
 *
 * @example
 * writeDistance(nearestCoast(coast, place, 'tidal'), place, 'tidal').distance.formatted.meters;
 */
export function writeDistance(
  answer: PlaceAnswer,
  place: FoundPlace,
  definition: string,
  warnings: readonly RequestFault[] = distanceWarnings(
    answer,
    place,
    place.source === 'coordinates' ? '/lat' : '/address',
  ),
  probabilities?: DistanceResponse['probability_within'],
): DistanceResponse {
  const presented = presentCoastAnswer(answer, place);
  return {
    ...presented,
    location: {
      ...presented.location,
      precision: place.precision,
      method: place.method,
      ...(place.detail === undefined ? {} : { detail: place.detail }),
      ...(place.retrievedAt === undefined ? {} : { retrieved_at: place.retrievedAt.toISOString() }),
      ...(place.matchedAddress === undefined ? {} : { matched_address: place.matchedAddress }),
      ...(place.attribution === undefined ? {} : { attribution: place.attribution }),
    },
    ...(answer.footprint === undefined ? {} : { footprint: writeFootprint(answer.footprint) }),
    ...(probabilities === undefined ? {} : { probability_within: probabilities }),
    shore: answer.shore,
    ...(definition === MEAN_HIGH_WATER_LAYER
      ? {
          // Two layers bound the range.
          decided_by: answer.decidedBy,
          wind_borne_debris: { within_one_mile: withinDebrisLine(presented.range_meters) },
        }
      : {}),
    coast_definition: definition,
    warnings: [...place.warnings, ...warnings].map(({ code, path, message }) => ({ code, path, message })),
  };
}

function writeFootprint({ nearest, farthest }: FootprintAnswer<CoastAnswerFields>): DistanceResponse['footprint'] {
  const write = ({ point, coast, distanceMeters }: CoastAnswerFields) => ({
    lat: point.latitude,
    lng: point.longitude,
    meters: distanceMeters,
    coast: { lat: coast.latitude, lng: coast.longitude },
  });
  return { nearest: write(nearest), farthest: write(farthest) };
}
