import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { BookColumns } from './columns.ts';
import type { BookTables } from './decide-book.ts';
import { mergeTallies, type TallyCounts } from './tally.ts';

export interface BookThreadOptions {
  /** Worker threads; default one a processor. */
  readonly threads?: number;
  /** Status codes of every row and carrier are written here where it is given: shared memory, rows × carriers. */
  readonly codes?: Uint8Array<SharedArrayBuffer>;
  /** Called with the rows done so far. */
  readonly onProgress?: (rowsDone: number) => void;
  /** Stops the threads; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** The module and export of the line's vocabulary, for threads to load; default that of homes. */
  readonly vocabulary?: { readonly module: string; readonly name: string };
}

/** What a worker thread is given: rows `from` to `to` of shared columns, and the tables. */
export interface BookTask {
  readonly tables: BookTables;
  readonly columns: BookColumns;
  readonly from: number;
  readonly to: number;
  readonly codes: Uint8Array | undefined;
  readonly vocabulary: { readonly module: string; readonly name: string };
}

export type BookMessage = { readonly rows: number } | { readonly counts: TallyCounts };

/**
 * Judges a book on worker threads that share one compiled catalog and one set of columns, each a range of
 * rows. Counts come back; codes are written where the caller wants them.
 */
export async function decideBookInThreads(
  tables: BookTables,
  columns: BookColumns,
  options: BookThreadOptions = {},
): Promise<TallyCounts> {
  const { signal, codes, onProgress } = options;
  signal?.throwIfAborted();
  const threads = Math.max(1, Math.min(options.threads ?? availableParallelism(), Math.ceil(columns.rows / 4096)));
  const vocabulary = options.vocabulary ?? { module: '@leeward/engine', name: 'homeVocabulary' };
  const script = createRequire(import.meta.url).resolve('@leeward/engine/book-worker');
  let done = 0;
  const workers: Worker[] = [];
  const parts = Array.from({ length: threads }, (_, index) => {
    const from = Math.floor((columns.rows * index) / threads);
    const to = Math.floor((columns.rows * (index + 1)) / threads);
    const workerData: BookTask = { tables, columns, from, to, codes, vocabulary };
    const worker = new Worker(script, { workerData });
    workers.push(worker);
    return new Promise<TallyCounts>((resolve, reject) => {
      worker.on('message', (message: BookMessage) => {
        if ('counts' in message) resolve(message.counts);
        else {
          done += message.rows;
          onProgress?.(done);
        }
      });
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error('A thread of the book ended before its rows did.')));
    });
  });
  const stop = () => Promise.all(workers.map((worker) => worker.terminate()));
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    return mergeTallies(await Promise.race([Promise.all(parts), aborted]));
  } finally {
    await stop();
    // Threads that were stopped reject; the first fault has been told already.
    await Promise.allSettled(parts);
  }
}
