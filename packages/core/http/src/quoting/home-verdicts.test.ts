import { buildCoastIndex, createCoast } from '@leeward/coast';
import { createCatalog } from '@leeward/engine';
import { GeocoderUnavailableError } from '@leeward/places';
import { describe, expect, it } from 'vitest';
import { catalogStamp } from '../answer/answer-versions.ts';
import { createMemoryHazardEvents } from '../hazard-events/hazard-event-feed.ts';
import { createHomeVerdicts } from './home-verdicts.ts';

const rule = (fact: string, operator: string, value: number, code = fact) => ({
  id: fact,
  outcome: 'decline',
  code,
  when: { all: [{ fact, operator, value }] },
  message: `The ${fact.replaceAll('_', ' ')} is out of range.`,
});
const fileOf = (maxRoofAge: number, key = 'inland') => ({
  format: 1,
  carrier: { key, name: 'Inland Mutual' },
  line: 'home',
  version: '1',
  effective: { from: '2020-01-01', until: null },
  rules: [
    rule('roof_age', 'greaterThan', maxRoofAge),
    rule('distance_to_coast_miles', 'lessThan', 2, 'distance_to_coast'),
  ],
  programs: [{ id: 'fl', policy_types: ['ho3'], states: ['fl'], rules: [] }],
});
const coast = createCoast(
  buildCoastIndex({
    name: 'meridian',
    version: '1',
    attribution: '',
    positions: Float64Array.of(-80, 25, -80, 31),
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
const strict = createCatalog([{ file: fileOf(10) }]);
const mild = createCatalog([{ file: fileOf(20) }]);
const home = {
  state: 'fl',
  policy_type: 'ho3',
  roof_age: 15,
  roof_type: 'metal',
  distance_to_ocean_miles: 9,
  distance_to_tidal_water_miles: 9,
};

describe('verdicts on watched homes', () => {
  it('are those of the rules in force, with the first reason in words', async () => {
    let catalog = strict;
    const verdicts = createHomeVerdicts({
      rulesOf: async () => catalog,
      rulesStampOf: async () => catalogStamp(catalog),
    });
    const before = await verdicts.stamp('team-1');
    expect(await verdicts.evaluate('team-1', home)).toEqual([
      {
        carrierKey: 'inland',
        carrier: 'Inland Mutual',
        policyType: 'ho3',
        status: 'ineligible',
        reason: 'The roof age is out of range.',
      },
    ]);
    catalog = mild;
    expect(await verdicts.stamp('team-1')).not.toBe(before);
    expect(await verdicts.evaluate('team-1', home)).toMatchObject([{ status: 'eligible' }]);
    expect(await verdicts.stamp('team-1')).toBe(
      await createHomeVerdicts({
        rulesOf: async () => mild,
        rulesStampOf: async () => catalogStamp(createCatalog([{ file: fileOf(20) }])),
      }).stamp('team-1'),
    );
  });

  it('need information, and never decline, if fields are missing', async () => {
    const verdicts = createHomeVerdicts({ rulesOf: async () => strict, rulesStampOf: async () => '' });
    for (const missing of [
      ['roof_age', 'roof_type'],
      ['distance_to_ocean_miles', 'distance_to_tidal_water_miles'],
      Object.keys(home).slice(2),
    ]) {
      const rest = Object.fromEntries(
        Object.entries({ ...home, roof_age: 5 }).filter(([name]) => !missing.includes(name)),
      );
      expect(await verdicts.evaluate('team-1', rest)).toMatchObject([
        { status: 'needs_information', reason: expect.stringMatching(/^Missing: /) },
      ]);
    }
  });

  it('have a stamp for each day, and for each change and hour of events', async () => {
    let now = new Date('2026-11-20T23:59:00Z');
    const hazardEvents = createMemoryHazardEvents();
    const verdicts = createHomeVerdicts({
      rulesOf: async () => strict,
      rulesStampOf: async (teamId) => (teamId === 'team-1' ? 'rules' : undefined),
      hazardEvents,
      clock: () => now,
    });
    const seen = [await verdicts.stamp('team-1')];
    now = new Date('2026-11-21T00:00:00Z');
    seen.push(await verdicts.stamp('team-1'));
    now = new Date('2026-11-21T01:00:00Z');
    expect(await verdicts.stamp('team-1')).toBe(seen[1]);
    hazardEvents.set([{ id: 'al09', kind: 'hurricane', states: ['fl'], from: '2026-11-20T12:00:00Z' }]);
    seen.push(await verdicts.stamp('team-1'));
    now = new Date('2026-11-21T02:00:00Z');
    seen.push(await verdicts.stamp('team-1'));
    expect(new Set(seen).size).toBe(4);
    hazardEvents.set(undefined);
    expect(await verdicts.stamp('team-1')).toBeUndefined();
    expect(await verdicts.stamp('nobody')).toBeUndefined();
  });

  it('are undefined while the geocoder is unavailable, so that an outage does not look like a change', async () => {
    let isUnavailable = true;
    const geocoder = {
      name: 'test',
      async geocode() {
        if (isUnavailable) throw new GeocoderUnavailableError('test', 'unreachable', 'down');
        return { status: 'not_found', code: 'no_match', message: 'Unknown.' } as const;
      },
    };
    const verdicts = createHomeVerdicts({
      rulesOf: async () => strict,
      rulesStampOf: async () => '',
      distance: { coast, geocoder },
    });
    const placed = {
      state: 'fl',
      roof_age: 5,
      roof_type: 'metal',
      policy_type: 'ho3',
      address: '12 Main St, Ocala FL 34471',
    };
    expect(await verdicts.evaluate('team-1', placed)).toBeUndefined();
    isUnavailable = false;
    expect(await verdicts.evaluate('team-1', placed)).toMatchObject([{ status: 'needs_information' }]);
  });

  it('report the faults of a home at its paths', async () => {
    const verdicts = createHomeVerdicts({ rulesOf: async () => strict, rulesStampOf: async () => '' });
    await expect(verdicts.evaluate('team-1', { state: 'atlantis', year_built: 'old' })).rejects.toMatchObject({
      faults: [{ path: '/home/year_built' }, { path: '/home/state' }],
    });
  });
});
