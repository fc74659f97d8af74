import type { JobRef, QueueBackend } from '../ports/queue-backend.ts';
import type { QuoteStore } from '../ports/quote-store.ts';
import type { QuoteListener } from './quote-event.ts';

/** A queue that does not take jobs for so long is taken to be out of reach. */
const maxEnqueueMs = 5000;
const takenAtOnce = 500;
const againAfterFailureMs = 1000;

/** Tells the queue about rates. What gets lost on the way is found by a later sweep. */
export interface Dispatcher {
  /** Enqueues jobs that are due now. Never rejects. */
  enqueue(jobs: readonly JobRef[]): Promise<void>;
  /** Enqueues whatever the store says is due. Never rejects. */
  sweep(): Promise<void>;
}

export interface DispatcherOptions {
  readonly store: Pick<QuoteStore, 'takeDue' | 'putOff'>;
  readonly queue: QueueBackend;
  /** The carriers of this process that may be asked now: who waits for another stays where it is. */
  readonly carrierKeys: () => readonly string[];
  /** After how long a job that nobody answered is enqueued again. */
  readonly redispatchMs: number;
  readonly listener: QuoteListener;
  /** Whether what is enqueued here will be worked on. */
  readonly reachesWorkers: () => boolean;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { store, queue, carrierKeys, redispatchMs, listener, reachesWorkers } = options;

  const enqueue = async (jobs: readonly JobRef[]): Promise<boolean> => {
    if (jobs.length === 0) return true;
    try {
      if (!reachesWorkers()) throw new Error('No worker runs in this process, and its queue reaches no other.');
      await inTime(queue.enqueue(jobs));
      return true;
    } catch (error) {
      if (reachesWorkers()) listener({ type: 'trouble', where: 'enqueue', error });
      // Nobody knows of them: somebody's sweep should, soon.
      const delayMs = reachesWorkers() ? againAfterFailureMs : 0;
      await store
        .putOff(jobs, delayMs)
        .catch((cause: unknown) => listener({ type: 'trouble', where: 'put_off', error: cause }));
      return false;
    }
  };
  return {
    async enqueue(jobs) {
      await enqueue(jobs);
    },
    async sweep() {
      if (!reachesWorkers()) return;
      try {
        for (;;) {
          const jobs = await store.takeDue({ carrierKeys: carrierKeys(), limit: takenAtOnce, againMs: redispatchMs });
          if (!(await enqueue(jobs)) || jobs.length < takenAtOnce) return;
        }
      } catch (error) {
        listener({ type: 'trouble', where: 'sweep', error });
      }
    },
  };
}

async function inTime(work: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`The queue did not take the jobs within ${maxEnqueueMs} ms.`)),
    maxEnqueueMs,
  );
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
