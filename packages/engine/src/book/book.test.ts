import { describe, expect, it } from 'vitest';
import { type CatalogEntry, createCatalog } from '../catalog/catalog.ts';
import { STATUS_CODES } from '../planes/read-planes.ts';
import type { Property } from '../request/property.ts';
import { fixtureEntries } from '../testing/fixture-catalog.ts';
import { createRandom } from '../testing/random.ts';
import { randomPolicy } from '../testing/random-policies.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import { type BookColumns, createBookColumns, writeBookRow } from './columns.ts';
import { readBook } from './decide-book.ts';
import { createTally, summarize } from './tally.ts';
import { decideBookInThreads } from './threads.ts';

const ROWS = 10_000;
const random = createRandom(20261120);
const catalog = createCatalog(fixtureEntries());
const homes: Property[] = Array.from({ length: ROWS }, (_, row) => {
  const home = randomPolicy(random, row % 3 === 0 ? 0 : row % 3 === 1 ? 0.1 : 0.3);
  return row % 500 === 0 ? { ...home, counties: [] } : home;
});
const columns: BookColumns = createBookColumns(homeVocabulary, ROWS, true);
homes.forEach((home, row) => {
  writeBookRow(columns, row, home);
});
const dates = { asOf: new Date(Date.UTC(2026, 8, 26)), effectiveDate: '2026-11-20' };
const tables = catalog.bookTables(dates);
const carrierCount = catalog.carriers.length;

/** The same carriers under other keys. */
const renamed = (entries: CatalogEntry[], suffix: string): CatalogEntry[] =>
  entries.map(({ file }) => {
    const { carrier, ...rest } = file as { carrier: { key: string; name: string } };
    return { file: { ...rest, carrier: { ...carrier, key: `${carrier.key}${suffix}` } } };
  });
const bayou = fixtureEntries().filter(({ name }) => name?.startsWith('bayou_mutual/'));

describe('a book', () => {
  it.each([
    ['one carrier', bayou],
    ['the carriers of one table', fixtureEntries()],
    ['those of several', ['', '_b', '_c'].flatMap((suffix) => renamed(fixtureEntries(), suffix))],
  ])('says of every row what the catalog says of the home: %s', (_, entries) => {
    const asked = createCatalog(entries);
    const count = asked.carriers.length;
    const seen = new Set<number>();
    for (const { from, rows, codes } of readBook(asked.bookTables(dates), columns, homeVocabulary)) {
      for (let row = 0; row < rows; row++) {
        const wanted = asked.statusCodes(homes[from + row]!);
        const given = codes.subarray(row * count, (row + 1) * count);
        if (!wanted.every((code, carrier) => code === given[carrier])) {
          expect.fail(`row ${from + row}: ${[...given]}, not ${[...wanted]}`);
        }
        for (const code of given) seen.add(code);
      }
    }
    expect(seen.size).toBe(STATUS_CODES.length);
  });

  it('counts by carrier, state, policy type and reason', () => {
    const tally = createTally(homeVocabulary, carrierCount);
    for (const chunk of readBook(tables, columns, homeVocabulary, { tally })) expect(chunk.rows).toBeGreaterThan(0);
    const keys = catalog.carriers.map((carrier) => carrier.key);
    const summary = summarize(tally.counts(), homeVocabulary, keys);
    const reasons: Record<string, number> = {};
    const ineligible: Record<string, number> = {};
    for (const home of homes) {
      for (const { carrierKey, reasons: each } of catalog.declines(home)) {
        ineligible[carrierKey] = (ineligible[carrierKey] ?? 0) + 1;
        if (home.counties === undefined) continue;
        for (const code of new Set(each.map((reason) => reason.code))) reasons[code] = (reasons[code] ?? 0) + 1;
      }
    }
    delete reasons['moratorium'];
    expect(summary.rows).toBe(ROWS);
    for (const [key, count] of Object.entries(ineligible)) expect(summary.byCarrier[key]!.ineligible).toBe(count);
    // Homes of an unknown county count for some reasons, and what only bounds make certain counts for none.
    for (const [code, count] of Object.entries(reasons)) {
      expect(summary.byReason[code]! / count, code).toBeGreaterThan(0.95);
      expect(summary.byReason[code]! / count, code).toBeLessThan(1.3);
    }
    const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, each) => total + each, 0);
    const placed = homes.filter((home) => home.counties?.length !== 0).length;
    expect(Object.values(summary.byState).reduce((total, each) => total + sum(each), 0)).toBe(placed * carrierCount);
  });

  it('is the same on threads, with progress, and can be stopped', async () => {
    const single = createTally(homeVocabulary, carrierCount);
    const wanted = new Uint8Array(ROWS * carrierCount);
    for (const { from, rows, codes } of readBook(tables, columns, homeVocabulary, { tally: single })) {
      wanted.set(codes.subarray(0, rows * carrierCount), from * carrierCount);
    }
    const codes = new Uint8Array(new SharedArrayBuffer(ROWS * carrierCount));
    const progress: number[] = [];
    const counts = await decideBookInThreads(tables, columns, {
      threads: 2,
      codes,
      onProgress: (rows) => progress.push(rows),
    });
    expect(counts).toEqual(single.counts());
    expect(Buffer.compare(codes, wanted)).toBe(0);
    expect(progress.at(-1)).toBe(ROWS);
    const stopped = new AbortController();
    stopped.abort(new Error('enough'));
    await expect(decideBookInThreads(tables, columns, { signal: stopped.signal })).rejects.toThrow('enough');
  });
});
