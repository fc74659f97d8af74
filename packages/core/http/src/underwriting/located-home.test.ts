import { buildCoastIndex, createCoast } from '@leeward/coast';
import { createCatalog, defineLine } from '@leeward/engine';
import { createGazetteerGeocoder, loadZipGazetteer } from '@leeward/places/zips';
import { describe, expect, it } from 'vitest';
import { readHome } from './read-home.ts';
import { underwriteHome } from './underwrite-home.ts';

/** A meridian off Georgia that is both shores, known to 500 m. */
const coast = createCoast(
  buildCoastIndex({
    name: 'meridian',
    version: '1',
    attribution: '',
    positions: Float64Array.of(-81, 25, -81, 36),
    lineStarts: Uint32Array.of(0, 2),
    layerNames: ['tidal', 'ocean'],
    layers: new Uint16Array(2).fill(3),
    shoreNames: ['coast'],
    shores: new Uint8Array(2),
    water: 'unknown',
    accuracy: { radiusMeters: [500, 500], method: '' },
    coverage: [],
  }),
);
const gazetteer = await loadZipGazetteer();
const distance = { coast, gazetteer, geocoder: createGazetteerGeocoder(gazetteer) };

const near = (fact: string, value: number) => ({ all: [{ fact, operator: 'lessThan', value }] });
const carrier = (key: string, ...when: object[]) => ({
  file: {
    format: 1,
    carrier: { key, name: key },
    version: '1',
    effective: { from: '2020-01-01' },
    rules: when.map((each, index) => ({
      id: `r${index}`,
      outcome: 'decline',
      code: 'distance_to_coast',
      message: 'No.',
      when: each,
    })),
    programs: [{ id: 'ga', policy_types: ['ho3'], states: ['ga'] }],
  },
});
const entries = [
  carrier('ocean', near('distance_to_ocean_miles', 1)),
  carrier('tidal', near('distance_to_tidal_water_feet', 5280)),
  carrier('tidal_and_ocean', near('distance_to_tidal_water_feet', 5280), near('distance_to_ocean_feet', 5280)),
  carrier('high_water', near('distance_to_mean_high_water_feet', 5280)),
];

/** 1,600 m from the meridian, known to 500 m. */
const point = { lat: 31.5, lng: -81.01688 };

async function missing(
  where: object,
  evaluator: 'compiled' | 'reference' = 'compiled',
  ports: typeof distance | undefined = distance,
) {
  const decider = createCatalog(entries, { evaluator });
  const decision = await underwriteHome(
    { state: 'ga', policy_type: 'ho3', ...where },
    { decider, now: new Date('2026-11-20T12:00:00Z'), traceId: 't', organizationId: null, distance: ports },
  );
  const verdicts = [...decision.carriers, ...decision.declined];
  return {
    decision,
    fields: Object.fromEntries(verdicts.map(({ carrier_key, missing_fields }) => [carrier_key, missing_fields])),
    statuses: Object.fromEntries(verdicts.map(({ carrier_key, status }) => [carrier_key, status])),
  };
}

describe('a home that is located, at a distance that is not known well enough', () => {
  for (const evaluator of ['compiled', 'reference'] as const) {
    it(`needs the distance to each shore in the unit of the rule, not an address (${evaluator})`, async () => {
      const footprint = {
        type: 'Polygon',
        coordinates: [
          [
            [-81.0169, 31.5],
            [-81.0168, 31.5],
            [-81.0168, 31.5001],
            [-81.0169, 31.5],
          ],
        ],
      };
      for (const where of [point, { ...point, radius_meters: 20 }, { footprint }]) {
        const { fields, decision } = await missing(where, evaluator);
        expect(fields).toEqual({
          ocean: ['distance_to_ocean_miles'],
          tidal: ['distance_to_tidal_water_feet'],
          tidal_and_ocean: ['distance_to_tidal_water_feet', 'distance_to_ocean_feet'],
          high_water: ['distance_to_mean_high_water_feet'],
        });
        expect(decision.next_questions[0]).toEqual({ field: 'distance_to_tidal_water_feet', would_settle: 1 });
      }
    });
  }

  it('is decided by the requested distance, in either unit', async () => {
    const feet = {
      distance_to_tidal_water_feet: 5281,
      distance_to_ocean_feet: 5281,
      distance_to_mean_high_water_feet: 5279,
    };
    const { statuses, decision } = await missing({ ...point, ...feet });
    expect(statuses).toEqual({
      ocean: 'eligible',
      tidal: 'eligible',
      tidal_and_ocean: 'eligible',
      high_water: 'ineligible',
    });
    expect(decision.home).toMatchObject(feet);
    expect(decision.distances?.facts.map(({ source }) => source)).toEqual(['given', 'given', 'given']);
    const { warnings } = (await missing({ ...point, distance_to_tidal_water_feet: 52_800 })).decision;
    expect(warnings.at(-1)).toMatchObject({
      code: 'distance_differs',
      path: '/distance_to_tidal_water_feet',
      message: expect.stringContaining('is 52,800, but the place is 3,621 to 6,902 feet from'),
    });
  });

  it('needs a distance if places are not looked up', async () => {
    expect((await missing(point, 'compiled', undefined)).fields['tidal']).toEqual(['distance_to_tidal_water_feet']);
  });

  it('needs an address if that would decide', async () => {
    for (const where of [{}, { address: '31410' }, { address: 'Savannah, GA 31410' }]) {
      const { fields, decision } = await missing(where);
      expect(fields['tidal_and_ocean']).toEqual(['address']);
      // A distance does as well.
      const question = { field: 'address', would_settle: 4 };
      const alternatives = [
        'distance_to_mean_high_water_feet',
        'distance_to_ocean_miles',
        'distance_to_tidal_water_feet',
      ];
      expect(decision.next_questions).toMatchObject([question]);
      expect(decision.next_questions[0]?.alternatives).toEqual(expect.arrayContaining(alternatives));
    }
    expect((await missing({ distance_to_coast_miles: 5 })).fields['high_water']).toEqual(['address']);
  });
});

