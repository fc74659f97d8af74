import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueBackend } from '../ports/queue-backend.ts';

/** What a queue is made to do wrong: shares from 0 to 1. */
export interface QueueChaos {
  /** Of [0, 1): seed it, and a run can be repeated. */
  readonly random: () => number;
  /** Share of the jobs that are lost on the way. */
  readonly lose?: number | undefined;
  /** Share of the deliveries that come a second time. */
  readonly repeat?: number | undefined;
  /** Share of the calls to `enqueue` that are refused. */
  readonly refuse?: number | undefined;
  /** Deliveries are late by up to so much. */
  readonly delayMs?: number | undefined;
}

/** A queue that loses jobs, delivers some twice, late and out of order, and is away at times: as a real one may. */
export function withChaos(queue: QueueBackend, chaos: QueueChaos): QueueBackend {
  const { random, lose = 0, repeat = 0, refuse = 0, delayMs = 0 } = chaos;
  return {
    caps: queue.caps,
    start: (lanes, handler) =>
      queue.start(lanes, async (delivery) => {
        const deliver = async () => {
          await sleep(random() * delayMs);
          await handler(delivery);
        };
        await Promise.all(random() < repeat ? [deliver(), deliver()] : [deliver()]);
      }),
    async enqueue(jobs, options) {
      if (random() < refuse) throw new Error('The queue is out of reach (chaos).');
      await queue.enqueue(
        jobs.filter(() => random() >= lose),
        options,
      );
    },
    discard: (jobs) => queue.discard(jobs),
    stop: (options) => queue.stop(options),
    ...(queue.ping !== undefined && { ping: () => queue.ping!() }),
  };
}
