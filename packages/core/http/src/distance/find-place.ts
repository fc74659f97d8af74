import {
  type AddressFields,
  checkPoint,
  type Geocode,
  type GeocodeAttempt,
  GeocoderUnavailableError,
  isAsFineAs,
  middleOf,
  readAddressFields,
  splitAddress,
} from '@leeward/places';
import { capitalized, type GeoJsonFootprint, wordOf, writeLength } from '@leeward/terms';
import { invalidRequest, Problem, type RequestFault, unavailable } from '../problem/problem.ts';
import type { DistancePorts } from './distance-ports.ts';
import type { FoundPlace } from './found-place.ts';
import { readFootprint } from './place-footprint.ts';

/** The lookups of places. */
export type PlacePorts = Omit<DistancePorts, 'coast' | 'gazetteer'>;

/** An address, a point in decimal degrees, or a footprint. */
export interface PlaceRequest {
  readonly address?: string | AddressFields | null | undefined;
  readonly lat?: number | null | undefined;
  readonly lng?: number | null | undefined;
  /** Radius around lat and lng. */
  readonly radius_meters?: number | null | undefined;
  readonly footprint?: GeoJsonFootprint | null | undefined;
  /** State of the home, for an address without a state. Two letters, lower case. */
  readonly state?: string | undefined;
}

/**
 * @throws {Problem} `invalid_request` without such a place, `unavailable` if the geocoder fails
 * @throws The reason of an aborted signal.
 *
 * @example
 * const place = await findPlace({ lat: 25.78, lng: -80.13 }, {});
 */
export async function findPlace(request: PlaceRequest, ports: PlacePorts, signal?: AbortSignal): Promise<FoundPlace> {
  const { address, lat, lng, footprint, radius_meters: radius } = request;
  const hasAddress = address !== null && address !== undefined;
  const hasPoint = (lat !== null && lat !== undefined) || (lng !== null && lng !== undefined);
  if (footprint) {
    if (hasAddress || hasPoint || radius) {
      throw fault('/footprint', 'footprint_and_point', 'Give a footprint, or an address, or lat and lng, not several.');
    }
    const read = readFootprint(footprint);
    return { ...placeOfPoint(read.middle.lat, read.middle.lng, '/footprint'), footprint: read.footprint };
  }
  if (radius && !hasPoint)
    throw fault('/radius_meters', 'required_with', 'radius_meters needs a point; give lat and lng.');
  if (hasAddress && hasPoint) {
    throw fault('/address', 'address_and_point', 'Give an address, or lat and lng, not both.');
  }
  if (hasAddress) return findAddress(address, request.state, ports, signal);
  if (!hasPoint) throw fault('', 'required', 'Give an address, lat and lng, or a footprint.');
  for (const [name, value] of [
    ['lat', lat],
    ['lng', lng],
  ] as const) {
    if (value === null || value === undefined)
      throw fault(`/${name}`, 'required_with', `${name} is missing; give lat and lng.`);
  }
  const place = placeOfPoint(lat!, lng!);
  return radius ? { ...place, footprint: { kind: 'disc', center: place, radiusMeters: radius } } : place;
}

function placeOfPoint(latitude: number, longitude: number, path = '/lat'): FoundPlace {
  const finding = checkPoint({ latitude, longitude });
  if (finding && finding.code !== 'outside_us') throw fault(path, finding.code, finding.message);
  const message = `${finding?.message} The distance is to the nearest shore of the United States.`;
  return {
    latitude,
    longitude,
    source: 'coordinates',
    precision: 'exact',
    method: 'coordinates',
    errorRadiusMeters: 0,
    warnings: finding ? [{ path, code: 'outside_united_states', message }] : [],
  };
}

