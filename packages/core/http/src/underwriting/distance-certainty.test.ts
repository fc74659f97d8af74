import { buildCoastIndex, createCoast } from '@leeward/coast';
import { createCatalog } from '@leeward/engine';
import { shoreDistances } from '@leeward/engine/vocabulary';
import { describe, expect, it } from 'vitest';
import { type CoastPort, nearestShore } from '../distance/coast-port.ts';
import { Problem } from '../problem/problem.ts';
import { underwriteHome } from './underwrite-home.ts';

/** A meridian off Georgia that is both shores. */
const meridian = createCoast(
  buildCoastIndex({
    name: 'meridian',
    version: '1',
    attribution: '',
    positions: Float64Array.of(-81.3, 25, -81.3, 36),
    lineStarts: Uint32Array.of(0, 2),
    layerNames: ['tidal', 'ocean'],
    layers: new Uint16Array(2).fill(3),
    shoreNames: ['coast'],
    shores: new Uint8Array(2),
    water: 'unknown',
    accuracy: { radiusMeters: [100, 100], method: '' },
    coverage: [],
  }),
);
/** The error of a distance is evenly distributed from −100 to 100 m. */
const REACH_METERS = 100;
const coast: CoastPort = {
  datasets: meridian.datasets,
  nearest(...query) {
    const answer = nearestShore(meridian, ...query);
    const { distanceMeters } = answer;
    const odds = {
      probabilityWithin: (meters: number) =>
        Math.min(1, Math.max(0, (meters - distanceMeters) / (2 * REACH_METERS) + 0.5)),
      intervalAt: (certainty: number) => ({
        minMeters: distanceMeters - (2 * certainty - 1) * REACH_METERS,
        maxMeters: distanceMeters + (2 * certainty - 1) * REACH_METERS,
      }),
    };
    return { ...answer, ...odds };
  },
};

const carrier = (key: string, fact: string, value: number, certainty?: number) => ({
  file: {
    format: 1,
    carrier: { key, name: key },
    version: '1',
    effective: { from: '2020-01-01' },
    ...(certainty === undefined ? {} : { certainty }),
    rules: [
      {
        id: 'near',
        outcome: 'decline',
        code: 'distance_to_coast',
        message: 'Within the limit.',
        when: { all: [{ fact, operator: 'lessThan', value }] },
      },
    ],
    programs: [{ id: 'ga', policy_types: ['ho3'], states: ['ga'] }],
  },
});

/** 300 m from the meridian. */
const point = { lat: 31.5, lng: -81.303161 };
const METERS = nearestShore(meridian, { latitude: point.lat, longitude: point.lng }).distanceMeters;

function underwrite(entries: readonly ReturnType<typeof carrier>[], home: object, port: CoastPort = coast) {
  return underwriteHome(
    { state: 'ga', policy_type: 'ho3', ...home },
    {
      decider: createCatalog(entries),
      now: new Date('2026-11-20T12:00:00Z'),
      traceId: 't',
      organizationId: null,
      distance: { coast: port },
    },
  );
}

describe('an undecided distance', () => {
  it('says how likely the home is within the limit', async () => {
    const { carriers } = await underwrite([carrier('plain', 'distance_to_tidal_water_feet', 1000)], point);
    // 1,000 ft are 304.8 m.
    const probability = Math.round(((304.8 - METERS) / 200 + 0.5) * 1e4) / 1e4;
    expect(carriers[0]).toMatchObject({
      status: 'needs_information',
      missing_fields: ['distance_to_tidal_water_feet'],
      distance_limits: [{ rule_id: 'near', limit: 1000, unit: 'feet', home: 'either', probability }],
    });
    expect(carriers[0]?.distance_limits?.[0]?.text).toContain(
      `too uncertain to compare with the limit of 1,000 feet: ${Math.round(probability * 100)} % likely within it. The shore is not known more exactly here: give distance_to_tidal_water_feet if it has been measured.`,
    );
    expect(carriers[0]).not.toHaveProperty('certainty');
  });

  it('has no probability by a coast that states none', async () => {
    const { carriers } = await underwrite(
      [carrier('sure', 'distance_to_tidal_water_feet', 1000, 0.6)],
      point,
      // A copy of an answer lacks its methods.
      { datasets: meridian.datasets, nearest: (...query) => ({ ...meridian.nearest(...query) }) },
    );
    expect(carriers[0]).toMatchObject({ status: 'needs_information', certainty: 0.6 });
    expect(carriers[0]?.distance_limits?.[0]).not.toHaveProperty('probability');
    expect(carriers[0]?.distance_limits?.[0]?.text).not.toContain('likely');
  });
});

