import { describe, expect, it } from 'vitest';
import { httpGeocoderCases, respondJson, startAnswerServer } from '../testing/index.ts';
import { createPhotonGeocoder } from './photon-geocoder.ts';

const address = { line1: '1600 Ocean Dr #4', city: 'Miami Beach', state: 'fl', zip: '33139' };
const properties = {
  osm_type: 'W',
  osm_id: 123456789,
  osm_key: 'building',
  osm_value: 'yes',
  type: 'house',
  housenumber: '1600',
  street: 'Ocean Drive',
  postcode: '33139-1234',
  city: 'Miami Beach',
  county: 'Miami-Dade County',
  state: 'Florida',
  country: 'United States',
  countrycode: 'US',
};
const house = { type: 'Feature', geometry: { type: 'Point', coordinates: [-80.1299, 25.7891] }, properties };
const street = {
  ...house,
  properties: {
    ...properties,
    type: 'street',
    housenumber: undefined,
    street: undefined,
    name: 'Ocean Drive',
    extent: [-80.134, 25.79, -80.129, 25.769],
  },
};
const collection = (...features: unknown[]) => ({ type: 'FeatureCollection', features });

async function ask(body: unknown) {
  const server = await startAnswerServer(respondJson(body));
  try {
    return { answer: await createPhotonGeocoder({ baseUrl: `${server.baseUrl}/photon/` }).geocode(address), server };
  } finally {
    await server.close();
  }
}

describe('the Photon geocoder', () => {
  const cases = httpGeocoderCases({
    create: (baseUrl) => createPhotonGeocoder({ baseUrl }),
    match: {
      address,
      body: collection(house),
      expected: {
        latitude: 25.7891,
        longitude: -80.1299,
        precision: 'rooftop',
        errorRadiusMeters: 30,
        geocoder: 'photon',
        matchedAddress: '1600 Ocean Drive, Miami Beach, FL 33139',
        state: 'fl',
        zip: '33139',
        countyFips: '12086',
        unmatched: [],
        attribution: 'Data © OpenStreetMap contributors, ODbL 1.0. https://www.openstreetmap.org/copyright',
      },
    },
    notFound: collection(),
    ambiguous: collection(house, { ...house, geometry: { type: 'Point', coordinates: [-80.2, 25.7891] } }),
  });
  it.each(cases.map((one) => [one.name, one] as const))('%s', (_, one) => one.run());

  it('sends one line, below the configured path', async () => {
    const { server } = await ask(collection());
    expect(server.requests).toEqual(['GET /photon/api?q=1600+Ocean+Dr%2C+Miami+Beach%2C+FL+33139&limit=5&lang=en']);
  });

  it('labels a street with half its extent', async () => {
    const { answer } = await ask(collection(street));
    if (answer.status !== 'found') throw new Error(answer.status);
    expect(answer.geocode).toMatchObject({ precision: 'street', unmatched: ['line1'] });
    expect(Math.abs(answer.geocode.errorRadiusMeters - 1_195)).toBeLessThan(20);
  });

  it.each([
    ['another house', { ...properties, housenumber: '1601' }],
    ['a house without a number', { ...properties, housenumber: undefined }],
    ['a state', { ...properties, type: 'state' }],
    ['another country', { ...properties, countrycode: 'MX', state: undefined }],
  ])('rejects %s', async (_, other) => {
    expect((await ask(collection({ ...house, properties: other }))).answer.status).toBe('not_found');
  });
});
