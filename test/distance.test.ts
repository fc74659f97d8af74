import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from './support/leeward-process.ts';

describe('distance to the coast', () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await startDemo();
  });
  afterAll(() => demo.stop());

  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${demo.keys.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.keys.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, never> & Answer };
  };

  it('answers a point in every unit, with the direction and how sure it is', async () => {
    const { status, body } = await post('/v1/distance-to-coast', { lat: 25.7826, lng: -80.1341 });
    expect(status).toBe(200);
    const { raw, formatted } = body.distance;
    expect(raw.kilometers).toBeCloseTo(raw.meters / 1000, 9);
    expect(raw.feet).toBeCloseTo(raw.meters / 0.3048, 6);
    expect(raw.miles).toBeCloseTo(raw.meters / 1609.344, 9);
    expect(formatted.kilometers).toBe(raw.kilometers.toFixed(3));
    expect(formatted.meters).toBe(raw.meters.toFixed(0));
    expect(formatted.feet).toMatch(/^\d{1,3}(,\d{3})*\.\d{2}$/);
    expect(formatted.miles).toMatch(/^\d+\.\d{2}$/);
    expect(body.direction_to_coast).toBe(`The coast is ${formatted.meters} meters to the ${body.compass_point}.`);
    expect(body.bearing_degrees).toMatch(/^\d{1,3}\.\d°$/);
    expect(body.location).toEqual({ source: 'coordinates', precision: 'exact', error_radius_meters: 0 });
    expect(body.range_meters.min).toBeLessThan(raw.meters);
    expect(body.range_meters.max).toBeCloseTo(raw.meters + body.dataset.accuracy_meters, 6);
    expect(body.on_land).toBe(true);
    const ocean = await post('/v1/distance-to-coast', { lat: 27.9506, lng: -82.4572, coast: 'ocean' });
    const tidal = await post('/v1/distance-to-coast', { lat: 27.9506, lng: -82.4572 });
    expect(ocean.body.distance.raw.meters).toBeGreaterThan(10 * tidal.body.distance.raw.meters);
  });

  it('labels an address that is known by its ZIP alone', async () => {
    const { body } = await post('/v1/distance-to-coast', { address: '1600 Ocean Dr, Miami Beach FL 33139' });
    expect(body.location).toMatchObject({ source: 'zip_gazetteer', precision: 'zip_centroid' });
    expect(body.location.error_radius_meters).toBeGreaterThan(500);
    expect(body.warnings.map(({ code }) => code)).toContain('coarse_location');
    const parts = await post('/v1/distance-to-coast', { address: { zipcode: '33139' } });
    expect(parts.body.location.precision).toBe('zip_centroid');
  });

  it.each([
    [{}, 'required'],
    [{ address: 'Miami FL', lat: 1, lng: 2 }, 'address_and_point'],
    [{ lat: 25.7 }, 'required_with'],
    [{ lat: -80.13, lng: 25.78 }, 'swapped'],
    [{ lat: 25.78, lng: 80.13 }, 'sign_lost'],
    [{ lat: 91, lng: 0 }, 'off_globe'],
    [{ lat: -60, lng: 100 }, 'outside_coverage'],
    [{ address: '' }, 'empty'],
    [{ address: 'PO Box 12, Miami FL 33101' }, 'po_box'],
    [{ address: '10 Downing Street, London, United Kingdom' }, 'foreign'],
    [{ address: 'Springfield' }, 'incomplete'],
    [{ address: '1 Main St, Nowhereville TX' }, 'address_not_found'],
    [{ address: 'x'.repeat(10_000) }, 'too_long'],
    [{ adress: '33139' }, 'unknown_field'],
    [{ lat: 'north', lng: 2 }, 'invalid_type'],
  ])('refuses %j with its own clear answer', async (body, code) => {
    const answer = await post('/v1/distance-to-coast', body);
    expect(answer.status).toBe(422);
    expect((answer.body as unknown as { errors: { code: string }[] }).errors.map((fault) => fault.code)).toContain(
      code,
    );
  });

  it('answers a batch in order, a problem in the place of what fails', async () => {
    const items = [{ lat: 25.7826, lng: -80.1341 }, { address: '' }, { address: '33139' }, 7];
    const { body } = await post('/v1/distance-to-coast/batch', { items });
    const { results } = body as unknown as { results: (Answer & { problem?: { status: number; code: string } })[] };
    expect(results.map((result) => result.problem?.code ?? result.location.precision)).toEqual([
      'exact',
      'invalid_request',
      'zip_centroid',
      'invalid_request',
    ]);
    expect((await post('/v1/distance-to-coast/batch', { items: new Array(1001).fill({}) })).status).toBe(422);
  });

  it('is a fact with its range: what hangs on it is asked for, and nobody is declined on a ZIP', async () => {
    const home = { state: 'sc', county: 'charleston', policy_type: 'ho3' };
    const near = async (where: object) => {
      const { body } = await post('/v1/underwrite/home', { ...home, ...where });
      return body as unknown as {
        carriers: { carrier_key: string; status: string; missing_fields: string[] }[];
        declined: { carrier_key: string; reasons: { code: string; fields: string[] }[] }[];
        distances?: { facts: { fact: string; range_meters: { min: number; max: number } }[] };
      };
    };
    const declinedForDistance = (answer: Awaited<ReturnType<typeof near>>) =>
      answer.declined.filter(({ reasons }) => reasons.some(({ code }) => code === 'distance_to_coast'));
    const byZip = await near({ address: '29401' });
    const byPoint = await near({ lat: 32.7765, lng: -79.9311 });
    const inland = await near({ distance_to_coast_miles: 60, distance_to_ocean_miles: 60 });
    expect(byZip.distances?.facts.map(({ fact }) => fact)).toEqual([
      'distance_to_tidal_water_meters',
      'distance_to_ocean_meters',
    ]);
    const width = ({ distances }: Awaited<ReturnType<typeof near>>) =>
      distances!.facts[0]!.range_meters.max - distances!.facts[0]!.range_meters.min;
    expect(width(byZip)).toBeGreaterThan(width(byPoint));
    // Whoever is declined for the distance by the coarser place is so by the finer one.
    const finer = new Set(declinedForDistance(byPoint).map(({ carrier_key }) => carrier_key));
    for (const { carrier_key } of declinedForDistance(byZip)) expect(finer).toContain(carrier_key);
    expect(declinedForDistance(inland)).toEqual([]);
  });
});

interface Answer {
  distance: { raw: Record<'kilometers' | 'meters' | 'feet' | 'miles', number>; formatted: Record<string, string> };
  direction_to_coast: string;
  bearing_degrees: string;
  compass_point: string;
  location: { source: string; precision: string; error_radius_meters: number };
  dataset: { accuracy_meters: number };
  range_meters: { min: number; max: number };
  on_land: boolean;
  warnings: { code: string }[];
}
