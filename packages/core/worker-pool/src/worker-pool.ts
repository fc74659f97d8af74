import type { Transferable } from 'node:worker_threads';
import { Tinypool } from 'tinypool';
import { createFairQueue } from './fair-queue.ts';

/**
 * Threads for work that would hold the event loop: checks of rule sets, reviews, parts of books.
 *
 * A task waits in a queue that is fair by tenant, then runs alone on a thread. Threads start when they are needed and end when
 * they are idle. A task that is aborted, too late or too large ends with its thread; other tasks keep theirs.
 */
export interface WorkerPool {
  /**
   * Runs a task on a thread. Input and output are copied (structured clone).
   *
   * @throws the reason of `signal`; a `TimeoutError` after `timeoutMs`; an error with the code `ERR_WORKER_OUT_OF_MEMORY` if the
   * task needs more than `maxMemoryMb`; the error of the task.
   */
  run<Input, Output>(task: PoolTask<Input, Output>, input: Input, options?: RunTaskOptions): Promise<Output>;
  readonly stats: WorkerPoolStats;
  /** Ends all threads. Tasks that run or wait are rejected. */
  close(): Promise<void>;
}

/** A function that a module exports under `name`. It takes the input and returns the output, or a promise of it. */
export interface PoolTask<Input, Output> {
  /** Path or `file:` URL of the module. A package resolves the name of an entry point: `createRequire(import.meta.url).resolve(…)`. */
  readonly module: string;
  readonly name: string;
  /** Never set: carries the types. */
  readonly types?: (input: Input) => Output;
}

/** Order, limits and transfers of one task. */
export interface RunTaskOptions {
  /** Tenants take turns. @default '' one tenant for all */
  readonly tenant?: string | undefined;
  /** Takes seconds or more. Such tasks leave one thread to the others. @default false */
  readonly isLong?: boolean;
  /** Ends the task and its thread. @default the task runs to its end */
  readonly signal?: AbortSignal | undefined;
  /** Maximum run time, in ms, from when the task starts. @default no limit */
  readonly timeoutMs?: number;
  /** Values in the input that are moved instead of copied, such as message ports. @default [] */
  readonly transfer?: readonly Transferable[];
}

/** Limits of a pool. */
export interface WorkerPoolOptions {
  /** Maximum number of threads. @default 2 */
  readonly maxThreads?: number;
  /** Time in ms after which an idle thread ends. @default 10_000 */
  readonly idleMs?: number;
  /** Maximum memory of JavaScript objects per thread, in MB, from 16. @default 1024 */
  readonly maxMemoryMb?: number;
}

/** Numbers of threads and tasks at this moment. */
export interface WorkerPoolStats {
  /** Threads that exist, idle ones included. */
  readonly threads: number;
  readonly running: number;
  readonly waiting: number;
}

const MAX_THREADS = 2;
const IDLE_MS = 10_000;
const MAX_MEMORY_MB = 1024;
const MIN_MEMORY_MB = 16;

interface WaitingTask {
  readonly isLong: boolean;
  readonly begin: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Creates a pool. It starts no thread before the first task, and idle threads do not keep the process alive.
 *
 * @example
 * const pool = createWorkerPool({ maxThreads: 2 });
 * const total = await pool.run({ module: import.meta.resolve('./sum.ts'), name: 'sum' }, [1, 2, 3]);
 * await pool.close();
 */
export function createWorkerPool({
  maxThreads = MAX_THREADS,
  idleMs = IDLE_MS,
  maxMemoryMb = MAX_MEMORY_MB,
}: WorkerPoolOptions = {}): WorkerPool {
  if (!Number.isInteger(maxThreads) || maxThreads < 1) {
    throw new RangeError(`maxThreads is ${maxThreads}; give a whole number from 1.`);
  }
  // With less, V8 ends the process instead of the thread.
  if (!(maxMemoryMb >= MIN_MEMORY_MB))
    throw new RangeError(`maxMemoryMb is ${maxMemoryMb}; give ${MIN_MEMORY_MB} or more.`);
  const maxLong = Math.max(1, maxThreads - 1);
  const execArgv = threadFlags(process.execArgv);
  const threads = new Tinypool({
    minThreads: 0,
    maxThreads,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    ...(execArgv ? { execArgv } : {}),
  });
  let failure: unknown;
  // A thread without a task failed: the tasks that waited for its start would wait for ever.
  threads.on('error', (error) => {
    failure = error;
    threads.cancelPendingTasks();
  });
  const queue = createFairQueue<WaitingTask>();
  let running = 0;
  let runningLong = 0;
  let isClosed = false;

  const mayBegin = ({ isLong }: Pick<WaitingTask, 'isLong'>): boolean =>
    running < maxThreads && (!isLong || runningLong < maxLong);

  function beginNext(): void {
    while (running < maxThreads) {
      const next = queue.take(mayBegin);
      if (next === undefined) return;
      next.begin();
    }
  }

  /** Resolves when a thread is free for the task, which then counts as running. */
  async function enter(tenant: string, isLong: boolean, signal: AbortSignal | undefined): Promise<void> {
    const start = (): void => {
      running++;
      if (isLong) runningLong++;
    };
    if (queue.size === 0 && mayBegin({ isLong })) return start();
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        if (queue.remove(tenant, task)) reject(signal?.reason);
      };
      const stopListening = (): void => signal?.removeEventListener('abort', abort);
      const task: WaitingTask = {
        isLong,
        begin() {
          stopListening();
          start();
          resolve();
        },
        reject(reason) {
          stopListening();
          reject(reason);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      queue.push(tenant, task);
      // Others may wait for a kind of thread that this task does not need.
      beginNext();
    });
  }

  return {
    async run({ module, name }, input, { tenant = '', isLong = false, signal, timeoutMs, transfer } = {}) {
      signal?.throwIfAborted();
      if (isClosed) throw closed();
      await enter(tenant, isLong, signal);
      const ends = [signal, timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)];
      const end = AbortSignal.any(ends.filter((each) => each !== undefined));
      try {
        end.throwIfAborted();
        if (isClosed) throw closed();
        return await threads.run(input, {
          filename: module,
          name,
          signal: end,
          ...(transfer ? { transferList: [...transfer] as never } : {}),
        });
      } catch (error) {
        if (end.aborted) throw end.reason;
        throw isCancelled(error) ? new Error('A worker thread could not start.', { cause: failure }) : error;
      } finally {
        running--;
        if (isLong) runningLong--;
        beginNext();
      }
    },
    get stats() {
      return { threads: threads.threads.length, running, waiting: queue.size };
    },
    async close() {
      isClosed = true;
      for (let task = queue.take(() => true); task; task = queue.take(() => true)) task.reject(closed());
      await threads.destroy();
    },
  };
}

/**
 * Flags for the threads of a program that was given with `--eval`, which threads refuse to inherit; undefined if they inherit
 * all flags.
 */
function threadFlags(flags: readonly string[]): string[] | undefined {
  const isProgram = flags.some((flag) => /^(-e|-p|-pe|--eval|--print|--input-type)\b/.test(flag));
  return isProgram ? flags.filter((flag) => /^--(conditions|import|require)=/.test(flag)) : undefined;
}

function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.name === 'CancelError';
}

function closed(): Error {
  return new Error('The worker pool is closed.');
}

let shared: WorkerPool | undefined;

/**
 * The pool of this process, made with the first call. Services in one process share its threads.
 *
 * @example
 * const { threads, waiting } = sharedWorkerPool().stats;
 */
export function sharedWorkerPool(): WorkerPool {
  shared ??= createWorkerPool();
  return shared;
}
