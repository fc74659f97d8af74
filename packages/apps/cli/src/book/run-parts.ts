import { createRequire } from 'node:module';
import { MessageChannel } from 'node:worker_threads';
import { type BookCarriers, type BookRun, type BookTables, runPart, stateDates } from '@leeward/books';
import { createWorkerPool, type PoolTask, type WorkerPool } from '@leeward/worker-pool';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import type { FailedPart, PartMessage, PartsOfBook } from './part-worker.ts';
import type { RowReader } from './read-book-row.ts';

/** Memory per thread in MB: tables of large catalogs, and a batch of rows. */
const MAX_MEMORY_MB = 4096;

export interface RunPartsOptions {
  readonly run: BookRun;
  readonly indexes: readonly number[];
  readonly work: string;
  readonly threads: number;
  readonly carriers: BookCarriers;
  readonly carriersFolder: string;
  readonly rows: RowReader;
  readonly terminal: Pick<Terminal, 'environment' | 'folder'>;
  readonly signal: AbortSignal;
  /** Called with the rows of each batch. */
  readonly onRows: (rows: number) => void;
}

/** Runs parts on this and other threads. Throws the error of the first bad part. */
export async function runParts(options: RunPartsOptions): Promise<void> {
  const { indexes, threads, signal } = options;
  const waiting = [...indexes];
  const beside = Math.min(threads, indexes.length) - 1;
  if (beside < 1) return runHere(options, waiting, signal);
  const pool = createWorkerPool({ maxThreads: beside, maxMemoryMb: MAX_MEMORY_MB });
  const failed = new AbortController();
  const until = AbortSignal.any([signal, failed.signal]);
  const here = runHere(options, waiting, until);
  const others = runOnThreads(options, waiting, pool, beside, until);
  try {
    await Promise.all([here, ...others]);
  } finally {
    failed.abort();
    await Promise.allSettled([here, ...others]);
    await pool.close();
  }
  signal.throwIfAborted();
}

async function runHere(options: RunPartsOptions, waiting: number[], signal: AbortSignal): Promise<void> {
  const { run, work: folder, carriers, rows, onRows } = options;
  for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
    signal.throwIfAborted();
    await runPart({ run, index, folder, carriers, ...rows, onRows, signal });
  }
}

/** Other threads take parts from the same list. */
function runOnThreads(
  { run, work, carriers, carriersFolder, terminal, onRows }: RunPartsOptions,
  waiting: number[],
  pool: WorkerPool,
  count: number,
  signal: AbortSignal,
): Promise<void>[] {
  const module = createRequire(import.meta.url).resolve('leeward/book-worker');
  const task: PoolTask<PartsOfBook, FailedPart | undefined> = { module, name: 'runPartsOfBook' };
  const { environment, folder } = terminal;
  const shared = {
    run,
    line: run.line ?? carriers.vocabulary.line,
    work,
    tables: tablesOf(run, carriers),
    certainties: carriers.certainties ?? [],
    carriers: carriersFolder,
    terminal: { environment: { ...environment }, folder },
  };
  return Array.from({ length: count }, async () => {
    const { port1, port2 } = new MessageChannel();
    port1.on('message', (message: PartMessage) => {
      if (message === 'next') port1.postMessage((signal.aborted ? undefined : waiting.shift()) ?? null);
      else onRows(message);
    });
    try {
      const failure = await pool.run(task, { ...shared, port: port2 }, { signal, transfer: [port2] });
      if (failure?.isForeseen) throw new CommandError(failure.message);
      if (failure) throw new Error(failure.message);
    } finally {
      port1.close();
    }
  });
}

/** The tables of rows without dates. */
function tablesOf({ asOf, effectiveDate, reasons }: BookRun, carriers: BookCarriers): BookTables {
  const instant = new Date(asOf);
  const dates = [...stateDates(instant, effectiveDate ?? undefined).dates].sort();
  return carriers.bookTables({ asOf: instant, effectiveDate: dates[0]!, until: dates.at(-1)!, reasons });
}