describe('the location of a home', () => {
  const locationOf = async (where: object, ports: typeof distance | null = distance) => {
    const read = await readHome({ state: 'ga', ...where }, { now: new Date(), distance: ports ?? undefined });
    return read.ok ? read.request.property.location : read.faults;
  };

  it('is the place of an address with its error radius', async () => {
    const place = await distance.geocoder.geocode({
      line1: undefined,
      city: undefined,
      state: undefined,
      zip: '31410',
    });
    if (place.status !== 'found') throw new Error('31410 has no place.');
    const { latitude, longitude, errorRadiusMeters } = place.geocode;
    expect(errorRadiusMeters).toBeGreaterThan(1_000);
    expect(await locationOf({ address: '31410' })).toEqual({ latitude, longitude, radiusMeters: errorRadiusMeters });
  });

  it('is the point and radius of the request, with or without a shore', async () => {
    const location = { latitude: 31.5, longitude: -81.01688, radiusMeters: 20 };
    expect(await locationOf({ ...point, radius_meters: 20 })).toEqual(location);
    expect(await locationOf({ ...point, radius_meters: 20 }, null)).toEqual(location);
  });

  it('is looked up for an area, also in a line without distances', async () => {
    const { vocabulary } = defineLine({ line: 'shed', title: 'Shed', noun: 'shed', policyTypes: ['ho3'], fields: [] });
    const file = {
      ...entries[0]!.file,
      line: 'shed',
      areas: { county: { type: 'Point', coordinates: [-81, 32], within_miles: 40 } },
      rules: [
        {
          id: 'r',
          outcome: 'decline',
          code: 'x_area',
          message: 'No.',
          when: { all: [{ fact: 'location', operator: 'within', value: 'county' }] },
        },
      ],
    };
    const decide = async (body: object) => {
      const decider = createCatalog([{ file }], { vocabulary });
      const request = { state: 'ga', policy_type: 'ho3', include_declined: true, ...body };
      const traced = { now: new Date('2026-11-20T12:00:00Z'), traceId: 't', organizationId: null, distance };
      const { carriers, declined } = await underwriteHome(request, { decider, ...traced });
      return [...carriers, ...declined].map(({ status, missing_fields }) => [status, missing_fields]);
    };
    expect(await decide({ address: '31410' })).toEqual([['ineligible', []]]);
    expect(await decide({ lat: 33.7, lng: -84.4 })).toEqual([['eligible', []]]);
    expect(await decide({})).toEqual([['needs_information', ['address']]]);
  });

  it('is unknown without a place', async () => {
    expect(await locationOf({})).toBeUndefined();
    expect(await locationOf({ address: '31410' }, null)).toBeUndefined();
  });
});

it('states the coastline and the addresses that a decision uses', async () => {
  const decider = createCatalog(entries);
  const versionsOf = async (where: object) => {
    const options = { decider, distance, now: new Date('2026-11-20T12:00:00Z'), traceId: 't', organizationId: null };
    return (await underwriteHome({ state: 'ga', policy_type: 'ho3', ...where }, options)).versions;
  };
  const rules = { engine: expect.any(String), rules: expect.any(String) };
  expect(await versionsOf({})).toEqual(rules);
  expect(await versionsOf({ distance_to_ocean_miles: 4 })).toEqual(rules);
  expect(await versionsOf(point)).toEqual({ ...rules, coastline: 'meridian 1' });
  expect(await versionsOf({ address: 'Savannah GA 31401' })).toEqual({
    ...rules,
    coastline: 'meridian 1',
    addresses: distance.geocoder.name,
  });
});
