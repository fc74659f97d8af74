import { createCatalog, homeVocabulary } from '@leeward/engine';
import { expect, it } from 'vitest';
import { createCarriers, toRuleSets } from '../../../../../benchmarks/engine/carriers.ts';
import { fixtureEntries } from '../../../../../test/support/engine/fixture-catalog.ts';
import { hostileTests } from '../../../../../test/support/engine/hostile-rule-sets.ts';
import { randomPolicy } from '../../../../../test/support/engine/random-policies.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { createBookColumns, writeBookRow } from '../columns/book-columns.ts';
import { bookTables } from '../planes/book-tables.ts';
import { createLoneCarrier } from './lone-carrier.ts';
import { readBook } from './read-book.ts';

const ROWS = 3_000;
const dates = { asOf: new Date(Date.UTC(2026, 8, 26)), effectiveDate: '2026-11-20' };
const random = createRandom(20261122);
const homes = Array.from({ length: ROWS }, (_, row) => {
  const home = randomPolicy(random, [0, 0.1, 0.4][row % 3]!);
  return row % 100 === 0 ? { ...home, counties: [] } : home;
});
const columns = createBookColumns(homeVocabulary, ROWS);
homes.forEach((home, row) => void writeBookRow(columns, row, home));

/** Checks every row against the catalog. Returns the number of groups evaluated as a lone carrier. */
function readRow(entries: Parameters<typeof createCatalog>[0]): number {
  const catalog = createCatalog(entries);
  const tables = bookTables(catalog, dates);
  for (const { from, rows, codes } of readBook(tables, columns, homeVocabulary)) {
    for (let row = 0; row < rows; row++) {
      const wanted = catalog.statusCodes(homes[from + row]!)[0];
      if (codes[row] !== wanted) expect.fail(`row ${from + row}: ${codes[row]}, not ${wanted}`);
    }
  }
  const groups = tables.byPolicyType.flatMap((each) => each.groups);
  return groups.filter((group) => createLoneCarrier(group, homeVocabulary, dates.asOf.getTime())).length;
}

it('a lone carrier is read term by term and gives each row the status of the catalog', () => {
  let alone = 0;
  for (const entry of fixtureEntries()) alone += readRow([entry]);
  for (const file of toRuleSets(createCarriers(20261122, 4))) alone += readRow([{ file }]);
  expect(alone).toBeGreaterThan(40);
});

it('a carrier with too many terms is read by planes', () => {
  expect(readRow([{ file: hostileTests(400, 2) }])).toBe(0);
});
