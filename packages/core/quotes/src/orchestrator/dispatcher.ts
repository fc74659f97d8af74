import type { CatalogCarrier } from '../catalog/carrier-catalog.ts';
import type { JobRef, QueueBackend } from '../ports/queue-backend.ts';
import { orTimeout } from '../queues/within.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { createQueueWindow, type QueueWindow } from './queue-window.ts';
import type { QuoteListener } from './quote-event.ts';

/*
 * Moves due rates from the store to the carriers' queues. Each carrier has a window ({@link QueueWindow}), so that its queue holds only
 * a moment of work. A new rate goes straight into a queue if the window has capacity and no rate waits (`admit`). The store hands out
 * the others in fair order when workers have taken half of the window, and in every sweep. A rate that a queue loses is due again after
 * `redispatchMs`.
 */

const MAX_ENQUEUE_MS = 5000;
const RETRY_MS = 1000;

export interface Dispatcher {
  /** Decides, before new rates are stored, which go into a queue at once. Call `enqueue` with those afterwards. */
  admit(carrierKeys: readonly string[]): boolean[];
  /** Never rejects. */
  enqueue(jobs: readonly JobRef[]): Promise<void>;
  /** Call it after storing rates that were not admitted. */
  refill(carrierKeys: Iterable<string>): void;
  delivered(job: JobRef): void;
  /** Corrects the windows and hands out due rates. Never rejects. */
  sweep(): Promise<void>;
  /** Jobs in a queue of this process, which are lost when it stops. */
  takeUndelivered(): JobRef[];
}

export interface DispatcherOptions {
  readonly store: Pick<SqlQuoteStore, 'handOut' | 'countHandedOut' | 'postpone'>;
  readonly queue: QueueBackend;
  readonly carriers: readonly CatalogCarrier[];
  readonly mayCall: (carrierKey: string) => boolean;
  readonly redispatchMs: number;
  readonly listener: QuoteListener;
  readonly reachesWorkers: () => boolean;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { store, queue, carriers, mayCall, redispatchMs, listener, reachesWorkers } = options;
  const windows = new Map<string, QueueWindow>(
    carriers.map(({ adapter, limits }) => [adapter.key, createQueueWindow(limits)]),
  );
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
      // Due again, so that a sweep of any process finds them.
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
  /** Two hand-outs must not fill the same window. */
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
