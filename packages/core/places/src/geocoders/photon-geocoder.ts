import { type Address, formatAddress } from '../address/address.ts';
import { readStreetLine, streetLineWithoutUnit } from '../address/street-line.ts';
import { findCounties, findState } from '../counties/index.ts';
import type { Geocode, Geocoder } from '../geocoder/geocoder.ts';
import { assumedRadiusMeters } from './assumed-radius.ts';
import { boundingRadius, readBox } from './bounding-radius.ts';
import { chooseCandidate } from './choose-candidate.ts';
import { fetchJson, type ServerOptions } from './fetch-json.ts';
import { type Feature, readFeatures } from './geojson-features.ts';
import { asText } from './json-value.ts';
import { isSameNumber, unmatchedParts } from './matched-parts.ts';
import { openStreetMapAttribution } from './openstreetmap-attribution.ts';

/** A Photon server. */
export type PhotonGeocoderOptions = ServerOptions;

const name = 'photon';
const countries = new Set(['US', 'PR', 'GU', 'VI', 'AS', 'MP']);

/**
 * Creates a geocoder for a Photon server, which searches OpenStreetMap (https://github.com/komoot/photon).
 * @example
 * createPhotonGeocoder({ baseUrl: 'https://photon.example.com' });
 */
export function createPhotonGeocoder(options: PhotonGeocoderOptions): Geocoder {
  return {
    name,
    async geocode(address, { signal } = {}) {
      const line1 = streetLineWithoutUnit(address.line1);
      const parameters = { q: formatAddress({ ...address, line1 }), limit: '5', lang: 'en' };
      const features = readFeatures(name, await fetchJson(name, '/api', parameters, options, signal));
      return chooseCandidate(
        address,
        features.flatMap((feature) => readFeature(feature, address)),
      );
    },
  };
}

function readFeature({ latitude, longitude, properties }: Feature, address: Address): readonly Geocode[] {
  const precision = precisionOf(asText(properties.type), asText(properties.housenumber), address);
  if (precision === undefined || !countries.has(asText(properties.countrycode)?.toUpperCase() ?? 'US')) return [];
  const text = (key: string) => asText(properties[key]);
  const state = (findState(text('state') ?? '') ?? findState(text('countrycode')?.replace('US', '') ?? ''))?.code;
  const counties = state === undefined ? [] : findCounties(state, text('county') ?? '');
  const zip = text('postcode')?.slice(0, 5);
  const street = [text('housenumber'), text('street') ?? text('name')].filter((part) => part !== undefined).join(' ');
  const box = readBox(properties.extent, ['west', 'north', 'east', 'south']);
  return [
    {
      latitude,
      longitude,
      precision,
      errorRadiusMeters: boundingRadius(precision === 'rooftop' ? undefined : box, assumedRadiusMeters[precision]),
      geocoder: name,
      matchedAddress: formatAddress({ line1: street, city: text('city'), state, zip }),
      state,
      zip,
      countyFips: counties.length === 1 ? counties[0]?.fips : undefined,
      unmatched: unmatchedParts(address, precision, zip),
      attribution: openStreetMapAttribution,
    },
  ];
}

function precisionOf(
  type: string | undefined,
  houseNumber: string | undefined,
  address: Address,
): 'rooftop' | 'street' | 'city_centroid' | undefined {
  if (type === 'house') {
    return isSameNumber(houseNumber, readStreetLine(address.line1 ?? '').number) ? 'rooftop' : undefined;
  }
  if (type === 'street') return 'street';
  return type === 'city' || type === 'district' || type === 'locality' ? 'city_centroid' : undefined;
}
