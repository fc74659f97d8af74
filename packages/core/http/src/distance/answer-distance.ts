import { CoastError } from '@leeward/coast';
import { nextTurn, type Turn } from '@leeward/engine/compiled';
import type { RequestContext } from '../operation/request-context.ts';
import { invalidRequest, Problem, type RequestFault } from '../problem/problem.ts';
import { checkBody } from '../request/check-body.ts';
import { readCoastLayer, unknownCoast } from './coast-layers.ts';
import type { DistancePorts } from './distance-ports.ts';
import { type DistanceResponse, distanceRequest } from './distance-schema.ts';
import { distanceWarnings, lakeHint } from './distance-warnings.ts';
import { findPlace } from './find-place.ts';
import type { FoundPlace } from './found-place.ts';
import { MEAN_HIGH_WATER_LAYER } from './mean-high-water.ts';
import { nearestOfPlace } from './place-footprint.ts';
import { probabilitiesWithin } from './probabilities-within.ts';
import { writeDistance } from './write-distance.ts';

/**
 * @param context Its signal ends the call of a geocoder.
 * @param turn Yields to other requests, for an item of a batch.
 * @param onPlace Called with the place of an answer.
 *
 * @throws {Problem} If the request cannot be answered.
 */
export async function answerDistance(
  json: unknown,
  ports: DistancePorts,
  context?: Pick<RequestContext, 'signal'>,
  turn?: Turn,
  onPlace?: (place: FoundPlace) => void,
): Promise<DistanceResponse> {
  const request = checkBody(distanceRequest, json);
  const definition = readCoastLayer(ports.coast, request.coast);
  const isAddress = request.address !== null && request.address !== undefined;
  const place = await findPlace(request, ports, isAddress ? context?.signal : undefined);
  if (turn) await nextTurn(turn);
  try {
    const answer = nearestOfPlace(ports.coast, place, definition);
    onPlace?.(place);
    const path = isAddress ? '/address' : request.footprint ? '/footprint' : '/lat';
    const warnings = [...distanceWarnings(answer, place, path), ...lakeHint(ports.coast, answer, place)];
    if (!request.probability_within) return writeDistance(answer, place, definition, warnings);
    const probabilities = probabilitiesWithin(ports.coast, place, definition, answer, request.probability_within);
    if (probabilities.some(({ probability }) => probability === null)) warnings.push(noProbabilities(definition));
    return writeDistance(answer, place, definition, warnings, probabilities);
  } catch (error) {
    throw asProblem(error, ports, definition);
  }
}

function noProbabilities(definition: string): RequestFault {
  const why =
    definition === MEAN_HIGH_WATER_LAYER
      ? 'mean_high_water lies between two layers'
      : 'this coastline states no probabilities';
  const message = `The probabilities are null, because ${why}; use range_meters.`;
  return { path: '/probability_within', code: 'probability_unknown', message };
}

function asProblem(error: unknown, { coast }: DistancePorts, definition: string): unknown {
  if (error instanceof Problem || !(error instanceof CoastError)) return error;
  const message = `${error.message[0]?.toUpperCase()}${error.message.slice(1)}.`;
  if (error.code === 'outside_coverage' || error.code === 'invalid_point') {
    return invalidRequest([{ path: '/lat', code: error.code, message }]);
  }
  // A layer may have no line.
  if (error.code === 'unknown_layer' || error.code === 'no_shore') return unknownCoast(coast, definition);
  return error;
}
