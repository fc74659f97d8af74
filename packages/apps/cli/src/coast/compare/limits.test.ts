import { createCatalog } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { limitsOfCarriers, readLimits, rulesIn } from './limits.ts';

const rule = (id: string, fact: string, operator: string, value: number) => ({
  id,
  outcome: 'decline',
  code: 'distance_to_coast',
  message: id,
  when: { all: [{ fact, operator, value }] },
});

function carrier(key: string, from: string, limit: number) {
  return {
    file: {
      format: 1,
      carrier: { key, name: key },
      version: from,
      effective: { from },
      line: 'home',
      rules: [rule('whole', 'distance_to_coast_miles', 'lessThan', limit)],
      programs: [
        {
          id: 'tx',
          policy_types: ['ho3'],
          states: ['tx'],
          rules: [
            rule('tx-coast', 'distance_to_coast_feet', 'lessThan', limit * 5_280),
            rule('tx-ocean', 'distance_to_ocean_feet', 'lessThanInclusive', 1_000),
            rule('tx-debris', 'distance_to_mean_high_water_miles', 'lessThanInclusive', 1),
            rule('tx-old', 'home_age', 'greaterThan', 40),
          ],
        },
        {
          id: 'fl',
          policy_types: ['ho3'],
          states: ['fl'],
          rules: [rule('fl-ocean', 'distance_to_ocean_feet', 'lessThanInclusive', 1_000)],
        },
      ],
    },
  };
}

describe('limits on distance', () => {
  const catalog = createCatalog([carrier('pelican', '2026-01-01', 2), carrier('pelican', '2027-01-01', 5)]);
  const limits = limitsOfCarriers(catalog, '2026-11-20');

  it('are those of the rules in force, each once a carrier, however it is written', () => {
    expect(limits.map(({ definition, meters, isOpen }) => [definition, meters, isOpen])).toEqual([
      ['ocean', 304.8, false],
      ['mean_high_water', 1_609.344, false],
      ['tidal', 3_218.688, true],
    ]);
    expect(limitsOfCarriers(catalog, '2027-06-01').at(-1)!.meters).toBe(8_046.72);
    expect(limitsOfCarriers(catalog, '2025-06-01')).toEqual([]);
  });

  it('hold where their programs are offered, by the rules there', () => {
    const [ocean, debris, tidal] = limits;
    expect(rulesIn(ocean!, 'tx')).toEqual(['tx-ocean']);
    expect(rulesIn(ocean!, 'fl')).toEqual(['fl-ocean']);
    expect(rulesIn(tidal!, 'tx')).toEqual(['whole', 'tx-coast']);
    expect(rulesIn(tidal!, 'fl')).toEqual(['whole']);
    expect(rulesIn(debris!, 'fl')).toBeUndefined();
    expect(rulesIn(ocean!, undefined)).toBeUndefined();
  });

  it('are read as people write lengths', () => {
    const read = readLimits('1000ft, 1 mile,2.5MI,25 km', 'ocean');
    expect(read.map(({ meters, text }) => [meters, text])).toEqual([
      [304.8, '1,000 feet'],
      [1_609.344, '1 mile'],
      [4_023.36, '2.5 miles'],
      [25_000, '25 kilometers'],
    ]);
    expect(rulesIn(read[0]!, undefined)).toEqual([]);
    for (const odd of ['', '1', 'mile', '-1mi', '0ft', '1 league', '1mi,,2mi']) {
      expect(() => readLimits(odd, 'tidal')).toThrow('--limit names');
    }
  });
});
