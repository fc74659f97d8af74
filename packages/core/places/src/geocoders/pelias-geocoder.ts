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

/** A Pelias server, its key and the attribution of its data. */
export interface PeliasGeocoderOptions extends ServerOptions {
  /** Hosted servers require it. @default none */
  readonly apiKey?: string | undefined;
  /** Depends on the server's data. @default none */
  readonly attribution?: string | undefined;
}

const name = 'pelias';

/**
 * Creates a geocoder for a Pelias server (https://github.com/pelias/documentation/blob/master/search.md).
 * @example
 * createPeliasGeocoder({ baseUrl: 'https://pelias.example.com' });
 */
export function createPeliasGeocoder(options: PeliasGeocoderOptions): Geocoder {
  return {
    name,
    async geocode(address, { signal } = {}) {
      const line1 = streetLineWithoutUnit(address.line1);
      const parameters = {
        text: formatAddress({ ...address, line1 }),
        'boundary.country': 'USA,PRI,GUM,VIR,ASM,MNP',
        size: '5',
        api_key: options.apiKey,
      };
      const features = readFeatures(name, await fetchJson(name, '/v1/search', parameters, options, signal));
      return chooseCandidate(
        address,
        features.flatMap((feature) => readFeature(feature, address, options.attribution)),
      );
    },
  };
}

function readFeature(feature: Feature, address: Address, attribution: string | undefined): readonly Geocode[] {
  const { latitude, longitude, properties, boundingBox } = feature;
  const text = (key: string) => asText(properties[key]);
  const precision = precisionOf(text('layer'), text('accuracy'), text('housenumber'), address);
  if (precision === undefined) return [];
  const state = (findState(text('region_a') ?? '') ?? findState(text('region') ?? ''))?.code;
  const counties = state === undefined ? [] : findCounties(state, text('county') ?? '');
  const zip = text('postalcode')?.slice(0, 5);
  const box = readBox(boundingBox, ['west', 'south', 'east', 'north']);
  const isHouse = precision === 'rooftop' || precision === 'interpolated';
  return [
    {
      latitude,
      longitude,
      precision,
      errorRadiusMeters: boundingRadius(isHouse ? undefined : box, assumedRadiusMeters[precision]),
      geocoder: name,
      matchedAddress: text('label') ?? formatAddress(address),
      state,
      zip,
      countyFips: counties.length === 1 ? counties[0]?.fips : undefined,
      unmatched: unmatchedParts(address, precision, zip),
      attribution,
    },
  ];
}

function precisionOf(
  layer: string | undefined,
  accuracy: string | undefined,
  houseNumber: string | undefined,
  address: Address,
): keyof typeof assumedRadiusMeters | undefined {
  switch (layer) {
    case 'address':
      if (!isSameNumber(houseNumber, readStreetLine(address.line1 ?? '').number)) return undefined;
      return accuracy === 'point' ? 'rooftop' : 'interpolated';
    case 'street':
      return 'street';
    case 'postalcode':
      return 'zip_centroid';
    case 'locality':
    case 'localadmin':
    case 'borough':
    case 'neighbourhood':
      return 'city_centroid';
    default:
      return undefined;
  }
}
