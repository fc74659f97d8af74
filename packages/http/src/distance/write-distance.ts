import { type CoastAnswer, presentCoastAnswer } from '@leeward/coast';
import type { DistanceResponse } from './distance-schema.ts';
import type { FoundPlace } from './find-place.ts';

/** An answer on the wire. The definition is one that the coast knows: of the HTTP API `tidal` or `ocean`. */
export function writeDistance<Definition extends string>(
  answer: CoastAnswer,
  place: FoundPlace,
  definition: Definition,
): Omit<DistanceResponse, 'coast_definition'> & { readonly coast_definition: Definition } {
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
    warnings: place.warnings.map(({ code, path, message }) => ({ code, path, message })),
  };
}
