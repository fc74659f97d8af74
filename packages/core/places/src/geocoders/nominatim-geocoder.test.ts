import { describe, expect, it } from 'vitest';
import { httpGeocoderCases, respondJson, startAnswerServer } from '../testing/index.ts';
import { createNominatimGeocoder } from './nominatim-geocoder.ts';

const address = { line1: '1600 Ocean Dr Apt 4', city: 'Miami Beach', state: 'fl', zip: '33139' };
const licence = 'Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright';
const parts = {
  house_number: '1600',
  road: 'Ocean Drive',
  city: 'Miami Beach',
  county: 'Miami-Dade County',
  state: 'Florida',
  'ISO3166-2-lvl4': 'US-FL',
  postcode: '33139',
  country: 'United States',
  country_code: 'us',
};
const house = {
  place_id: 301234567,
  licence,
  osm_type: 'way',
  osm_id: 123456789,
  lat: '25.789100',
  lon: '-80.129900',
  category: 'building',
  type: 'yes',
  place_rank: 30,
  importance: 0.00001,
  addresstype: 'building',
  name: '',
  display_name: '1600, Ocean Drive, Miami Beach, Miami-Dade County, Florida, 33139, United States',
  address: parts,
  boundingbox: ['25.7889000', '25.7893000', '-80.1301000', '-80.1297000'],
};
const road = {
  ...house,
  category: 'highway',
  type: 'residential',
  place_rank: 26,
  addresstype: 'road',
  display_name: 'Ocean Drive, Miami Beach, Miami-Dade County, Florida, 33139, United States',
  address: { ...parts, house_number: undefined },
  boundingbox: ['25.7690000', '25.7900000', '-80.1340000', '-80.1290000'],
};
const create = (baseUrl: string) => createNominatimGeocoder({ baseUrl, userAgent: 'leeward-test (ops@example.org)' });

async function ask(body: unknown, asked = address) {
  const server = await startAnswerServer(respondJson(body));
  try {
    return { answer: await create(server.baseUrl).geocode(asked), server };
  } finally {
    await server.close();
  }
}

describe('the Nominatim geocoder', () => {
  const cases = httpGeocoderCases({
    create,
    match: {
      address,
      body: [house],
      expected: {
        latitude: 25.7891,
        longitude: -80.1299,
        precision: 'rooftop',
        errorRadiusMeters: 30,
        geocoder: 'nominatim',
        state: 'fl',
        zip: '33139',
        countyFips: '12086',
        unmatched: [],
        attribution: licence,
      },
    },
    notFound: [],
    ambiguous: [house, { ...house, lat: '25.900000' }],
  });
  it.each(cases.map((one) => [one.name, one] as const))('%s', (_, one) => one.run());

  it('sends fields without the unit, and the name of the application', async () => {
    const { server } = await ask([]);
    expect(server.requests).toEqual([
      'GET /search?street=1600+Ocean+Dr&city=Miami+Beach&state=Florida&postalcode=33139' +
        '&countrycodes=us%2Cpr%2Cgu%2Cvi%2Cas%2Cmp&format=jsonv2&addressdetails=1&limit=5',
    ]);
    expect(server.headers()['user-agent']).toBe('leeward-test (ops@example.org)');
  });

  it('requires the name of an application', () => {
    expect(() => createNominatimGeocoder({ userAgent: ' ' })).toThrow(TypeError);
  });

  it.each([
    ['a reckoned house', { ...house, category: 'place', type: 'house', addresstype: 'place' }, 'interpolated', 100, []],
    ['a street, with half its extent', road, 'street', 1_195, ['line1']],
    [
      'a ZIP code',
      {
        ...road,
        category: 'place',
        type: 'postcode',
        place_rank: 21,
        addresstype: 'postcode',
        boundingbox: ['25.73', '25.83', '-80.19', '-80.09'],
      },
      'zip_centroid',
      7_489,
      ['line1'],
    ],
    [
      'a city',
      {
        ...road,
        category: 'boundary',
        type: 'administrative',
        place_rank: 16,
        addresstype: 'city',
        boundingbox: undefined,
      },
      'city_centroid',
      10_000,
      ['line1'],
    ],
  ])('labels %s', async (_, place, precision, errorRadiusMeters, unmatched) => {
    const { answer } = await ask([place]);
    if (answer.status !== 'found') throw new Error(answer.status);
    expect(answer.geocode).toMatchObject({ precision, unmatched });
    expect(Math.abs(answer.geocode.errorRadiusMeters - errorRadiusMeters)).toBeLessThan(20);
  });

  it.each([
    ['another house', { ...house, address: { ...parts, house_number: '1602' } }],
    ['a county', { ...road, place_rank: 12, addresstype: 'county', category: 'boundary', type: 'administrative' }],
    [
      'a hotel of that name',
      { ...house, category: 'tourism', type: 'hotel', address: { ...parts, house_number: undefined } },
    ],
    ['a house in another state', { ...house, address: { ...parts, 'ISO3166-2-lvl4': 'US-KS', state: 'Kansas' } }],
  ])('rejects %s', async (_, place) => {
    expect((await ask([place])).answer.status).toBe('not_found');
  });

  it('prefers the finest answer in the requested ZIP code', async () => {
    expect((await ask([road, house])).answer).toMatchObject({ geocode: { precision: 'rooftop' } });
    const other = { ...house, lat: '25.900000', address: { ...parts, postcode: '33141' } };
    expect((await ask([other, house])).answer).toMatchObject({ status: 'found', geocode: { zip: '33139' } });
    expect((await ask([other])).answer).toMatchObject({
      status: 'found',
      geocode: { zip: '33141', unmatched: ['zip'] },
    });
  });
});
