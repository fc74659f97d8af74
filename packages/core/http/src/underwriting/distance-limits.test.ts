import { createCatalog, parseRequest } from '@leeward/engine';
import { toMeters } from '@leeward/engine/compiled';
import { describe, expect, it } from 'vitest';
import { createDistanceLimits } from './distance-limits.ts';
import type { KnownDistance, KnownDistances } from './known-distances.ts';

const shared = { any: [{ fact: 'distance_to_ocean_feet', operator: 'lessThan', value: 1000 }] };
const rule = (id: string, when: object) => ({
  id,
  outcome: 'decline',
  code: 'distance_to_coast',
  when,
  message: 'No.',
});
const tidal = (operator: string, value: number, unit = 'miles') => ({
  all: [{ fact: `distance_to_tidal_water_${unit}`, operator, value }],
});
const program = (id: string, states: readonly string[], rules: readonly object[]) => ({
  id,
  policy_types: ['ho3'],
  states,
  rules,
});
const catalog = createCatalog([
  {
    file: {
      format: 1,
      carrier: { key: 'shore', name: 'Shore' },
      line: 'home',
      version: '1',
      effective: { from: '2020-01-01', until: null },
      conditions: { sand: shared },
      rules: [rule('everywhere', { all: [{ condition: 'sand' }, { condition: 'sand' }] })],
      programs: [
        program(
          'fl',
          ['fl'],
          [
            rule('less', tidal('lessThan', 1)),
            rule('at-most', tidal('lessThanInclusive', 1)),
            rule('more', { not: tidal('greaterThan', 1) }),
            rule('at-least', { not: tidal('greaterThanInclusive', 5280, 'feet') }),
            rule('band', { all: [...tidal('greaterThanInclusive', 2).all, ...tidal('lessThan', 5).all] }),
            rule('roof', { all: [{ fact: 'roof_age', operator: 'greaterThan', value: 20 }] }),
          ],
        ),
        program('tx', ['tx'], [rule('elsewhere', tidal('lessThan', 3))]),
      ],
    },
  },
]);

function distance(fact: KnownDistance['fact'], min: number, max: number): KnownDistance {
  const dataset = { name: 'drawn', version: '1', accuracyMeters: 50 };
  const to = fact === 'distance_to_ocean_meters' ? 'the open ocean' : 'tidal water';
  return { fact, to, givenAs: 'distance_to_coast_miles', meters: (min + max) / 2, min, max, dataset };
}

async function limitsOf(distances: readonly KnownDistance[], location?: KnownDistances['location']) {
  const parsed = parseRequest({ state: 'fl', policy_type: 'ho3' }, { now: new Date('2026-11-20T12:00:00Z') });
  if (!parsed.ok) throw new Error('The home does not fit.');
  const { property } = parsed.request;
  const { verdicts } = await catalog.decide(property);
  return createDistanceLimits(catalog, property, { location, distances })(verdicts[0]!);
}

describe('limits on distance', () => {
  it('are those of the rules that apply where the home stands, each once, the nearest first', async () => {
    const found = await limitsOf([
      distance('distance_to_tidal_water_meters', 100, 200),
      distance('distance_to_ocean_meters', 5_000, 6_000),
    ]);
    expect(found.map(({ ruleId, fact, limit, unit }) => [ruleId, fact, limit, unit])).toEqual([
      ['everywhere', 'distance_to_ocean_feet', 1000, 'feet'],
      ['less', 'distance_to_tidal_water_miles', 1, 'miles'],
      ['at-most', 'distance_to_tidal_water_miles', 1, 'miles'],
      ['more', 'distance_to_tidal_water_miles', 1, 'miles'],
      ['at-least', 'distance_to_tidal_water_feet', 5280, 'feet'],
      ['band', 'distance_to_tidal_water_miles', 2, 'miles'],
      ['band', 'distance_to_tidal_water_miles', 5, 'miles'],
    ]);
    expect(found[0]!.text).toBe(
      '18,045 feet from the open ocean (16,404 to 19,685), by the drawn, 1 ± 164 feet: beyond the limit of 1,000 feet.',
    );
  });

  it('are met exactly as their operators have it', async () => {
    const mile = toMeters(1, 'miles');
    const home = async (min: number, max: number) => {
      const found = await limitsOf([distance('distance_to_tidal_water_meters', min, max)]);
      return Object.fromEntries(
        found.filter(({ ruleId }) => ruleId !== 'band').map(({ ruleId, home }) => [ruleId, home]),
      );
    };
    expect(await home(mile, mile)).toEqual({
      less: 'farther',
      'at-most': 'nearer',
      more: 'nearer',
      'at-least': 'farther',
    });
    expect(await home(mile - 1, mile)).toMatchObject({ less: 'either', 'at-most': 'nearer' });
    expect(await home(mile, mile + 1)).toMatchObject({ less: 'farther', 'at-most': 'either' });
  });

  it('are listed only for known distances', async () => {
    expect(await limitsOf([])).toEqual([]);
    const ocean = await limitsOf([distance('distance_to_ocean_meters', 1, 2)]);
    expect(ocean.map(({ ruleId }) => ruleId)).toEqual(['everywhere']);
  });
});
