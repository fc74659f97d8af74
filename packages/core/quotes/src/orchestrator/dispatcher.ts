import type { CatalogCarrier } from '../catalog/carrier-catalog.ts';
import type { JobRef, QueueBackend } from '../ports/queue-backend.ts';
import { orTimeout } from '../queues/within.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { createQueueWindow, type QueueWindow } from './queue-window.ts';
import type { QuoteListener } from './quote-event.ts';

/*
 * Moves due rates from the store to the carriers' queues.
 *
 * The store column `told` holds the state of a rate: waiting or ready in the store, or handed out to a queue. Each carrier has a
 * window ({@link QueueWindow}), so that its queue holds only a moment of work. New rates go straight into a
 * queue if its window has capacity and no rate waits (`admit`); all others are handed out by the store in fair order, when
 * workers have taken half of the window and in every sweep. A rate that a queue loses is due again after `redispatchMs`.
 */

/** Maximum time that a queue may take to accept jobs. */
const MAX_ENQUEUE_MS = 5000;
const RETRY_MS = 1000;

export interface Dispatcher {
  /** Decides for new rates, before they are stored, which go into a queue at once. Call `enqueue` with those afterwards. */
  admit(carrierKeys: readonly string[]): boolean[];
  /** Enqueues admitted jobs. Never rejects. */
  enqueue(jobs: readonly JobRef[]): Promise<void>;
  /** Hands out rates of these carriers as far as their windows allow. Call it after storing rates that were not admitted. */
  refill(carrierKeys: Iterable<string>): void;
  /** Counts a job that was delivered to this process. */
  delivered(job: JobRef): void;
  /** Corrects the windows and hands out due rates. Never rejects. */
  sweep(): Promise<void>;
  /** Jobs in a queue of this process that were not delivered. The queue loses them when the process stops. */
  takeUndelivered(): JobRef[];
}

export interface DispatcherOptions {
  readonly store: Pick<SqlQuoteStore, 'handOut' | 'countHandedOut' | 'postpone'>;
  readonly queue: QueueBackend;
  readonly carriers: readonly CatalogCarrier[];
  /** True if a carrier may be called now. Rates of other carriers stay in the store. */
  readonly mayCall: (carrierKey: string) => boolean;
  /** Time after which an unclaimed job is enqueued again, in ms. */
  readonly redispatchMs: number;
  readonly listener: QuoteListener;
  /** True if a worker can receive jobs enqueued by this process. */
  readonly reachesWorkers: () => boolean;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { store, queue, carriers, mayCall, redispatchMs, listener, reachesWorkers } = options;
  const windows = new Map<string, QueueWindow>(
    carriers.map(({ adapter, limits }) => [adapter.key, createQueueWindow(limits)]),
  );
  /** Jobs in a queue of this process. A shared queue's jobs are counted in the store. */
  const undelivered = new Map<string, JobRef>();
  const isLocalQueue = !queue.caps.distributed;
  let refillKeys = new Set<string>();
  let current: Promise<void> | undefined;

  const report = (where: string) => (error: unknown) => listener({ type: 'failure', where, error });

  const enqueue = async (jobs: readonly JobRef[]): Promise<void> => {
    if (jobs.length === 0) return;
    if (isLocalQueue) for (const job of jobs) undelivered.set(job.key, job);
    try {
      if (!reachesWorkers()) throw new Error('This process runs no worker, and its queue reaches no other process.');
      const message = `The queue did not accept the jobs within ${MAX_ENQUEUE_MS} ms.`;
      await orTimeout(MAX_ENQUEUE_MS, queue.enqueue(jobs), message);
    } catch (error) {
      for (const { key } of jobs) undelivered.delete(key);
      if (reachesWorkers()) report('enqueue')(error);
      // Make the rates due again, so that a sweep of any process finds them.
      await store.postpone(jobs, reachesWorkers() ? RETRY_MS : 0).catch(report('put_off'));
    }
  };
  const correctWindows = async () => {
    if (isLocalQueue) {
      const byQueue = Map.groupBy(undelivered.values(), (job) => job.queue);
      for (const [key, window] of windows) window.set(byQueue.get(key)?.length ?? 0);
    } else {
      const counts = await store.countHandedOut();
      for (const [key, window] of windows) window.set(counts.get(key) ?? 0);
    }
  };
  /** @param includeFull True to include lost jobs of carriers whose window is full. */
  const handOut = async (carrierKeys: Iterable<string>, includeFull: boolean): Promise<void> => {
    const queues = [...carrierKeys]
      .filter((key) => mayCall(key))
      .map((carrierKey) => ({ carrierKey, capacity: windows.get(carrierKey)!.capacity() }))
      .filter(({ capacity }) => capacity > 0 || includeFull);
    if (queues.length === 0) return;
    const { jobs, hasMore } = await store.handOut({ queues, againMs: redispatchMs });
    for (const { carrierKey, capacity } of queues) {
      if (capacity > 0) windows.get(carrierKey)!.hasMore = hasMore.has(carrierKey);
    }
    for (const job of jobs) windows.get(job.queue)?.add(1);
    await enqueue(jobs);
  };
  /** Runs one hand-out at a time, so that two do not fill the same window. */
  const afterCurrent = (work: () => Promise<unknown>) => {
    const done = (current ?? Promise.resolve())
      .then(work)
      .catch(report('sweep'))
      .then(() => {
        if (current === done) current = undefined;
      });
    current = done;
    return done;
  };
  const refill = (carrierKey: string) => {
    if (refillKeys.has(carrierKey)) return;
    refillKeys.add(carrierKey);
    if (refillKeys.size > 1) return;
    afterCurrent(async () => {
      const carrierKeys = refillKeys;
      refillKeys = new Set();
      if (reachesWorkers()) await handOut(carrierKeys, false);
    });
  };
  return {
    admit: (carrierKeys) =>
      carrierKeys.map((key) => reachesWorkers() && mayCall(key) && windows.get(key)?.admit() === true),
    enqueue,
    delivered({ key, queue: carrierKey }) {
      undelivered.delete(key);
      if (windows.get(carrierKey)?.remove() === true) refill(carrierKey);
    },
    refill(carrierKeys) {
      if (!reachesWorkers()) return;
      for (const key of carrierKeys) if (windows.has(key)) refill(key);
    },
    async sweep() {
      if (!reachesWorkers()) return;
      await afterCurrent(async () => {
        await correctWindows();
        await handOut(windows.keys(), true);
      });
    },
    takeUndelivered() {
      const jobs = [...undelivered.values()];
      undelivered.clear();
      return jobs;
    },
  };
}
