import type { Address } from '../address/address.ts';
import type { Geocode, GeocoderAnswer } from '../geocoder/geocoder.ts';
import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';
import { precisions } from '../geocoder/precision.ts';
import { sphericalDistanceMeters } from '../point/point.ts';

/** Nearer answers are one place. */
const SAME_PLACE_METERS = 200;
const MAX_CANDIDATES = 5;

/**
 * Keeps the requested state, if known, and ZIP code, if any match; then takes the finest. Equally fine ones in different places are
 * ambiguous.
 */
export function chooseCandidate(address: Address, candidates: readonly Geocode[]): GeocoderAnswer {
  for (const { latitude, longitude, geocoder } of candidates) {
    if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) continue;
    throw new GeocoderUnavailableError(
      geocoder,
      'malformed_answer',
      `${latitude}, ${longitude} is not a point on the globe.`,
    );
  }
  const inState = candidates.filter(({ state }) => !address.state || !state || state === address.state);
  const inZip = inState.filter(({ zip }) => address.zip !== undefined && zip === address.zip);
  const fitting = inZip.length > 0 ? inZip : inState;
  if (fitting.length === 0) {
    const others = candidates.map(({ matchedAddress }) => matchedAddress);
    const message =
      others.length === 0
        ? 'No matching address was found.'
        : `The only matches are elsewhere: ${others.slice(0, 3).join('; ')}.`;
    return { status: 'not_found', code: 'no_match', message };
  }
  const finest = Math.min(...fitting.map(({ precision }) => precisions.indexOf(precision)));
  const best = fitting.filter(({ precision }) => precisions.indexOf(precision) === finest);
  const distinct: Geocode[] = [];
  for (const candidate of best) {
    const isNew = distinct.every(
      (place) => sphericalDistanceMeters(place, candidate) > Math.max(SAME_PLACE_METERS, place.errorRadiusMeters),
    );
    if (isNew) distinct.push(candidate);
  }
  const [only] = distinct;
  if (only !== undefined && distinct.length === 1) return { status: 'found', geocode: only };
  return { status: 'ambiguous', candidates: distinct.slice(0, MAX_CANDIDATES) };
}
