import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';
import { asList, asNumber, asRecord } from './json-value.ts';

export interface Feature {
  readonly latitude: number;
  readonly longitude: number;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly boundingBox: unknown;
}

export function readFeatures(geocoder: string, answer: unknown): readonly Feature[] {
  const features = asList(asRecord(answer).features);
  if (features === undefined) {
    throw new GeocoderUnavailableError(geocoder, 'malformed_answer', 'the answer has no list of features.');
  }
  return features.map((value) => {
    const feature = asRecord(value);
    const [longitude, latitude] = asList(asRecord(feature.geometry).coordinates)?.map(asNumber) ?? [];
    if (latitude === undefined || longitude === undefined) {
      throw new GeocoderUnavailableError(geocoder, 'malformed_answer', 'a feature has no coordinates.');
    }
    return { latitude, longitude, properties: asRecord(feature.properties), boundingBox: feature.bbox };
  });
}
