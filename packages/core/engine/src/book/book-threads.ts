import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { BookTables } from './book-tables.ts';
import { type BookMessage, type BookTask, ROWS_TAKEN, STOPPED, type VocabularySource } from './book-task.ts';
import type { BookColumns } from './columns.ts';
import { mergeTallies, type TallyCounts } from './tally.ts';

/** One book on the threads. */
export interface BookRun {
  /** Status codes of every row and carrier are written here where it is given: shared memory, rows × carriers. */
  readonly codes?: Uint8Array<SharedArrayBuffer>;
  /** Called with the rows done so far. */
  readonly onProgress?: (rowsDone: number) => void;
  /** Stops the run; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Worker threads that judge one book after another. They do not keep the process alive while they wait. */
export interface BookThreads {
  /** Judges a book. Columns made `shared` are read where they are; others are copied, each thread its part. */
  decide(tables: BookTables, columns: BookColumns, run?: BookRun): Promise<TallyCounts>;
  /** Ends the threads; what is being judged is rejected. */
  close(): Promise<void>;
}

/** Tables a thread keeps. */
const MAX_TABLES_KEPT = 4;

interface Waiting {
  readonly onRows: (rows: number) => void;
  readonly resolve: (counts: TallyCounts) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  /** Tables it has, the last asked for last. */
  readonly tables: number[];
  readonly waiting: Map<number, Waiting>;
}

let lastId = 0;
const tableIds = new WeakMap<BookTables, number>();

/** Threads for books of one line (default: homes), started with the first book; `close` ends them. */
export function createBookThreads(options: {
  readonly threads: number;
  readonly vocabulary?: VocabularySource;
}): BookThreads {
  const { threads: count, vocabulary } = options;
  if (!Number.isInteger(count) || count < 1) throw new RangeError(`threads is ${count}; give a whole number from 1.`);
  const script = createRequire(import.meta.url).resolve('@leeward/engine/book-worker');
  const threads: (Thread | undefined)[] = new Array(count).fill(undefined);

  const start = (place: number): Thread => {
    const worker = new Worker(script, { workerData: vocabulary });
    worker.unref();
    const thread: Thread = { worker, tables: [], waiting: new Map() };
    threads[place] = thread;
    const end = (error: unknown) => {
      if (threads[place] === thread) threads[place] = undefined;
      for (const { reject } of thread.waiting.values()) reject(error);
      thread.waiting.clear();
    };
    worker.on('message', (message: BookMessage) => receive(thread, message));
    worker.on('error', end);
    worker.on('exit', () => end(new Error('A thread of the book ended before its rows did.')));
    return thread;
  };

  const ask = (
    thread: Thread,
    task: Omit<BookTask, 'tables' | 'forget'>,
    tables: BookTables,
    onRows: Waiting['onRows'],
  ) =>
    new Promise<TallyCounts>((resolve, reject) => {
      const known = thread.tables.indexOf(task.tablesId);
      if (known >= 0) thread.tables.splice(known, 1);
      thread.tables.push(task.tablesId);
      const forget = thread.tables.length > MAX_TABLES_KEPT ? thread.tables.shift() : undefined;
      thread.waiting.set(task.run, { onRows, resolve, reject });
      thread.worker.ref();
      thread.worker.postMessage({ ...task, tables: known >= 0 ? undefined : tables, forget } satisfies BookTask);
    });

  return {
    async decide(tables, columns, { codes, onProgress, signal } = {}) {
      signal?.throwIfAborted();
      const run = ++lastId;
      const tablesId = tableIds.get(tables) ?? ++lastId;
      tableIds.set(tables, tablesId);
      const parts = partsOf(columns, count);
      let done = 0;
      const onRows = (rows: number) => {
        done += rows;
        onProgress?.(done);
      };
      const answers = parts.map((part, place) =>
        ask(threads[place] ?? start(place), { run, tablesId, codes, ...part }, tables, onRows),
      );
      const stop = () => {
        for (const { control } of parts) Atomics.store(control, STOPPED, 1);
      };
      signal?.addEventListener('abort', stop, { once: true });
      for (const answer of answers) answer.catch(stop);
      // Every thread has let go of the columns before the caller has them back.
      await Promise.allSettled(answers);
      signal?.removeEventListener('abort', stop);
      signal?.throwIfAborted();
      return mergeTallies(await Promise.all(answers));
    },
    async close() {
      await Promise.all(threads.map((thread) => thread?.worker.terminate()));
    },
  };
}

function receive(thread: Thread, message: BookMessage): void {
  const waiting = thread.waiting.get(message.run);
  if (!waiting) return;
  if ('rows' in message) {
    waiting.onRows(message.rows);
    return;
  }
  thread.waiting.delete(message.run);
  if (thread.waiting.size === 0) thread.worker.unref();
  if ('counts' in message) waiting.resolve(message.counts);
  else waiting.reject(message.error);
}

type Part = Pick<BookTask, 'columns' | 'first' | 'control'>;

/** Shared columns are given whole to every thread, which takes rows as it comes to them; others are cut. */
function partsOf(columns: BookColumns, threads: number): readonly Part[] {
  const control = () => new Int32Array(new SharedArrayBuffer(8));
  const needed = Math.max(1, Math.min(threads, Math.ceil(columns.rows / ROWS_TAKEN)));
  if (columns.state.buffer instanceof SharedArrayBuffer) {
    return new Array<Part>(needed).fill({ columns, first: 0, control: control() });
  }
  return Array.from({ length: needed }, (_, index) => {
    const from = Math.floor((columns.rows * index) / needed);
    const to = Math.floor((columns.rows * (index + 1)) / needed);
    return { columns: rowsOf(columns, from, to), first: from, control: control() };
  });
}

function rowsOf(columns: BookColumns, from: number, to: number): BookColumns {
  return {
    rows: to - from,
    policyType: columns.policyType.slice(from, to),
    state: columns.state.slice(from, to),
    county: columns.county.slice(from, to),
    ambiguous: columns.ambiguous,
    fields: columns.fields.map((column) => column.slice(from, to)),
  };
}
