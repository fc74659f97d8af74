import PQueue from 'p-queue';
import type { Delivery, JobRef, QueueBackend } from '../ports/queue-backend.ts';
import { createRunning } from './running.ts';

interface Ticket {
  state: 'waiting' | 'running' | 'discarded';
}

/**
 * Creates queues in this process, one per carrier; a sweep enqueues lost jobs again. Suits one process, or a few on one SQLite file.
 * @example
 * const quotes = createQuotes({ database, carriers, teams, queue: createPQueueBackend() });
 */
export function createPQueueBackend(): QueueBackend {
  const running = createRunning();
  const queues = new Map<string, PQueue>();
  const tickets = new Map<string, Ticket>();
  let enqueuedBeforeStart: JobRef[] = [];
  let handle: ((delivery: Delivery) => Promise<void>) | undefined;
  let stopped = false;

  const add = (job: JobRef) => {
    const queue = queues.get(job.queue);
    if (queue === undefined || tickets.has(job.key)) return;
    const ticket: Ticket = { state: 'waiting' };
    tickets.set(job.key, ticket);
    const work = async () => {
      if (ticket.state === 'discarded') return;
      ticket.state = 'running';
      try {
        await running.run((signal) => handle?.({ ...job, signal }) ?? Promise.resolve());
      } finally {
        if (tickets.get(job.key) === ticket) tickets.delete(job.key);
      }
    };
    // A cleared queue rejects its waiting jobs.
    queue.add(work).catch(() => {});
  };
  return {
    caps: { durable: false, distributed: false, transactional: false, concurrencyScope: 'process' },
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
    async discard(jobs) {
      const keys = new Set(jobs.map((job) => job.key));
      enqueuedBeforeStart = enqueuedBeforeStart.filter((job) => !keys.has(job.key));
      for (const key of keys) {
        const ticket = tickets.get(key);
        if (ticket?.state !== 'waiting') continue;
        ticket.state = 'discarded';
        tickets.delete(key);
      }
    },
    async stop({ graceMs }) {
      stopped = true;
      for (const queue of queues.values()) {
        queue.pause();
        queue.clear();
      }
      tickets.clear();
      await running.drain(graceMs);
    },
  };
}
