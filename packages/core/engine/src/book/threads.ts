import { availableParallelism } from 'node:os';
import type { BookTables } from './book-tables.ts';
import type { VocabularySource } from './book-task.ts';
import { type BookRun, type BookThreads, createBookThreads } from './book-threads.ts';
import type { BookColumns } from './columns.ts';
import type { TallyCounts } from './tally.ts';

export type { VocabularySource } from './book-task.ts';
export { type BookRun, type BookThreads, createBookThreads } from './book-threads.ts';

/** A book's run, and how many threads share it. Default as many as there are cores. */
export interface BookThreadOptions extends BookRun {
  /** Worker threads; default one a processor. */
  readonly threads?: number;
  /** The module and export of the line's vocabulary, for threads to load; default that of homes. */
  readonly vocabulary?: VocabularySource;
}

/** Threads that are not asked for so long are ended. */
const IDLE_MS = 10_000;

interface Kept {
  readonly threads: BookThreads;
  running: number;
  timer: NodeJS.Timeout | undefined;
}
const kept = new Map<string, Kept>();

/**
 * Judges a book on worker threads that share one compiled catalog and one set of columns. Counts come back;
 * codes are written where the caller wants them. The threads are kept for a while for the next book, with the
 * tables that they have been sent; they do not keep the process alive. Columns made `shared` are not copied.
 */
export async function decideBookInThreads(
  tables: BookTables,
  columns: BookColumns,
  { threads = availableParallelism(), vocabulary, ...run }: BookThreadOptions = {},
): Promise<TallyCounts> {
  const key = JSON.stringify([threads, vocabulary?.module, vocabulary?.name]);
  const pool = kept.get(key) ?? keep(key, createBookThreads({ threads, ...(vocabulary ? { vocabulary } : {}) }));
  clearTimeout(pool.timer);
  pool.running++;
  try {
    return await pool.threads.decide(tables, columns, run);
  } finally {
    pool.running--;
    if (pool.running === 0) {
      pool.timer = setTimeout(() => {
        kept.delete(key);
        void pool.threads.close();
      }, IDLE_MS).unref();
    }
  }
}

function keep(key: string, threads: BookThreads): Kept {
  const pool: Kept = { threads, running: 0, timer: undefined };
  kept.set(key, pool);
  return pool;
}
