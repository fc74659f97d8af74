import type { DistanceResponse, ProblemDocument, WireDecision } from '@leeward/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDistance } from './support/check-distance.ts';
import { type Demo, startDemo } from './support/demo.ts';

/** Invalid places: the body, the path of its fault, the code, and a part of the message. */
const refused: readonly (readonly [body: object, path: string, code: string, message: string])[] = [
  [{}, '', 'required', 'Give an address, lat and lng, or a footprint.'],
  [{ address: null }, '', 'required', 'Give an address'],
  [{ address: 'Miami FL', lat: 1, lng: 2 }, '/address', 'address_and_point', 'not both'],
  [{ lat: 25.7 }, '/lng', 'required_with', 'lng is missing'],
  [{ lat: -80.13, lng: 25.78 }, '/lat', 'swapped', 'Were they swapped?'],
  [{ lat: -122.3, lng: 47.6 }, '/lat', 'off_globe', 'Were they swapped?'],
  [{ lat: 25.78, lng: 80.13 }, '/lat', 'sign_lost', 'Is the minus sign missing?'],
  [{ lat: 91, lng: 0 }, '/lat', 'off_globe', 'latitude must be from -90 to 90'],
  [{ lat: -60, lng: 100 }, '/lat', 'outside_coverage', 'beyond the coverage'],
  [{ lat: 'north', lng: 2 }, '/lat', 'invalid_type', 'decimal degrees'],
  [{ address: '' }, '', 'required', 'Give an address'],
  [{ address: ' \n\t ' }, '', 'required', 'Give an address'],
  [{ address: {} }, '/address', 'empty', 'give line1, city and state, or a zipcode'],
  [{ address: '🏖️😀' }, '/address', 'empty', 'The address is empty'],
  [{ address: '?!.,-' }, '/address', 'unreadable', 'neither letters nor digits'],
  [{ address: 'Main St \ud83d' }, '/address', 'unreadable', 'lone surrogate'],
  [{ address: 'x'.repeat(10_000) }, '/address', 'too_long', 'at most 500 characters; received 10000'],
  [{ address: { line1: 'x'.repeat(10_000), zipcode: '33139' } }, '/address/line1', 'invalid_length', '500'],
  [{ address: 'PO Box 12, Miami FL 33101' }, '/address', 'po_box', 'is a PO box, not a place'],
  [{ address: { line1: 'P.O. Box 12', zipcode: '33101' } }, '/address/line1', 'po_box', 'is a PO box'],
  [{ address: 'PSC 3, Box 12, APO AE 09021' }, '/address', 'military', 'military post office'],
  [{ address: '10 Downing Street, London, United Kingdom' }, '/address', 'foreign', 'outside the United States'],
  [{ address: '1 Yonge St, Toronto, ON M5E 1W7' }, '/address', 'foreign', 'outside the United States'],
  [{ address: '25.78, -80.13' }, '/address', 'coordinates', 'give them as lat and lng'],
  [{ address: 'Springfield' }, '/address', 'incomplete', 'A city of that name is in MO, MA, IL'],
  [{ address: '1600 Ocean Dr, FL' }, '/address', 'incomplete', 'lacks a city, or a ZIP code'],
  [{ address: { line1: '1 Main St', state: 'Floridaa' } }, '/address/state', 'unknown_state', 'is not a state'],
  [{ address: { zipcode: '331' } }, '/address/zipcode', 'malformed_zip', 'give five digits, or ZIP+4'],
  [{ address: '1 Main St, Nowhereville TX' }, '/address', 'address_not_found', 'give the ZIP code'],
  [{ address: '00000' }, '/address', 'address_not_found', '00000 is not a known ZIP code'],
  [{ address: '1 Main St, Miami Beach FL 90210' }, '/address', 'address_not_found', '90210 is in CA, not in FL'],
  [{ address: 'Auburn, CA' }, '/address', 'address_ambiguous', 'Auburn, CA 95602; Auburn, CA'],
  [{ address: 7 }, '/address', 'invalid_type', 'text or an object'],
  [{ adress: '33139' }, '/adress', 'unknown_field', '"adress" is not a field of this request. Did you mean "address"?'],
  [
    { lat: 25.78, lng: -80.13, coast: 'sea' },
    '/coast',
    'unknown_coast',
    'give tidal, ocean_narrow, ocean, ocean_wide, great_lakes or mean_high_water',
  ],
];