describe('a rule set with a certainty', () => {
  it('is decided where the range at its certainty decides, and states the certainty', async () => {
    const entries = [
      carrier('a', 'distance_to_tidal_water_meters', 270, 0.6),
      carrier('b', 'distance_to_tidal_water_meters', 330, 0.6),
      carrier('c', 'distance_to_tidal_water_meters', 330, 0.7),
      carrier('d', 'distance_to_tidal_water_meters', 330),
    ];
    const decision = await underwrite(entries, point);
    const all = [...decision.carriers, ...decision.declined];
    const answers = all.map(({ carrier_key, status, certainty, distance_limits: limits }) => [
      carrier_key,
      status,
      certainty,
      limits?.[0]?.home,
    ]);
    // At 0.6 the distance is within 20 m of 300, at 0.7 within 40 m.
    expect(answers.sort()).toEqual([
      ['a', 'eligible', 0.6, 'farther'],
      ['b', 'ineligible', 0.6, 'nearer'],
      ['c', 'needs_information', 0.7, 'either'],
      ['d', 'needs_information', undefined, 'either'],
    ]);
    const text = (key: string) => all.find((each) => each.carrier_key === key)?.distance_limits?.[0]?.text;
    expect(text('a')).toContain('beyond the limit of 270 meters with 60 % certainty.');
    expect(text('c')).toContain(
      'too uncertain to compare with the limit of 330 meters with 70 % certainty: 65 % likely',
    );
  });

  it('explains with the range at its certainty', async () => {
    const entries = [carrier('a', 'distance_to_tidal_water_meters', 330, 0.6)];
    const { declined } = await underwrite(entries, { ...point, explain: true });
    expect(declined[0]?.explanation?.decided_by[0]?.tests[0]).toMatchObject({
      truth: 'true',
      text: 'Distance to tidal water: 280 to 320 meters, which is less than 330 meters.',
    });
  });
});

describe('a distance of the request', () => {
  const names = [...shoreDistances.fields, ...shoreDistances.derivedFacts].map(({ name }): string => name);

  it('has every name that a rule can test', () => {
    expect(names).toHaveLength(11);
  });

  it.each(names)('replaces the computed one, with its source (%s)', async (name) => {
    const [value, limit] = name.endsWith('_miles') ? [0.5, 0.4] : [900, 800];
    const given = { value, as_of: '2026-05-01', source: 'surveyor' };
    const entries = [carrier('plain', name, limit), carrier('sure', name, limit, 0.9)];
    const { carriers, distances, home } = await underwrite(entries, { ...point, [name]: given });
    // Beyond the limit, with any certainty; the computed distance is 300 m.
    expect(carriers.map(({ status }) => status)).toEqual(['eligible', 'eligible']);
    expect(home).toMatchObject({ [name]: given });
    const fact = distances?.facts.find((each) => each.source === 'given');
    expect(fact).toMatchObject({
      given_as: name,
      dataset: null,
      evidence: { as_of: '2026-05-01', source: 'surveyor' },
    });
    expect(fact?.text).toMatch(/, as given \(surveyor, 2026-05-01\)\.$/);
    expect(carriers[0]?.distance_limits?.[0]?.text).toContain('as given (surveyor, 2026-05-01): beyond the limit of');
  });

  it('names both fields if two give one distance', async () => {
    const home = { ...point, distance_to_coast_miles: 1, distance_to_tidal_water_meters: 900 };
    const thrown = await underwrite([carrier('a', 'distance_to_coast_miles', 1)], home).catch((error) => error);
    expect(thrown).toBeInstanceOf(Problem);
    expect((thrown as Problem).options.errors).toMatchObject([
      {
        path: '/distance_to_tidal_water_meters',
        code: 'distance_given_twice',
        message: 'distance_to_tidal_water_meters and distance_to_coast_miles are the same distance; give one of them.',
      },
    ]);
  });
});
