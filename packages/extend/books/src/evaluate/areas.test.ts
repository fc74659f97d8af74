/** Books against single decisions, for rules that test areas: the status of every verdict, for random positions. */
import { createCatalog, createProperty, homeVocabulary, STATUS_CODES } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { createRandom, pick } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createBookColumns, writeBookRow } from '../columns/book-columns.ts';
import { bookTables } from '../tables/book-tables.ts';
import { readBook } from './read-book.ts';

const EFFECTIVE = '2026-11-20';
const asOf = new Date('2026-11-20T12:00:00Z');
const box = (west: number, south: number, size: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ],
  ],
});
const areas = {
  bay: box(-95.5, 29, 0.5),
  road: {
    type: 'LineString',
    coordinates: [
      [-96, 29.2],
      [-94.5, 29.3],
    ],
    within_miles: 2,
  },
};
const tests = [
  test('location', 'within', 'bay'),
  test('location', 'entirelyWithin', 'bay'),
  test('location', 'not:within', 'road'),
  { miles_to: 'bay', operator: 'lessThan', value: 5 },
  { miles_to: 'road', operator: 'greaterThanInclusive', value: 10 },
  { any: [test('location', 'within', 'bay'), test('location', 'within', 'road')] },
];
const catalog = createCatalog(
  tests.map((each, index) => ({
    file: ruleSetFile({
      carrier: { key: `c${index}`, name: 'C' },
      areas,
      rules: [ruleFile({ message: 'No.', when: { all: [each, test('total_claims', 'lessThan', 3)] } })],
    }),
  })),
);

describe('a book of homes with positions', () => {
  it('has the statuses of single decisions', () => {
    const random = createRandom(5);
    const homes = Array.from({ length: testVolume(600) }, () =>
      createProperty({
        vocabulary: homeVocabulary,
        policyType: 'ho3',
        state: 'tx',
        counties: ['48039'],
        values: random() < 0.2 ? {} : { total_claims: pick(random, [0, 1, 5]) },
        asOfMs: asOf.getTime(),
        effectiveDate: EFFECTIVE,
        location:
          random() < 0.1
            ? undefined
            : {
                latitude: 28.8 + random(),
                longitude: -95.8 + 1.2 * random(),
                radiusMeters: random() < 0.5 ? 0 : 5_000 * random(),
              },
      }),
    );
    const columns = createBookColumns(homeVocabulary, homes.length);
    for (const [row, home] of homes.entries()) writeBookRow(columns, row, home);
    const tables = bookTables(catalog, { asOf, effectiveDate: EFFECTIVE });
    const seen = new Set<string>();
    for (const only of [undefined, Uint8Array.from(homes, () => (random() < 0.5 ? 1 : 0))]) {
      for (const { codes, from, rows: count } of readBook(tables, columns, homeVocabulary, { only })) {
        for (let row = 0; row < count; row++) {
          const home = homes[from + row]!;
          const expected = only?.[from + row] === 0 ? new Uint8Array(tests.length) : catalog.statusCodes(home);
          for (let carrier = 0; carrier < tests.length; carrier++) {
            const [status, other] = [codes[row * tests.length + carrier]!, expected[carrier]!];
            if (status !== other) expect({ carrier, location: home.location, status }).toEqual({ status: other });
            if (!only) seen.add(`${carrier} ${STATUS_CODES[status]}`);
          }
        }
      }
    }
    expect(seen.size).toBe(tests.length * 3);
  });
});
