import { describe, expect, it } from 'vitest';
import { httpGeocoderCases, respondJson, startAnswerServer } from '../testing/index.ts';
import { createPeliasGeocoder } from './pelias-geocoder.ts';

const address = { line1: '1600 Ocean Dr', city: 'Miami Beach', state: 'fl', zip: '33139' };
const properties = {
  id: 'us/fl/miami_dade:abc123',
  gid: 'openaddresses:address:us/fl/miami_dade:abc123',
  layer: 'address',
  source: 'openaddresses',
  name: '1600 Ocean Drive',
  housenumber: '1600',
  street: 'Ocean Drive',
  postalcode: '33139',
  confidence: 1,
  match_type: 'exact',
  accuracy: 'point',
  country: 'United States',
  country_a: 'USA',
  region: 'Florida',
  region_a: 'FL',
  county: 'Miami-Dade County',
  locality: 'Miami Beach',
  label: '1600 Ocean Drive, Miami Beach, FL, USA',
};
const house = { type: 'Feature', geometry: { type: 'Point', coordinates: [-80.1299, 25.7891] }, properties };
const answerWith = (...features: unknown[]) => ({
  geocoding: { version: '0.2', attribution: 'https://example.org/attribution', query: { size: 5 } },
  type: 'FeatureCollection',
  features,
});
const apiKey = 'ge-0123456789abcdef';
const create = (baseUrl: string) => createPeliasGeocoder({ baseUrl, apiKey, attribution: 'Addresses: example.org' });

async function ask(body: unknown) {
  const server = await startAnswerServer(respondJson(body));
  try {
    return { answer: await create(server.baseUrl).geocode(address), server };
  } finally {
    await server.close();
  }
}

describe('the Pelias geocoder', () => {
  const cases = httpGeocoderCases({
    create,
    secret: apiKey,
    match: {
      address,
      body: answerWith(house),
      expected: {
        latitude: 25.7891,
        longitude: -80.1299,
        precision: 'rooftop',
        errorRadiusMeters: 30,
        geocoder: 'pelias',
        matchedAddress: '1600 Ocean Drive, Miami Beach, FL, USA',
        state: 'fl',
        zip: '33139',
        countyFips: '12086',
        unmatched: [],
        attribution: 'Addresses: example.org',
      },
    },
    notFound: answerWith(),
    ambiguous: answerWith(house, { ...house, geometry: { type: 'Point', coordinates: [-80.2, 25.7891] } }),
  });
  it.each(cases.map((one) => [one.name, one] as const))('%s', (_, one) => one.run());

  it('sends the documented query with the configured key', async () => {
    const { server } = await ask(answerWith());
    expect(server.requests).toEqual([
      'GET /v1/search?text=1600+Ocean+Dr%2C+Miami+Beach%2C+FL+33139' +
        `&boundary.country=USA%2CPRI%2CGUM%2CVIR%2CASM%2CMNP&size=5&api_key=${apiKey}`,
    ]);
  });

  it.each([
    ['a reckoned house', { accuracy: 'interpolated', match_type: 'interpolated' }, undefined, 'interpolated', 100, []],
    [
      'a street',
      { layer: 'street', housenumber: undefined, accuracy: 'centroid', match_type: 'fallback' },
      undefined,
      'street',
      500,
      ['line1'],
    ],
    [
      'a ZIP code',
      { layer: 'postalcode', housenumber: undefined, accuracy: 'centroid', match_type: 'fallback' },
      undefined,
      'zip_centroid',
      5_000,
      ['line1'],
    ],
    [
      'a city, with half its extent',
      { layer: 'locality', housenumber: undefined, postalcode: undefined },
      [-80.25, 25.7, -80.05, 25.9],
      'city_centroid',
      14_949,
      ['line1'],
    ],
  ])('labels %s', async (_, other, bbox, precision, errorRadiusMeters, unmatched) => {
    const { answer } = await ask(answerWith({ ...house, properties: { ...properties, ...other }, bbox }));
    if (answer.status !== 'found') throw new Error(answer.status);
    expect(answer.geocode).toMatchObject({ precision, unmatched });
    expect(Math.abs(answer.geocode.errorRadiusMeters - errorRadiusMeters)).toBeLessThan(20);
  });

  it.each([
    ['another house', { housenumber: '1601' }],
    ['a venue', { layer: 'venue' }],
    ['a region', { layer: 'region' }],
  ])('rejects %s', async (_, other) => {
    expect((await ask(answerWith({ ...house, properties: { ...properties, ...other } }))).answer.status).toBe(
      'not_found',
    );
  });
});
