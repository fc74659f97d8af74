import { describe, expect, it } from 'vitest';
import { httpGeocoderCases, respondJson, startAnswerServer } from '../testing/index.ts';
import { createCensusGeocoder } from './census-geocoder.ts';

// From the Geocoding Services API documentation, not recorded.
const address = { line1: '4600 Silver Hill Rd, Suite 100', city: 'Washington', state: 'dc', zip: '20233' };
const input = {
  address: { address: '4600 Silver Hill Rd, Washington, DC 20233' },
  vintage: {
    isDefault: true,
    id: '4',
    vintageName: 'Current_Current',
    vintageDescription: 'Current Vintage - Current Benchmark',
  },
  benchmark: {
    isDefault: true,
    id: '4',
    benchmarkName: 'Public_AR_Current',
    benchmarkDescription: 'Public Address Ranges - Current Benchmark',
  },
};
const match = {
  tigerLine: { side: 'L', tigerLineId: '76355984' },
  geographies: {
    States: [{ GEOID: '24', NAME: 'Maryland', STATE: '24', STUSAB: 'MD' }],
    Counties: [
      { GEOID: '24033', NAME: "Prince George's County", BASENAME: "Prince George's", STATE: '24', COUNTY: '033' },
    ],
    'Census Tracts': [
      { GEOID: '24033802405', NAME: 'Census Tract 8024.05', STATE: '24', COUNTY: '033', TRACT: '802405' },
    ],
  },
  coordinates: { x: -76.92748724230096, y: 38.84601622386617 },
  addressComponents: {
    zip: '20233',
    streetName: 'SILVER HILL',
    preType: '',
    city: 'WASHINGTON',
    preDirection: '',
    suffixDirection: '',
    fromAddress: '4600',
    state: 'DC',
    suffixType: 'RD',
    toAddress: '4700',
    suffixQualifier: '',
    preQualifier: '',
  },
  matchedAddress: '4600 SILVER HILL RD, WASHINGTON, DC, 20233',
};
const twin = {
  ...match,
  coordinates: { x: -77.03, y: 38.9 },
  matchedAddress: '4600 SILVER HILL RD NW, WASHINGTON, DC, 20233',
};

describe('the Census geocoder', () => {
  it('sends no box on a mail route', async () => {
    const geocoder = createCensusGeocoder({ baseUrl: 'http://127.0.0.1:9' });
    const answer = await geocoder.geocode({ ...address, line1: 'RR 2 Box 38' });
    expect(answer).toMatchObject({ status: 'not_found', message: 'The Census geocoder needs a street.' });
  });

  const cases = httpGeocoderCases({
    create: (baseUrl) => createCensusGeocoder({ baseUrl }),
    match: {
      address,
      body: { result: { input, addressMatches: [match] } },
      expected: {
        latitude: 38.84601622386617,
        longitude: -76.92748724230096,
        precision: 'interpolated',
        method: 'address_range',
        detail: 'on the range 4600 to 4700 on the left side of its street',
        errorRadiusMeters: 250,
        geocoder: 'us_census',
        matchedAddress: '4600 SILVER HILL RD, WASHINGTON, DC, 20233',
        state: 'dc',
        zip: '20233',
        countyFips: '24033',
        unmatched: [],
      },
    },
    notFound: { result: { input, addressMatches: [] } },
    ambiguous: { result: { input, addressMatches: [match, twin] } },
  });
  it.each(cases.map((one) => [one.name, one] as const))('%s', (_, one) => one.run());

  it('sends the documented query without the unit', async () => {
    const server = await startAnswerServer(respondJson({ result: { addressMatches: [] } }));
    await createCensusGeocoder({ baseUrl: `${server.baseUrl}/` }).geocode(address);
    await server.close();
    expect(server.requests).toEqual([
      'GET /geocoder/geographies/onelineaddress?address=4600+Silver+Hill+Rd%2C+Washington%2C+DC+20233' +
        '&benchmark=Public_AR_Current&vintage=Current_Current&format=json',
    ]);
  });

  it('sends no request for an address without a street', async () => {
    const server = await startAnswerServer(respondJson({ result: { addressMatches: [match] } }));
    const answer = await createCensusGeocoder({ baseUrl: server.baseUrl }).geocode({ ...address, line1: undefined });
    await server.close();
    expect([answer.status, server.requests]).toEqual(['not_found', []]);
  });

  it('rejects a place in another state', async () => {
    const kansas = {
      ...match,
      addressComponents: { ...match.addressComponents, state: 'KS' },
      matchedAddress: '4600 SILVER HILL RD, TOPEKA, KS',
    };
    const server = await startAnswerServer(respondJson({ result: { addressMatches: [kansas] } }));
    const answer = await createCensusGeocoder({ baseUrl: server.baseUrl }).geocode(address);
    await server.close();
    expect(answer).toMatchObject({ status: 'not_found', message: expect.stringContaining('TOPEKA') });
  });
});
