import { type Address, formatAddress } from '../address/address.ts';
import { readStreetLine, streetLineWithoutUnit } from '../address/street-line.ts';
import { findCounties, findState } from '../counties/index.ts';
import type { Geocode, Geocoder } from '../geocoder/geocoder.ts';
import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';
import type { Precision } from '../geocoder/precision.ts';
import { assumedRadiusMeters } from './assumed-radius.ts';
import { boundingRadius, readBox } from './bounding-radius.ts';
import { chooseCandidate } from './choose-candidate.ts';
import { fetchJson, type ServerOptions } from './fetch-json.ts';
import { asList, asNumber, asRecord, asText } from './json-value.ts';
import { isSameNumber, unmatchedParts } from './matched-parts.ts';
import { openStreetMapAttribution } from './openstreetmap-attribution.ts';

/** A Nominatim server and the application's name. */
export interface NominatimGeocoderOptions extends Omit<ServerOptions, 'baseUrl'> {
  /** @default 'https://nominatim.openstreetmap.org' */
  readonly baseUrl?: string | undefined;
  /** Names the application and its operator's contact; the public server blocks others. */
  readonly userAgent: string;
}

const name = 'nominatim';

/**
 * Creates a geocoder for a Nominatim server, by default the public one, whose policy allows one request a second. Documentation:
 * https://nominatim.org/release-docs/latest/api/Search/
 * @example
 * createNominatimGeocoder({ userAgent: 'quotes.example.com (ops@example.com)' });
 */
export function createNominatimGeocoder(options: NominatimGeocoderOptions): Geocoder {
  if (options.userAgent.trim().length < 5) {
    throw new TypeError(
      `Nominatim needs a User-Agent that names the application; received ${JSON.stringify(options.userAgent)}.`,
    );
  }
  const baseUrl = options.baseUrl ?? 'https://nominatim.openstreetmap.org';
  return {
    name,
    async geocode(address, { signal } = {}) {
      const parameters = {
        street: streetLineWithoutUnit(address.line1),
        city: address.city,
        state: address.state === undefined ? undefined : findState(address.state)?.name,
        postalcode: address.zip,
        countrycodes: 'us,pr,gu,vi,as,mp',
        format: 'jsonv2',
        addressdetails: '1',
        limit: '5',
      };
      const places = asList(await fetchJson(name, '/search', parameters, { ...options, baseUrl }, signal));
      if (places === undefined) {
        throw new GeocoderUnavailableError(name, 'malformed_answer', 'the answer is not a list of places.');
      }
      return chooseCandidate(
        address,
        places.flatMap((place) => readPlace(asRecord(place), address)),
      );
    },
  };
}

function readPlace(place: Readonly<Record<string, unknown>>, address: Address): readonly Geocode[] {
  const [latitude, longitude] = [asNumber(place.lat), asNumber(place.lon)];
  if (latitude === undefined || longitude === undefined) {
    throw new GeocoderUnavailableError(name, 'malformed_answer', 'a place has no coordinates.');
  }
  const parts = asRecord(place.address);
  const precision = precisionOf(place, asText(parts.house_number), address);
  if (precision === undefined) return [];
  const iso = asText(parts['ISO3166-2-lvl4'])?.replace(/^US-/, '') ?? '';
  const state = (findState(iso) ?? findState(asText(parts.state) ?? ''))?.code;
  const counties = state === undefined ? [] : findCounties(state, asText(parts.county) ?? '');
  const zip = asText(parts.postcode)?.slice(0, 5);
  const box = readBox(place.boundingbox, ['south', 'north', 'west', 'east']);
  const isHouse = precision === 'rooftop' || precision === 'interpolated';
  return [
    {
      latitude,
      longitude,
      precision,
      errorRadiusMeters: boundingRadius(isHouse ? undefined : box, assumedRadiusMeters[precision]),
      geocoder: name,
      matchedAddress: asText(place.display_name) ?? formatAddress(address),
      state,
      zip,
      countyFips: counties.length === 1 ? counties[0]?.fips : undefined,
      unmatched: unmatchedParts(address, precision, zip),
      attribution: asText(place.licence) ?? openStreetMapAttribution,
    },
  ];
}

/** Undefined for another house number and for places that are not addresses. */
function precisionOf(
  place: Readonly<Record<string, unknown>>,
  houseNumber: string | undefined,
  address: Address,
): Exclude<Precision, 'exact' | 'parcel'> | undefined {
  const rank = asNumber(place.place_rank) ?? 30;
  const kind = asText(place.addresstype) ?? asText(place.type);
  if (houseNumber !== undefined && rank >= 28) {
    if (!isSameNumber(houseNumber, readStreetLine(address.line1 ?? '').number)) return undefined;
    // An interpolated house has the identity of its way.
    const isInterpolated = asText(place.category) === 'place' && place.osm_type === 'way' && place.type === 'house';
    return isInterpolated ? 'interpolated' : 'rooftop';
  }
  if (kind === 'road' || rank === 26 || rank === 27) return 'street';
  if (kind === 'postcode') return 'zip_centroid';
  return rank >= 13 && rank <= 25 ? 'city_centroid' : undefined;
}
