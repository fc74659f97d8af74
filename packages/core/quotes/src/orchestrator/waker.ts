import type { QueueBackend } from '../ports/queue-backend.ts';
import { orTimeout } from '../queues/within.ts';
import type { QuoteListener } from './quote-event.ts';

/** Wakes a worker of some process: "carrier c has work". A lost message costs a sweep, never a rate. */
export interface Waker {
  /** Never rejects. */
  wake(carrierKeys: Iterable<string>): Promise<void>;
}

const MAX_ENQUEUE_MS = 5000;
/** Messages of this process in a carrier's queue: one could be delivered already, before the rates were stored. */
const MAX_MESSAGES = 4;

export function createWaker(options: {
  readonly queue: QueueBackend | undefined;
  /** Distinguishes the messages of processes. */
  readonly sender: string;
  readonly listener: QuoteListener;
  /** Wakes the worker of this process, if it works. */
  readonly wakeLocal: (carrierKey: string) => void;
  readonly reachesWorkers: () => boolean;
}): Waker {
  const { queue, sender, listener, wakeLocal, reachesWorkers } = options;
  let count = 0;
  return {
    async wake(carrierKeys) {
      const keys = [...new Set(carrierKeys)];
      if (keys.length === 0 || !reachesWorkers()) return;
      if (queue === undefined) return keys.forEach(wakeLocal);
      count = (count + 1) % MAX_MESSAGES;
      try {
        const messages = keys.map((key) => ({ key: `${sender}-${count}`, queue: key }));
        const late = `The queue did not accept the messages within ${MAX_ENQUEUE_MS} ms.`;
        await orTimeout(MAX_ENQUEUE_MS, queue.enqueue(messages), late);
      } catch (error) {
        listener({ type: 'failure', where: 'enqueue', error });
        keys.forEach(wakeLocal);
      }
    },
  };
}
