import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueBackend } from '../ports/queue-backend.ts';

/** Probabilities from 0 to 1. */
export interface QueueChaos {
  /** Numbers in [0, 1); seed it to repeat a run. */
  readonly random: () => number;
  /** @default 0 */
  readonly lose?: number | undefined;
  /** @default 0 */
  readonly repeat?: number | undefined;
  /** `enqueue` rejects. @default 0 */
  readonly refuse?: number | undefined;
  /** Maximum, in ms. @default 0 */
  readonly delayMs?: number | undefined;
}

/**
 * Wraps a queue: it loses, repeats and delays jobs, and is sometimes unavailable.
 * @example
 * const queue = withChaos(createPQueueBackend(), { random: Math.random, lose: 0.1 });
 */
export function withChaos(queue: QueueBackend, chaos: QueueChaos): QueueBackend {
  const { random, lose = 0, repeat = 0, refuse = 0, delayMs = 0 } = chaos;
  return {
    caps: queue.caps,
    start: (queues, handler) =>
      queue.start(queues, async (delivery) => {
        const deliver = async () => {
          await sleep(random() * delayMs);
          await handler(delivery);
        };
        await Promise.all(random() < repeat ? [deliver(), deliver()] : [deliver()]);
      }),
    async enqueue(jobs) {
      if (random() < refuse) throw new Error('The queue is unavailable (chaos).');
      await queue.enqueue(jobs.filter(() => random() >= lose));
    },
    stop: (options) => queue.stop(options),
    ...(queue.ping !== undefined && { ping: () => queue.ping!() }),
  };
}