async function findAddress(
  address: string | AddressFields,
  state: string | undefined,
  ports: PlacePorts,
  signal: AbortSignal | undefined,
): Promise<FoundPlace> {
  const { geocoder, cities } = ports;
  const split =
    typeof address === 'string'
      ? splitAddress(address, cities, { state })
      : readAddressFields(address, cities, { state });
  if (split.problem !== undefined) {
    const { field, code, message } = split.problem;
    throw fault(field ? `/address/${field}` : '/address', code, message);
  }
  if (!geocoder) throw fault('/address', 'no_geocoder', 'Addresses are not looked up here; give lat and lng.');
  const timeout = AbortSignal.timeout(ports.geocodeTimeoutMs ?? 10_000);
  const answer = await geocoder
    .geocode(split.address, { signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
    .catch((error: unknown) => {
      signal?.throwIfAborted();
      throw timeout.aborted || error instanceof GeocoderUnavailableError ? geocoderAway(error) : error;
    });
  switch (answer.status) {
    case 'found': {
      const place = placeOfGeocode(answer.geocode, answer.attempts ?? []);
      const { note } = split;
      return note === undefined ? place : { ...place, warnings: [{ path: '/address', ...note }, ...place.warnings] };
    }
    case 'ambiguous': {
      const coarse = placeOfCandidates(answer.candidates);
      if (coarse) return coarse;
      const candidates = answer.candidates.slice(0, 10).map((each) => ({
        address: each.matchedAddress,
        lat: each.latitude,
        lng: each.longitude,
      }));
      const names = candidates.slice(0, 4).map((each) => each.address);
      const message = `This address fits several places: ${names.join('; ')}. Add a ZIP code, or send one of these addresses.`;
      const errors = [{ path: '/address', code: 'address_ambiguous', message }];
      throw new Problem('invalid_request', message, { errors, members: { candidates } });
    }
    case 'not_found':
      throw fault('/address', 'address_not_found', answer.message);
  }
}

function geocoderAway(error: unknown): Problem {
  const retry = error instanceof GeocoderUnavailableError ? error.retryAfterSeconds : undefined;
  if (retry === undefined) return unavailable('The geocoder', error);
  return new Problem('unavailable', 'The geocoder is unavailable at the moment; try again later.', {
    headers: { 'retry-after': String(Math.ceil(retry)) },
    cause: error,
  });
}

/** Candidates on one street within this distance are answered by their middle. */
const MAX_REACH_METERS = 10_000;

/** undefined for candidates on several streets or far apart. */
function placeOfCandidates(candidates: readonly Geocode[]): FoundPlace | undefined {
  const [first] = candidates;
  if (first === undefined) return undefined;
  const streets = new Set(candidates.map(({ matchedAddress }) => matchedAddress.split(',')[0]!.toLowerCase()));
  if (streets.size > 1 || !candidates.every(({ precision }) => isAsFineAs(precision, 'street'))) return undefined;
  const { center, reachMeters } = middleOf(candidates);
  if (reachMeters > MAX_REACH_METERS) return undefined;
  const errorRadiusMeters = Math.ceil(reachMeters + Math.max(...candidates.map((each) => each.errorRadiusMeters)));
  const names = candidates.slice(0, 4).map((each) => each.matchedAddress);
  const message = `This address fits ${candidates.length} places: ${names.join('; ')}. This is the middle of them, within ${writeLength(errorRadiusMeters)}.`;
  return {
    ...center,
    source: first.geocoder,
    precision: 'street',
    method: first.method ?? 'other_geocoder',
    errorRadiusMeters,
    matchedAddress: first.matchedAddress,
    ...(first.dataVersion === undefined ? {} : { dataVersion: first.dataVersion }),
    ...(first.attribution === undefined ? {} : { attribution: first.attribution }),
    warnings: [{ path: '/address', code: 'address_ambiguous', message }],
  };
}

function placeOfGeocode(geocode: Geocode, attempts: readonly GeocodeAttempt[]): FoundPlace {
  const { latitude, longitude, precision, errorRadiusMeters, geocoder, matchedAddress, attribution, unmatched } =
    geocode;
  const { method = 'other_geocoder', detail, retrievedAt, dataVersion } = geocode;
  const warnings: RequestFault[] = [];
  if (unmatched.length > 0 && isAsFineAs(precision, 'interpolated')) {
    const message = `The matching record has no ${partsOf(unmatched)}: ${matchedAddress} is the only record there that fits.`;
    warnings.push({ path: '/address', code: 'matched_by_position', message });
  } else if (unmatched.length > 0) {
    const others = attempts.filter((attempt) => attempt.geocoder !== geocoder);
    const isAlone = attempts.length === 1 && unmatched.includes('line1');
    const why = isAlone ? ', because no geocoder here knows streets' : '';
    const message = `${capitalized(partsOf(unmatched))} could not be placed${why}: this is ${matchedAddress} (${wordOf('precision', precision)}), within ${writeLength(errorRadiusMeters)}.`;
    warnings.push({ path: '/address', code: 'coarse_location', message }, ...attemptWarnings(others));
  }
  return {
    latitude,
    longitude,
    source: geocoder,
    precision,
    method,
    ...(detail === undefined ? {} : { detail }),
    ...(retrievedAt === undefined ? {} : { retrievedAt }),
    ...(dataVersion === undefined ? {} : { dataVersion }),
    errorRadiusMeters,
    matchedAddress,
    ...(attribution === undefined ? {} : { attribution }),
    warnings,
  };
}

/** `the street and the city`. */
function partsOf(names: readonly string[]): string {
  return names.map((name) => wordOf('addressPart', name)).join(' and ');
}

/** Why a place is coarse: geocoders without the address, failed, or with an implausible place. */
function attemptWarnings(attempts: readonly GeocodeAttempt[]): readonly RequestFault[] {
  const warnings: RequestFault[] = [];
  const names = attempts
    .filter(({ outcome }) => outcome === 'not_found')
    .map(({ geocoder }) => wordOf('dataset', geocoder));
  if (names.length > 0) {
    const message = `${capitalized(names.join(' and '))} ${names.length === 1 ? 'does' : 'do'} not know this address; check it.`;
    warnings.push({ path: '/address', code: 'address_unknown', message });
  }
  for (const { geocoder, outcome, detail } of attempts) {
    if (outcome === 'unavailable') {
      const message = `${capitalized(wordOf('dataset', geocoder))} was unavailable, so the place may be coarser than necessary; try again later.`;
      warnings.push({ path: '/address', code: 'geocoder_unavailable', message });
    } else if (outcome === 'implausible') {
      const message = `${capitalized(wordOf('dataset', geocoder))} returned an implausible place, which was ignored: ${detail}.`;
      warnings.push({ path: '/address', code: 'geocode_implausible', message });
    }
  }
  return warnings;
}

function fault(path: string, code: string, message: string): Problem {
  return invalidRequest([{ path, code, message }]);
}
