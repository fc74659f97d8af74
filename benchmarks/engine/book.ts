import {
  type BookTables,
  type BookTally,
  type Catalog,
  type CatalogEntry,
  createBookColumns,
  createCatalog,
  createTally,
  homeVocabulary,
  type Property,
  readBook,
  writeBookRow,
} from '@leeward/engine';
import { decideBookInThreads } from '@leeward/engine/book-threads';
import { median, type Row } from '../report.ts';

const ROWS = 1_000_000;
const ROUNDS = 5;
const dates = { asOf: new Date(Date.UTC(2026, 10, 20)), effectiveDate: '2026-11-20' };

/** A book of a million homes, in columns: all carriers, then the new version of one. */
export async function measureBook(
  catalog: Catalog,
  ruleSets: readonly CatalogEntry[],
  homes: readonly Property[],
): Promise<Row[]> {
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

  const tables = catalog.bookTables(dates);
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
  const inThreads = async (): Promise<number> => {
    const began = performance.now();
    await decideBookInThreads(tables, columns, { threads: 2 });
    return performance.now() - began;
  };
  const started = await inThreads();
  const kept: number[] = [];
  for (let round = 0; round < ROUNDS; round++) kept.push(await inThreads());
  // A catalog of its own each time: read, checked and compiled anew.
  const one = rounds(() => timed(() => createCatalog(ruleSets.slice(0, 1)).bookTables(dates)));
  return [
    { name: 'book of 1,000,000 homes from columns, one thread', median: all, unit: 'ms' },
    { name: 'memory beyond the columns while it runs', median: beyond, unit: 'MB' },
    { name: '… counted by carrier, state, type and reason as well', median: tallied, unit: 'ms' },
    { name: '… the same on two threads, started for it', median: started, unit: 'ms' },
    { name: '… the same on two threads, kept from the book before', median: median(kept), unit: 'ms' },
    { name: "one carrier's new version over the same book, compiled first", median: one, unit: 'ms' },
  ];
}
