import { buildCoastIndex, createCoast, type Shoreline } from '@leeward/coast';
import { createCatalog, parseRequest } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { Problem } from '../problem/problem.ts';
import { lookUpDistances } from '../underwriting/read-home.ts';
import { answerDistance } from './answer-distance.ts';
import type { DistancePorts } from './distance-ports.ts';

/** A meridian off the coast of Georgia, exactly drawn; a degree of longitude there is 94.8 km. */
const shoreline: Shoreline = {
  name: 'county',
  version: '2026',
  attribution: 'a county',
  positions: Float64Array.of(-81, 31, -81, 32),
  lineStarts: Uint32Array.of(0, 2),
  layerNames: ['tidal', 'ocean'],
  layers: new Uint16Array(2).fill(3),
  shoreNames: ['Atlantic'],
  shores: new Uint8Array(2),
  water: 'unknown',
  accuracy: { radiusMeters: [1, 1], method: '' },
  coverage: [],
};
const ports: DistancePorts = { coast: createCoast(buildCoastIndex(shoreline)) };

const footprint = (west: number, east: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, 31.5],
      [east, 31.5],
      [east, 31.5005],
      [west, 31.5005],
      [west, 31.5],
    ],
  ],
});

describe('the distance of a footprint', () => {
  it('is that of its nearest point; its range holds the farthest', async () => {
    const answer = await answerDistance({ footprint: footprint(-81.01, -81.005) }, ports);
    const [near, far] = await Promise.all([-81.005, -81.01].map((lng) => answerDistance({ lat: 31.5, lng }, ports)));
    expect(answer.distance.raw.meters).toBeCloseTo(near!.distance.raw.meters, 0);
    expect(answer.address.lng).toBeCloseTo(-81.005, 5);
    expect(answer.footprint?.farthest.meters).toBeCloseTo(far!.distance.raw.meters, 0);
    expect(answer.range_meters.min).toBeLessThanOrEqual(near!.range_meters.min);
    expect(answer.range_meters.max).toBeGreaterThanOrEqual(far!.range_meters.max);
    expect(answer.location).toMatchObject({ precision: 'exact', method: 'coordinates', error_radius_meters: 0 });
  });

  it('is that of all within a radius of a point', async () => {
    const answer = await answerDistance({ lat: 31.5, lng: -81.01, radius_meters: 100 }, ports);
    const middle = await answerDistance({ lat: 31.5, lng: -81.01 }, ports);
    expect(answer.distance.raw.meters).toBeLessThan(middle.distance.raw.meters - 98);
    expect(answer.footprint?.farthest.meters).toBeGreaterThan(middle.distance.raw.meters + 98);
  });

  it.each<[object, string, string]>([
    [{ footprint: footprint(-81.01, -81.005), lat: 31.5, lng: -81 }, '/footprint', 'footprint_and_point'],
    [{ footprint: footprint(-81.01, -81.005), address: '31401' }, '/footprint', 'footprint_and_point'],
    [{ radius_meters: 10 }, '/radius_meters', 'required_with'],
    [{ footprint: { type: 'Polygon', coordinates: [] } }, '/footprint', 'invalid_footprint'],
    [
      {
        footprint: {
          type: 'Polygon',
          coordinates: [
            [
              [-81, 31.5],
              [-81, 31.6],
            ],
          ],
        },
      },
      '/footprint',
      'invalid_footprint',
    ],
    [
      {
        footprint: {
          type: 'Polygon',
          coordinates: [
            [
              [31.5, -81],
              [31.6, -81],
              [31.6, -95.1],
            ],
          ],
        },
      },
      '/footprint',
      'invalid_footprint',
    ],
    [{ footprint: footprint(-82, -81) }, '/footprint', 'invalid_footprint'],
    [{ lat: 31.5, lng: -81, radius_meters: -1 }, '/radius_meters', 'out_of_range'],
  ])('refuses %j', async (request, path, code) => {
    const thrown = await answerDistance(request, ports).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(Problem);
    expect((thrown as Problem).options.errors).toMatchObject([{ path, code }]);
  });
});

describe('a rule that reads a distance', () => {
  const catalog = createCatalog([
    {
      file: {
        format: 1,
        carrier: { key: 'shore', name: 'Shore' },
        line: 'home',
        version: '1',
        effective: { from: '2020-01-01', until: null },
        rules: [
          {
            id: 'near',
            outcome: 'decline',
            code: 'distance_to_coast',
            when: { all: [{ fact: 'distance_to_tidal_water_feet', operator: 'lessThan', value: 1000 }] },
            message: 'No.',
          },
        ],
        programs: [{ id: 'ga', policy_types: ['ho3'], states: ['ga'], rules: [] }],
      },
    },
  ]);
  const statusOf = async (where: object) => {
    const parsed = parseRequest({ state: 'ga', policy_type: 'ho3', ...where }, { now: new Date('2026-11-20') });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
    const { request } = await lookUpDistances(parsed.request, ports);
    const { verdicts } = await catalog.decide(request.property);
    return { status: verdicts[0]?.status, home: parsed.request.home };
  };

  it('is decided for the whole building: within 1,000 feet, beyond, or across', async () => {
    // 1,000 feet are 304.8 m, 0.003216 degrees.
    expect((await statusOf({ footprint: footprint(-81.003, -81.002) })).status).toBe('ineligible');
    expect((await statusOf({ footprint: footprint(-81.005, -81.004) })).status).toBe('eligible');
    expect((await statusOf({ footprint: footprint(-81.005, -81.003) })).status).toBe('needs_information');
    // Its middle alone is beyond.
    expect((await statusOf({ lat: 31.5, lng: -81.0035 })).status).toBe('eligible');
    expect((await statusOf({ lat: 31.5, lng: -81.0035, radius_meters: 40 })).status).toBe('needs_information');
  });

  it('is returned with the home, so that the request can be repeated', async () => {
    const { home } = await statusOf({ lat: 31.5, lng: -81.0035, radius_meters: 40 });
    expect(home).toMatchObject({ lat: 31.5, lng: -81.0035, radius_meters: 40 });
    const given = footprint(-81.005, -81.003);
    expect((await statusOf({ footprint: given })).home).toMatchObject({ footprint: given });
  });

  it.each<[object, string]>([
    [{ footprint: footprint(-81.01, -81.005), address: '31401' }, '/footprint'],
    [{ radius_meters: 10 }, '/radius_meters'],
    [{ footprint: { type: 'Point', coordinates: [-81, 31] } }, '/footprint'],
    [{ footprint: { type: 'Polygon', coordinates: [[1]] } }, '/footprint'],
  ])('is rejected for an invalid place: %j', (where, path) => {
    const parsed = parseRequest({ state: 'ga', ...where }, { now: new Date('2026-11-20') });
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.faults.map((fault) => fault.path)).toContain(path);
  });
});
