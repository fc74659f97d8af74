import PQueue from 'p-queue';
import type { Delivery, JobRef, QueueBackend } from '../ports/queue-backend.ts';
import { createRunning } from './running.ts';

/** Where a job is; a discarded one is passed over when its turn comes. */
interface Ticket {
  state: 'waiting' | 'running' | 'discarded';
}

/**
 * The default: queues in this process, one per lane. Jobs die with it, and the store's sweep finds their rates again.
 * Suits one process, or a few on one SQLite file: each works on what it takes from the store.
 */
export function createPQueueBackend(): QueueBackend {
  const running = createRunning();
  const queues = new Map<string, PQueue>();
  const tickets = new Map<string, Ticket>();
  /** Enqueued before `start`. */
  let early: JobRef[] = [];
  let handle: ((delivery: Delivery) => Promise<void>) | undefined;
  let stopped = false;

  const add = (job: JobRef) => {
    const queue = queues.get(job.lane);
    if (queue === undefined || tickets.has(job.key)) return;
    const ticket: Ticket = { state: 'waiting' };
    tickets.set(job.key, ticket);
    const work = async () => {
      if (ticket.state === 'discarded') return;
      ticket.state = 'running';
      try {
        await running.run((signal) => handle?.({ key: job.key, lane: job.lane, signal }) ?? Promise.resolve());
      } finally {
        if (tickets.get(job.key) === ticket) tickets.delete(job.key);
      }
    };
    // A queue that is cleared rejects what waited in it.
    queue.add(work).catch(() => {});
  };
  return {
    caps: { durable: false, distributed: false, transactional: false, laneScope: 'process' },
    async start(lanes, handler) {
      if (handle !== undefined) throw new Error('The queue has been started already.');
      handle = handler;
      for (const lane of lanes) queues.set(lane.key, new PQueue({ concurrency: lane.concurrency }));
      for (const job of early) add(job);
      early = [];
    },
    async enqueue(jobs) {
      if (stopped) throw new Error('The queue has been stopped.');
      if (handle === undefined) early.push(...jobs);
      else for (const job of jobs) add(job);
    },
    async discard(jobs) {
      const keys = new Set(jobs.map((job) => job.key));
      early = early.filter((job) => !keys.has(job.key));
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
