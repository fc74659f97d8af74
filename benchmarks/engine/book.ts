import {
  type BookTables,
  type BookTally,
  bookTables,
  createBookColumns,
  createTally,
  readBook,
  writeBookRow,
} from '@leeward/books';
import { type Catalog, type CatalogEntry, createCatalog, homeVocabulary, type Property } from '@leeward/engine';
import { median, type Row } from '../report.ts';

const ROWS = 1_000_000;
const ROUNDS = 5;
const dates = { asOf: new Date(Date.UTC(2026, 10, 20)), effectiveDate: '2026-11-20' };

/** Median time of a book of some homes, repeated, in ms. */
export function timeBook(catalog: Catalog, homes: readonly Property[], rows: number): number {
  const columns = createBookColumns(homeVocabulary, rows);
  for (let row = 0; row < rows; row++) writeBookRow(columns, row, homes[row % homes.length]!);
  const tables = bookTables(catalog, dates);
  const timed = () => {
    const began = performance.now();
    let read = 0;
    for (const chunk of readBook(tables, columns, homeVocabulary)) read += chunk.rows;
    if (read !== rows) throw new Error(`${read} rows were read.`);
    return performance.now() - began;
  };
  timed();
  return median(Array.from({ length: ROUNDS }, timed));
}

/** A book of a million homes, in columns: all carriers, then the new version of one. */
export function measureBook(catalog: Catalog, ruleSets: readonly CatalogEntry[], homes: readonly Property[]): Row[] {
  const columns = createBookColumns(homeVocabulary, ROWS, true);
  for (let row = 0; row < ROWS; row++) writeBookRow(columns, row, homes[row % homes.length]!);
  const timed = (tablesOf: () => BookTables, tally?: BookTally): number => {
    const began = performance.now();
    let rows = 0;
    for (const chunk of readBook(tablesOf(), columns, homeVocabulary, tally ? { tally } : {})) rows += chunk.rows;
    if (rows !== ROWS) throw new Error(`${rows} rows were read.`);
    return performance.now() - began;
  };
  const rounds = (once: () => number): number => median(Array.from({ length: ROUNDS }, once));

  const tables = bookTables(catalog, dates);
  timed(() => tables);
  globalThis.gc?.();
  const resting = process.memoryUsage().rss;
  let most = resting;
  for (const { from } of readBook(tables, columns, homeVocabulary)) {
    if (from % (1 << 17) === 0) most = Math.max(most, process.memoryUsage().rss);
  }
  const beyond = (most - resting) / 1e6;
  const all = rounds(() => timed(() => tables));
  const tallied = rounds(() => timed(() => tables, createTally(homeVocabulary, catalog.carriers.length)));
  // A new catalog each time, read, checked and compiled.
  const one = rounds(() => timed(() => bookTables(createCatalog(ruleSets.slice(0, 1)), { ...dates, reasons: false })));
  return [
    { name: 'book of 1,000,000 homes from columns, one thread', median: all, unit: 'ms' },
    { name: 'memory beyond the columns while it runs', median: beyond, unit: 'MB' },
    { name: '… counted by carrier, state, type and reason as well', median: tallied, unit: 'ms' },
    { name: "one carrier's new version over the same book, compiled first", median: one, unit: 'ms' },
  ];
}
