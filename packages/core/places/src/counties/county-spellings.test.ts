import { describe, expect, it } from 'vitest';
import { countySpellings, countySuffixes } from './county-spellings.ts';
import { countiesOf, findCounties } from './find-counties.ts';
import { states } from './states.ts';

const fips = (state: string, key: string) =>
  countySpellings(state)
    .get(key)
    ?.map((county) => county.fips);

describe('countySpellings', () => {
  it.each([
    ['tx', 'harris', ['48201']],
    ['tx', 'fortbend', ['48157']],
    ['fl', 'dade', ['12086']],
    ['fl', '12025', ['12086']],
    ['fl', 'stlucie', ['12111']],
    ['la', 'orleansparish', ['22071']],
    ['tx', 'harrisco', undefined],
    ['md', 'baltimore', ['24005', '24510']],
    ['va', 'kingandqueen', ['51097']],
    ['tx', '48999', undefined],
    ['tx', 'broward', undefined],
  ])('of %s finds %s', (state, key, expected) => {
    expect(fips(state, key)).toEqual(expected);
  });

  it('finds every county by name, label and code, like findCounties', () => {
    for (const { code } of states) {
      const spellings = countySpellings(code);
      for (const county of countiesOf(code)) {
        for (const text of [county.fips, county.name, county.label]) {
          const key = text
            .normalize('NFKD')
            .toLowerCase()
            .replace(/[^a-z0-9]/g, '');
          expect(spellings.get(key), `${code} ${text}`).toEqual(findCounties(code, text));
        }
      }
    }
  });
});

describe('countySuffixes', () => {
  it.each([
    ['tx', ['city and county (free)', 'county (free)']],
    ['la', ['city and county (free)', 'county (free)', 'parish']],
    ['va', ['city and county (free)', 'county (free)', 'city']],
    ['zz', []],
  ])('of %s are %s', (state, expected) => {
    expect(countySuffixes(state).map(({ suffix, isFree }) => suffix + (isFree ? ' (free)' : ''))).toEqual(expected);
  });
});
