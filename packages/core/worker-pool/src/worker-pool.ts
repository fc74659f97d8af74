import type { Transferable } from 'node:worker_threads';
import { Tinypool } from 'tinypool';
import { createFairQueue } from './fair-queue.ts';

/**
 * Threads for work that would block the event loop: checks of rule sets, reviews, parts of books. Tasks wait in a queue that is fair by
 * tenant, then run alone on a thread. Threads start on demand and end when idle. A task that is aborted, too late or too large ends with
 * its thread.
 */
export interface WorkerPool {
  /**
   * Input and output are copied (structured clone). @throws the reason of `signal`; a `TimeoutError` after `timeoutMs`;
   * `ERR_WORKER_OUT_OF_MEMORY` beyond `maxMemoryMb`; the error of the task.
   */
  run<Input, Output>(task: PoolTask<Input, Output>, input: Input, options?: RunTaskOptions): Promise<Output>;
  readonly stats: WorkerPoolStats;
  /** Rejects tasks that run or wait. */
  close(): Promise<void>;
}

/** A function that a module exports under `name`; it may return a promise. */
export interface PoolTask<Input, Output> {
  /** Path or `file:` URL. A package resolves an entry point: `createRequire(import.meta.url).resolve(…)`. */
  readonly module: string;
  readonly name: string;
  /** Never set: carries the types. */
  readonly types?: (input: Input) => Output;
}

/** Order, limits and transfers of one task. */
export interface RunTaskOptions {
  /** For round robin. @default '' one tenant for all */
  readonly tenant?: string | undefined;
  /** Seconds or more; such tasks leave one thread to the others. @default false */
  readonly isLong?: boolean;
  /** Ends the task and its thread. @default the task runs to its end */
  readonly signal?: AbortSignal | undefined;
  /** From the start of the task. @default no limit */
  readonly timeoutMs?: number;
  /** Moved instead of copied, such as message ports. @default [] */
  readonly transfer?: readonly Transferable[];
}

/** Limits of a pool. */
export interface WorkerPoolOptions {
  /** @default 2 */
  readonly maxThreads?: number;
  /** Time until an idle thread ends. @default 10_000 */
  readonly idleMs?: number;
  /** JavaScript objects per thread, from 16. @default 1024 */
  readonly maxMemoryMb?: number;
}

/** Current threads and tasks. */
export interface WorkerPoolStats {
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
 * Creates a pool. It starts no thread before the first task; idle threads do not keep the process alive.
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
  const execArgv = threadFlags(process.execArgv);
  const threads = new Tinypool({
    minThreads: 0,
    maxThreads,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    ...(execArgv ? { execArgv } : {}),
  });
  let failure: unknown;
  // A thread without a task failed: tasks that waited for its start would wait forever.
  threads.on('error', (error) => {
    failure = error;
    threads.cancelPendingTasks();
  });
  const admission = createAdmission(maxThreads);
  let isClosed = false;

  return {
    async run({ module, name }, input, { tenant = '', isLong = false, signal, timeoutMs, transfer } = {}) {
      signal?.throwIfAborted();
      if (isClosed) throw closed();
      await admission.enter(tenant, isLong, signal);
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
        admission.leave(isLong);
      }
    },
    get stats() {
      return { threads: threads.threads.length, ...admission.stats };
    },
    async close() {
      isClosed = true;
      admission.rejectAll(closed());
      await threads.destroy();
    },
  };
}

/** Admits tasks to free threads, fairly by tenant; long tasks leave one thread to the others. */
function createAdmission(maxThreads: number) {
  const maxLong = Math.max(1, maxThreads - 1);
  const queue = createFairQueue<WaitingTask>();
  let running = 0;
  let runningLong = 0;

  const mayBegin = ({ isLong }: Pick<WaitingTask, 'isLong'>): boolean =>
    running < maxThreads && (!isLong || runningLong < maxLong);

  function beginNext(): void {
    while (running < maxThreads) {
      const next = queue.take(mayBegin);
      if (next === undefined) return;
      next.begin();
    }
  }

  /** Resolves when a thread is free; the task then counts as running. */
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
      beginNext();
    });
  }

  return {
    enter,
    leave(isLong: boolean): void {
      running--;
      if (isLong) runningLong--;
      beginNext();
    },
    get stats() {
      return { running, waiting: queue.size };
    },
    rejectAll(reason: unknown): void {
      for (let task = queue.take(() => true); task; task = queue.take(() => true)) task.reject(reason);
    },
  };
}

/** `--eval` has flags that threads refuse to inherit; undefined if they inherit all. */
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
 * Returns the pool of this process, shared by its services.
 * @example
 * const { threads, waiting } = sharedWorkerPool().stats;
 */
export function sharedWorkerPool(): WorkerPool {
  shared ??= createWorkerPool();
  return shared;
}
