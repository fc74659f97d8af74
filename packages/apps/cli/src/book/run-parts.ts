import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { type BookCarriers, type BookPlan, type BookTables, runPart, stateDates } from '@leeward/books';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import type { PartMessage, PartThreadData } from './part-message.ts';
import type { RowReader } from './read-book-row.ts';

export interface RunPartsOptions {
  readonly plan: BookPlan;
  /** Parts still to be judged. */
  readonly indexes: readonly number[];
  /** Where parts are written. */
  readonly work: string;
  readonly threads: number;
  readonly carriers: BookCarriers;
  readonly carriersFolder: string;
  readonly rows: RowReader;
  readonly terminal: Pick<Terminal, 'environment' | 'folder'>;
  readonly signal: AbortSignal;
  /** Called with rows as they are judged. */
  readonly onRows: (rows: number) => void;
}

/** Judges parts on this machine: here, and on as many threads beside as are wanted. Throws what the first bad part throws. */
export async function runParts(options: RunPartsOptions): Promise<void> {
  const { indexes, threads, signal } = options;
  const waiting = [...indexes];
  const beside = Math.min(threads, indexes.length) - 1;
  if (beside < 1) return runHere(options, waiting, signal);
  await runInThreads(options, waiting, beside);
}

/** Judges parts in this thread as long as some wait. */
async function runHere(options: RunPartsOptions, waiting: number[], signal: AbortSignal): Promise<void> {
  const { plan, work: folder, carriers, rows, onRows } = options;
  for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
    signal.throwIfAborted();
    await runPart({ plan, index, folder, carriers, ...rows, onRows, signal });
  }
}

/** The same with other threads beside, which take parts off the same list. */
async function runInThreads(options: RunPartsOptions, waiting: number[], beside: number): Promise<void> {
  const { plan, work, carriers, carriersFolder, terminal, signal, onRows } = options;
  const script = createRequire(import.meta.url).resolve('leeward/book-worker');
  const { environment, folder } = terminal;
  const workerData: PartThreadData = {
    plan,
    line: plan.line ?? carriers.vocabulary.line,
    work,
    tables: tablesOf(plan, carriers),
    carriers: carriersFolder,
    terminal: { environment: { ...environment }, folder },
  };
  const workers = Array.from({ length: beside }, () => new Worker(script, { workerData }));
  const ended = workers.map(
    (worker) =>
      new Promise<void>((resolve, reject) => {
        const next = () => {
          const index = signal.aborted ? undefined : waiting.shift();
          if (index === undefined) resolve();
          else worker.postMessage(index);
        };
        worker.on('message', (message: PartMessage) => {
          if ('rows' in message) onRows(message.rows);
          else if ('done' in message) next();
          else reject(message.isForeseen ? new CommandError(message.message) : new Error(message.message));
        });
        worker.on('error', reject);
        worker.on('exit', () => reject(new Error('A thread ended before its part did.')));
        next();
      }),
  );
  const stop = () => void Promise.all(workers.map((worker) => worker.terminate()));
  signal.addEventListener('abort', stop, { once: true });
  const failed = new AbortController();
  const here = runHere(options, waiting, AbortSignal.any([signal, failed.signal]));
  try {
    await Promise.all([here, ...ended]);
  } finally {
    signal.removeEventListener('abort', stop);
    failed.abort();
    await here.catch(() => {});
    for (const each of ended) each.catch(() => {});
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  signal.throwIfAborted();
}

/** The tables of every date of a plan, as a thread can be sent them. */
function tablesOf({ asOf, effectiveDate, reasons }: BookPlan, carriers: BookCarriers): ReadonlyMap<string, BookTables> {
  const instant = new Date(asOf);
  const { dates } = stateDates(instant, effectiveDate ?? undefined);
  return new Map(
    dates.map((date) => {
      const tables = carriers.bookTables({ asOf: instant, effectiveDate: date });
      return [date, reasons ? tables : withoutReasons(tables)];
    }),
  );
}

/** What tells reasons is laid out when it is first read, and sending it would read it. */
function withoutReasons(tables: BookTables): BookTables {
  return {
    ...tables,
    byPolicyType: tables.byPolicyType.map(({ groups, notJudged }) => ({
      notJudged,
      groups: groups.map(({ table, carriers }) => ({ table, carriers }) as (typeof groups)[number]),
    })),
  };
}