/** Places with a river, a canal or a gauge that the drawn shores lack. */
const beyondTheShores = new Set(['Tampa, on its bay']);

describe('distance to the coast', () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await startDemo();
  });
  afterAll(() => demo.stop());

  const post = async <Body = DistanceResponse>(path: string, body: unknown) => {
    const response = await fetch(`${demo.keys.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.keys.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Body };
  };

  it.each([
    ['Miami Beach', 25.7826, -80.1341],
    ['beside the water', 25.7817, -80.1278],
    ['Tampa, on its bay', 27.9506, -82.4572],
    ['a mile off Galveston, in the water', 29.27, -94.78],
    ['Key West', 24.5551, -81.78],
    ['Attu, beyond the antimeridian', 52.86, 173.1],
    ['American Samoa', -14.2781, -170.7025],
    ['Guam', 13.4443, 144.7937],
    ['Kansas, far from any shore', 38.5, -98.3],
    ['Utqiaġvik', 71.2906, -156.7886],
  ])('answers %s exactly as the page of the service documents', async (place, lat, lng) => {
    for (const coast of ['tidal', 'ocean'] as const) {
      const { status, body } = await post('/v1/distance-to-coast', { lat, lng, coast });
      expect(status).toBe(200);
      checkDistance(body);
      expect(body.address).toEqual({ lat, lng });
      expect(body.location).toEqual({
        source: 'coordinates',
        precision: 'exact',
        method: 'coordinates',
        error_radius_meters: 0,
      });
      expect(body.coast_definition).toBe(coast);
      const tidalRivers = coast === 'tidal' && beyondTheShores.has(place) ? ['tidal_river_possible'] : [];
      expect(body.warnings.map(({ code }) => code)).toEqual(tidalRivers);
    }
  });

  it('answers the example of the document as documented', async () => {
    type Documented<Body> = { readonly content: { 'application/json': { examples: Record<string, { value: Body }> } } };
    const document = (await (await fetch(`${demo.keys.url}/openapi.json`)).json()) as {
      paths: Record<string, { post: { requestBody: Documented<object>; responses: { 200: Documented<object> } } }>;
    };
    const { requestBody, responses } = document.paths['/v1/distance-to-coast']!.post;
    const request = requestBody.content['application/json'].examples['limits']!.value;
    const { status, body } = await post('/v1/distance-to-coast', request);
    expect(status).toBe(200);
    expect(body).toEqual(responses[200].content['application/json'].examples['example']!.value);
  });

  it('knows of tidal rivers beyond the drawn shore, and warns of none in the plains', async () => {
    const beaufort = (await post('/v1/distance-to-coast', { lat: 32.4335, lng: -80.672 })).body;
    checkDistance(beaufort);
    expect(beaufort.range_meters.min).toBeLessThanOrEqual(500);
    expect(beaufort.distance.raw.meters).toBeLessThanOrEqual(1_500);
    expect(beaufort.warnings).toMatchObject([{ code: 'tidal_river_possible', path: '/lat' }]);
    const plains = (await post('/v1/distance-to-coast', { lat: 44, lng: -103 })).body;
    expect(plains.warnings).toEqual([]);
    const home = { state: 'sc', county: 'beaufort', policy_type: 'ho3', lat: 32.4335, lng: -80.672 };
    const { distances, warnings } = (await post<WireDecision>('/v1/underwrite/home', home)).body;
    expect(warnings.map(({ code }) => code)).toContain('tidal_river_possible');
    expect(distances!.facts[0]!.range_meters).toEqual(beaufort.range_meters);
  });

  it('answers each of five definitions, and hints at a lake far nearer than the sea', async () => {
    const chicago = { lat: 41.8781, lng: -87.6298 };
    for (const coast of ['tidal', 'ocean', 'ocean_narrow', 'ocean_wide', 'great_lakes', 'Great Lakes']) {
      const { status, body } = await post('/v1/distance-to-coast', { ...chicago, coast });
      expect(status).toBe(200);
      checkDistance(body);
      const isLake = coast.toLowerCase().startsWith('great');
      expect(body.coast_definition).toBe(isLake ? 'great_lakes' : coast);
      expect(body.distance.raw.kilometers < 5).toBe(isLake);
      expect(body.warnings.map(({ code }) => code)).toEqual(isLake ? [] : ['great_lake_nearer']);
    }
  });

  it('tells the side of the wind-borne debris line, and gives the distance to rules', async () => {
    const within = async (lat: number, lng: number) => {
      const { status, body } = await post('/v1/distance-to-coast', { lat, lng, coast: 'Mean High Water' });
      expect(status).toBe(200);
      checkDistance(body);
      expect(body.coast_definition).toBe('mean_high_water');
      return body.wind_borne_debris?.within_one_mile;
    };
    expect(await within(25.7826, -80.1341)).toBe(true); // Miami Beach, by the open Atlantic
    expect(await within(33.749, -84.388)).toBe(false); // Atlanta
    expect(await within(27.9506, -82.4572)).toBeNull(); // Tampa, by a bay
    expect(await within(32.4335, -80.672)).toBeNull(); // Beaufort SC, by a river
    const home = { state: 'fl', county: 'miami-dade', policy_type: 'ho3', lat: 25.7826, lng: -80.1341 };
    const { distances } = (await post<WireDecision>('/v1/underwrite/home', home)).body;
    const fact = distances!.facts.find((each) => each.fact === 'distance_to_mean_high_water_meters');
    expect(fact!.range_meters.max).toBeLessThanOrEqual(1_609.344);
    const given = (await post<WireDecision>('/v1/underwrite/home', { ...home, distance_to_mean_high_water_miles: 0.5 }))
      .body;
    const believed = given.distances!.facts.find((each) => each.fact === 'distance_to_mean_high_water_meters');
    expect(believed!.range_meters).toEqual({ min: 804.672, max: 804.672 });
  });

  it('tells bays from the ocean, and land from water', async () => {
    const ocean = await post('/v1/distance-to-coast', { lat: 27.9506, lng: -82.4572, coast: 'ocean' });
    const tidal = await post('/v1/distance-to-coast', { lat: 27.9506, lng: -82.4572 });
    expect(ocean.body.distance.raw.meters).toBeGreaterThan(10 * tidal.body.distance.raw.meters);
    expect(tidal.body).toMatchObject({ on_land: true, shore: 'Gulf', coast_definition: 'tidal' });
    expect((await post('/v1/distance-to-coast', { lat: 28.5, lng: -95 })).body.on_land).toBe(false);
  });

  it.each<[string, number, number, string?]>([
    ['Havana', 23.13, -82.38],
    ['Nassau', 25.05, -77.35],
    ['Toronto', 43.65, -79.38],
    // Creeks by Point Roberts, on the border.
    ['Vancouver', 49.28, -123.12, 'tidal_river_possible'],
  ])('answers %s from the nearest shore of the United States, with a warning', async (_place, lat, lng, other) => {
    const { status, body } = await post('/v1/distance-to-coast', { lat, lng });
    expect(status).toBe(200);
    checkDistance(body);
    expect(body.warnings.map(({ code, path }) => [code, path])).toEqual(
      ['outside_united_states', ...(other === undefined ? [] : [other])].map((code) => [code, '/lat']),
    );
  });

  it.each([
    '1600 Ocean Dr, Miami Beach FL 33139',
    '1600 Ocean Dr 🏖️, Miami Beach FL 33139 😀',
    '1600 Océan Drïve, Miami Beach, Florida 33139-1234, USA',
    { line1: '1600 Ocean Dr', city: 'Miami Beach', state: 'Florida', zipcode: '33139' },
    '33139',
    { zipcode: '33139' },
  ])('labels %j, which is known by its ZIP alone', async (address) => {
    const { status, body } = await post('/v1/distance-to-coast', { address });
    expect(status).toBe(200);
    checkDistance(body);
    expect(body.location).toEqual({
      source: 'zip_gazetteer',
      precision: 'zip_centroid',
      method: 'zip_point',
      error_radius_meters: 3_000,
      matched_address: 'Miami Beach, FL 33139',
      attribution: expect.stringContaining('GeoNames'),
    });
    const hasStreet = JSON.stringify(address).includes('1600');
    expect(body.warnings.map(({ code }) => code)).toEqual([
      ...(hasStreet ? ['coarse_location'] : []),
      'bearing_uncertain',
    ]);
    expect(body.on_land).toBeNull();
    if (hasStreet) expect(body.warnings[0]!.message).toContain('no geocoder here knows streets: this is Miami Beach');
  });

  it.each([
    ['Mayagüez, PR 00680', 'zip_centroid'],
    ['La Cañada Flintridge, CA', 'city_centroid'],
    ['La Canada Flintridge, CA', 'city_centroid'],
    ['Houston, TX', 'city_centroid'],
  ])('finds %s', async (address, precision) => {
    const { body } = await post('/v1/distance-to-coast', { address });
    checkDistance(body);
    expect(body.location.precision).toBe(precision);
    expect(body.location.error_radius_meters).toBeGreaterThan(1_000);
  });

  it.each(refused.map((each) => [JSON.stringify(each[0]).slice(0, 60), ...each] as const))(
    'refuses %s with a specific answer',
    async (_title, body, path, code, message) => {
      const answer = await post<ProblemDocument>('/v1/distance-to-coast', body);
      expect(answer.status).toBe(422);
      const { errors = [] } = answer.body;
      expect(errors.map((fault) => [fault.path, fault.code])).toContainEqual([path, code]);
      expect(errors.find((fault) => fault.code === code)!.message).toContain(message);
      // A long text is not sent back.
      expect(JSON.stringify(answer.body).length).toBeLessThan(2_000);
    },
  );

  it('answers a batch in order, with a problem for each failed item', async () => {
    const items = [{ lat: 25.7826, lng: -80.1341 }, { address: '' }, { address: '33139' }, 7];
    const { body } = await post<Batch>('/v1/distance-to-coast/batch', { items });
    expect(
      body.results.map((result) => ('problem' in result ? result.problem.code : result.location.precision)),
    ).toEqual(['exact', 'invalid_request', 'zip_centroid', 'invalid_request']);
    expect((await post('/v1/distance-to-coast/batch', { items: new Array(1001).fill({}) })).status).toBe(422);
  });

  it('answers a batch of a thousand as a thousand calls', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) => ({
      lat: 25 + (index % 40) / 2,
      lng: -97 + (index % 53) / 2,
    }));
    const { status, body } = await post<Batch>('/v1/distance-to-coast/batch', { items });
    expect(status).toBe(200);
    expect(body.results).toHaveLength(1_000);
    for (const index of [0, 1, 499, 999]) {
      expect(body.results[index]).toEqual((await post('/v1/distance-to-coast', items[index])).body);
    }
    for (const result of body.results) {
      if ('problem' in result) throw new Error(result.problem.detail);
      checkDistance(result);
    }
  });

  it('is a fact with a range: dependent fields are requested, and a ZIP code alone never declines', async () => {
    const home = { state: 'sc', county: 'charleston', policy_type: 'ho3' };
    const near = async (where: object) => (await post<WireDecision>('/v1/underwrite/home', { ...home, ...where })).body;
    const declinedForDistance = (answer: Awaited<ReturnType<typeof near>>) =>
      answer.declined.filter(({ reasons }) => reasons.some(({ code }) => code === 'distance_to_coast'));
    const byZip = await near({ address: '29401' });
    const byPoint = await near({ lat: 32.7765, lng: -79.9311 });
    const inland = await near({ distance_to_coast_miles: 60, distance_to_ocean_miles: 60 });
    expect(byZip.distances?.facts.map(({ fact }) => fact)).toEqual([
      'distance_to_tidal_water_meters',
      'distance_to_ocean_meters',
      'distance_to_mean_high_water_meters',
    ]);
    const width = ({ distances }: Awaited<ReturnType<typeof near>>) =>
      distances!.facts[0]!.range_meters.max - distances!.facts[0]!.range_meters.min;
    expect(width(byZip)).toBeGreaterThan(width(byPoint));
    // A carrier that declines the coarser place for its distance also declines the finer one.
    const finer = new Set(declinedForDistance(byPoint).map(({ carrier_key }) => carrier_key));
    for (const { carrier_key } of declinedForDistance(byZip)) expect(finer).toContain(carrier_key);
    expect(declinedForDistance(inland)).toEqual([]);
  });
});

interface Batch {
  readonly results: readonly (DistanceResponse | { readonly problem: ProblemDocument })[];
}
