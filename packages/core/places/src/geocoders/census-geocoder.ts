import { type Address, formatAddress } from '../address/address.ts';
import { streetLineWithoutUnit } from '../address/street-line.ts';
import { countyByFips, findState } from '../counties/index.ts';
import type { Geocode, Geocoder } from '../geocoder/geocoder.ts';
import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';
import { chooseCandidate } from './choose-candidate.ts';
import { fetchJson, type ServerOptions } from './fetch-json.ts';
import { asList, asNumber, asRecord, asText } from './json-value.ts';

/** Server and data edition. */
export interface CensusGeocoderOptions extends Omit<ServerOptions, 'baseUrl'> {
  /** @default 'https://geocoding.geo.census.gov' */
  readonly baseUrl?: string | undefined;
  /** Edition of the address ranges. @default 'Public_AR_Current' */
  readonly benchmark?: string | undefined;
  /** Edition of the geographies. @default 'Current_Current' */
  readonly vintage?: string | undefined;
}

const name = 'us_census';

/** The answer states no error. In synthetic towns with such ranges, 95 % of the houses are within 42 to 237 m (docs/addresses.md). */
const RANGE_RADIUS_METERS = 250;

/**
 * Creates the Census Bureau's geocoder: free, no key; street addresses of the states, Puerto Rico and the island areas. Interpolates
 * along house numbers and returns the county. Documentation: https://geocoding.geo.census.gov/geocoder/Geocoding_Services_API.html
 * @example
 * guardGeocoder(createCensusGeocoder(), { rateLimit: { requestsPerSecond: 5 } });
 */
export function createCensusGeocoder(options: CensusGeocoderOptions = {}): Geocoder {
  const {
    benchmark = 'Public_AR_Current',
    vintage = 'Current_Current',
    baseUrl = 'https://geocoding.geo.census.gov',
  } = options;
  return {
    name,
    async geocode(address, { signal } = {}) {
      signal?.throwIfAborted();
      const line1 = streetLineWithoutUnit(address.line1);
      if (line1 === undefined) {
        return { status: 'not_found', code: 'no_match', message: 'The Census geocoder needs a street.' };
      }
      const line = formatAddress({ ...address, line1 });
      const parameters = { address: line, benchmark, vintage, format: 'json' };
      const path = '/geocoder/geographies/onelineaddress';
      const answer = await fetchJson(name, path, parameters, { ...options, baseUrl }, signal);
      const matches = asList(asRecord(asRecord(answer).result).addressMatches);
      if (matches === undefined) {
        throw new GeocoderUnavailableError(name, 'malformed_answer', 'the answer has no list of address matches.');
      }
      return chooseCandidate(
        address,
        matches.map((match) => readMatch(match, address)),
      );
    },
  };
}

function readMatch(value: unknown, address: Address): Geocode {
  const match = asRecord(value);
  const coordinates = asRecord(match.coordinates);
  const [longitude, latitude] = [asNumber(coordinates.x), asNumber(coordinates.y)];
  if (latitude === undefined || longitude === undefined) {
    throw new GeocoderUnavailableError(name, 'malformed_answer', 'a match has no coordinates.');
  }
  const components = asRecord(match.addressComponents);
  const zip = asText(components.zip);
  const county = asRecord(asList(asRecord(match.geographies).Counties)?.[0]);
  return {
    latitude,
    longitude,
    precision: 'interpolated',
    method: 'address_range',
    ...detailOf(components, asText(asRecord(match.tigerLine).side)),
    errorRadiusMeters: RANGE_RADIUS_METERS,
    geocoder: name,
    matchedAddress: asText(match.matchedAddress) ?? formatAddress(address),
    state: findState(asText(components.state) ?? '')?.code,
    zip,
    countyFips: countyByFips(asText(county.GEOID) ?? '')?.fips,
    unmatched: address.zip !== undefined && zip !== undefined && zip !== address.zip ? ['zip'] : [],
  };
}

function detailOf(components: Readonly<Record<string, unknown>>, side: string | undefined): Pick<Geocode, 'detail'> {
  const [from, to] = [asText(components['fromAddress']), asText(components['toAddress'])];
  if (from === undefined || to === undefined) return {};
  const onSide = side === 'L' ? ' on the left side' : side === 'R' ? ' on the right side' : '';
  return { detail: `on the range ${from} to ${to}${onSide} of its street` };
}
