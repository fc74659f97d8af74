import type { CatalogCarrier } from '../catalog/carrier-catalog.ts';
import type { JobRef, QueueBackend } from '../ports/queue-backend.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { createLaneWindow, type LaneWindow } from './lane-window.ts';
import type { QuoteListener } from './quote-event.ts';

/** A queue that does not take jobs for so long is taken to be out of reach. */
const MAX_ENQUEUE_MS = 5000;
const AGAIN_AFTER_FAILURE_MS = 1000;

/**
 * Tells the queue whose turn it is. Only so much of a lane as its workers take up in a moment: the rest stays in the store,
 * which hands it out fairly among teams. What gets lost on the way is found by a later sweep.
 */
export interface Dispatcher {
  /** For rates that are about to be stored: of which the queue is told at once. Each of those is to be enqueued. */
  admit(lanes: readonly string[]): boolean[];
  /** Enqueues jobs that were admitted. Never rejects. */
  enqueue(jobs: readonly JobRef[]): Promise<void>;
  /** Rates of these carriers were stored that were not admitted: hands out what there is room for. */
  stored(lanes: Iterable<string>): void;
  /** A job has been delivered to this process. */
  delivered(job: JobRef): void;
  /** Tells the queue of whatever is due and has its turn. Never rejects. */
  sweep(): Promise<void>;
  /** Jobs of which a queue without memory was told, and which nobody has taken up: it would forget them. */
  takeUndelivered(): JobRef[];
}

export interface DispatcherOptions {
  readonly store: Pick<SqlQuoteStore, 'takeDue' | 'countHandedOut' | 'putOff'>;
  readonly queue: QueueBackend;
  readonly carriers: readonly CatalogCarrier[];
  /** Whether a carrier may be asked now: who waits for another stays where it is. */
  readonly mayBeAsked: (carrierKey: string) => boolean;
  /** After how long a job that nobody answered is enqueued again. */
  readonly redispatchMs: number;
  readonly listener: QuoteListener;
  /** Whether what is enqueued here will be worked on. */
  readonly reachesWorkers: () => boolean;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { store, queue, carriers, mayBeAsked, redispatchMs, listener, reachesWorkers } = options;
  const windows = new Map<string, LaneWindow>(
    carriers.map(({ adapter, limits }) => [adapter.key, createLaneWindow(limits)]),
  );
  /** What this process told a queue of its own and got back from nobody: with other queues the store knows. */
  const undelivered = new Map<string, JobRef>();
  const own = !queue.caps.distributed;
  let wanted = new Set<string>();
  let telling: Promise<void> | undefined;

  const enqueue = async (jobs: readonly JobRef[]): Promise<boolean> => {
    if (jobs.length === 0) return true;
    if (own) for (const job of jobs) undelivered.set(job.key, job);
    try {
      if (!reachesWorkers()) throw new Error('No worker runs in this process, and its queue reaches no other.');
      await inTime(queue.enqueue(jobs));
      return true;
    } catch (error) {
      for (const { key } of jobs) undelivered.delete(key);
      if (reachesWorkers()) listener({ type: 'trouble', where: 'enqueue', error });
      // Nobody knows of them: somebody's sweep should, soon.
      const delayMs = reachesWorkers() ? AGAIN_AFTER_FAILURE_MS : 0;
      await store
        .putOff(jobs, delayMs)
        .catch((cause: unknown) => listener({ type: 'trouble', where: 'put_off', error: cause }));
      return false;
    }
  };
  const recount = async () => {
    const told = own ? Map.groupBy(undelivered.values(), (job) => job.lane) : await store.countHandedOut();
    for (const [key, window] of windows) {
      const count = told.get(key) ?? 0;
      window.set(typeof count === 'number' ? count : count.length);
    }
  };
  /** Tells of more, in these lanes. @param again whether a full one is asked for what was lost. @returns false where the queue or the store is out of reach. */
  const tell = async (keys: Iterable<string>, again: boolean): Promise<boolean> => {
    const queues = [...keys]
      .filter((key) => mayBeAsked(key))
      .map((carrierKey) => ({ carrierKey, room: windows.get(carrierKey)!.room() }))
      .filter(({ room }) => room > 0 || again);
    if (queues.length === 0) return true;
    const { jobs, hasMore } = await store.takeDue({ queues, againMs: redispatchMs });
    for (const { carrierKey, room } of queues) {
      if (room > 0) windows.get(carrierKey)!.hasMore = hasMore.has(carrierKey);
    }
    for (const { lane } of jobs) windows.get(lane)?.tell(1);
    return enqueue(jobs);
  };
  /** One at a time, so that no two fill the same room. */
  const inTurn = (work: () => Promise<unknown>) => {
    const done = (telling ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => listener({ type: 'trouble', where: 'sweep', error }))
      .then(() => {
        if (telling === done) telling = undefined;
      });
    telling = done;
    return done;
  };
  const refill = (lane: string) => {
    if (wanted.has(lane)) return;
    wanted.add(lane);
    if (wanted.size > 1) return;
    inTurn(async () => {
      const lanes = wanted;
      wanted = new Set();
      if (reachesWorkers()) await tell(lanes, false);
    });
  };
  return {
    admit: (lanes) => lanes.map((lane) => reachesWorkers() && mayBeAsked(lane) && windows.get(lane)?.admit() === true),
    async enqueue(jobs) {
      await enqueue(jobs);
    },
    delivered({ key, lane }) {
      undelivered.delete(key);
      if (windows.get(lane)?.take() === true) refill(lane);
    },
    stored(lanes) {
      if (!reachesWorkers()) return;
      for (const lane of lanes) if (windows.has(lane)) refill(lane);
    },
    async sweep() {
      if (!reachesWorkers()) return;
      await inTurn(async () => {
        await recount();
        await tell(windows.keys(), true);
      });
    },
    takeUndelivered() {
      const left = [...undelivered.values()];
      undelivered.clear();
      return left;
    },
  };
}

async function inTime(work: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`The queue did not take the jobs within ${MAX_ENQUEUE_MS} ms.`)),
    MAX_ENQUEUE_MS,
  );
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
