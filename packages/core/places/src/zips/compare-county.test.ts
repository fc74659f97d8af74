import { beforeAll, describe, expect, it } from 'vitest';
import { compareCounty } from './compare-county.ts';
import { loadZipGazetteer } from './load-zip-gazetteer.ts';
import type { ZipGazetteer } from './zip-gazetteer.ts';

let gazetteer: ZipGazetteer;
beforeAll(async () => {
  gazetteer = await loadZipGazetteer();
});

const miamiBeach = { latitude: 25.79, longitude: -80.13 };
const hartford = { latitude: 41.765, longitude: -72.674 };

describe('compareCounty', () => {
  it.each([
    ['the county', miamiBeach, '12086', 'agrees'],
    ['a neighbour too far off', miamiBeach, '12011', 'differs'],
    ['another state', miamiBeach, '48201', 'differs'],
    ['a replaced code', { latitude: 62.2, longitude: -163.4 }, '02270', 'agrees'],
    ['a code that is none', miamiBeach, '99999', 'unknown'],
    ['a territory, whose ZIP codes have no county here', { latitude: 18.47, longitude: -66.11 }, '72127', 'unknown'],
    ['the open sea', { latitude: 30, longitude: -60 }, '12086', 'unknown'],
    ["Connecticut's planning region", hartford, '09110', 'agrees'],
    ["Connecticut's old county, in which no ZIP code is", hartford, '09003', 'unknown'],
  ] as const)('%s', (_, point, countyFips, verdict) => {
    expect(compareCounty(gazetteer, point, countyFips).verdict).toBe(verdict);
  });

  it('names the nearby counties', () => {
    expect(compareCounty(gazetteer, miamiBeach, '48201').nearby.map((county) => county.label)).toEqual([
      'Miami-Dade County',
    ]);
  });
});
