import { createCatalog } from '@leeward/engine';
import { countiesOf, countySuffixes, findCounties, stateCodes } from '@leeward/places/counties';
import { expect, it } from 'vitest';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createKernel } from '../kernel/create-kernel.ts';
import { buildTables } from '../tables/build-tables.ts';
import { spellingLists } from './spelling-lists.ts';

const rules = [ruleFile({ message: '.', when: { all: [test('roof_age', 'greaterThan', 20)] } })];
const catalog = createCatalog([{ file: ruleSetFile({ rules }) }]);
const kernel = createKernel(buildTables(catalog, { from: '2026-01-01', to: '2026-01-01' }).image);
const { ambiguous } = spellingLists(catalog.vocabulary);

/** One county of so many is compared. */
const step = testVolume(1) > 1 ? 1 : 4;

const suffixes = ['Co.', 'cnty', 'CTY', 'County', 'city', 'Parish', 'census area', 'City & County', 'city and borough'];
const prefixes = ['County of', 'co of', 'Parish de', 'City and County of', 'municipality of', 'municipio de'];

function* spellingsOf(name: string, own: readonly string[]): Iterable<string> {
  const halves = `${name.slice(0, 2)} ${name.slice(2)}`;
  for (const each of [name, halves, name.replaceAll(/\bSt\b/g, 'Saint'), name.replaceAll('Fort', 'Ft')]) {
    yield each;
    yield each.replaceAll(/[^\w&]/g, '');
    for (const suffix of [...suffixes, ...own]) {
      yield `${each} ${suffix}`;
      yield `${each}${suffix.replaceAll(' ', '')}`;
    }
    for (const prefix of [...prefixes, ...own.map((suffix) => `${suffix} of`)]) {
      yield `${prefix} ${each}`;
      yield `${prefix}${each}`.replaceAll(' ', '');
    }
  }
}

it('finds the counties that requests find, in all states, with and without blanks', () => {
  const differences: string[] = [];
  let compared = 0;
  for (const [state, code] of stateCodes.entries()) {
    const own = countySuffixes(code).map(({ suffix }) => suffix);
    const some = countiesOf(code).filter((_, place) => place % step === 0);
    const names = new Set(some.flatMap(({ name, label }) => [name, label]));
    for (const text of new Set([...names].flatMap((name) => [...spellingsOf(name, own)]))) {
      const found = kernel.findCounty(state, text);
      const codes = found < -1 ? ambiguous[-2 - found]! : found === -1 ? [] : [found];
      const expected = findCounties(code, text).map(({ fips }) => Number(fips));
      compared++;
      if (codes.join() !== expected.join())
        differences.push(`${code} ${text}: ${codes.join()} instead of ${expected.join()}`);
    }
  }
  expect(differences.length, differences.slice(0, 20).join('\n')).toBe(0);
  expect(compared).toBeGreaterThan(100_000);
});
