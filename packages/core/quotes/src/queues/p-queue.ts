import PQueue from 'p-queue';
import type { Delivery, JobRef, QueueBackend } from '../ports/queue-backend.ts';
import { createRunning } from './running.ts';

/**
 * Creates queues in this process, one per carrier; a sweep enqueues lost jobs again. Suits one process, or a few on one SQLite file.
 * @example
 * const quotes = createQuotes({ database, carriers, teams, queue: createPQueueBackend() });
 */
export function createPQueueBackend(): QueueBackend {
  const running = createRunning();
  const queues = new Map<string, PQueue>();
  const unfinished = new Set<string>();
  let enqueuedBeforeStart: JobRef[] = [];
  let handle: ((delivery: Delivery) => Promise<void>) | undefined;
  let stopped = false;

  const add = (job: JobRef) => {
    const queue = queues.get(job.queue);
    const key = `${job.queue} ${job.key}`;
    if (queue === undefined || unfinished.has(key)) return;
    unfinished.add(key);
    const work = async () => {
      await running.run((signal) => handle?.({ ...job, signal }) ?? Promise.resolve());
      unfinished.delete(key);
    };
    // A cleared queue rejects its waiting jobs.
    queue.add(work).catch(() => {});
  };
  return {
    caps: { durable: false, distributed: false },
    async start(carrierQueues, handler) {
      if (handle !== undefined) throw new Error('The queue was already started.');
      handle = handler;
      for (const { key, concurrency } of carrierQueues) queues.set(key, new PQueue({ concurrency }));
      for (const job of enqueuedBeforeStart) add(job);
      enqueuedBeforeStart = [];
    },
    async enqueue(jobs) {
      if (stopped) throw new Error('The queue was stopped.');
      if (handle === undefined) enqueuedBeforeStart.push(...jobs);
      else for (const job of jobs) add(job);
    },
    async stop({ graceMs }) {
      stopped = true;
      for (const queue of queues.values()) {
        queue.pause();
        queue.clear();
      }
      await running.drain(graceMs);
    },
  };
}
