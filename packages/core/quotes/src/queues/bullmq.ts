import type { ConnectionOptions, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { JobRef, Lane, QueueBackend } from '../ports/queue-backend.ts';
import { createRunning } from './running.ts';
import { within } from './within.ts';

/** Which Redis holds the queue, and what its keys begin with. */
export interface BullMqOptions {
  /** `redis://…` or `rediss://…`. */
  readonly url: string;
  /** Before every key in Redis. Default `leeward`. */
  readonly prefix?: string | undefined;
  /** Hears of lost connections and of jobs that stalled. Default: nobody. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** A worker that has not renewed its lock for so long is taken to be gone, and its place in the lane is given away. */
const LOCK_DURATION_MS = 6_000;
const STALLED_CHECK_MS = 2_000;
/** How long a command waits for a connection that is being made. */
const CONNECT_MS = 2_000;
/** A connection can break with a command under way, which then waits for the next: so long, for whoever asked. */
const ANSWER_MS = 4_000;
/** How long each part of stopping may take: with Redis away it would take for ever. */
const LAST_MOMENT_MS = 800;

/**
 * Queues on Redis, one a lane, shared by all processes; a lane's concurrency holds for all of them together. Redis needs
 * no persistence: what it forgets, the store's sweep enqueues again. Loads the optional peers `bullmq` and `ioredis`.
 */
export async function createBullMqBackend(options: BullMqOptions): Promise<QueueBackend> {
  const { url, prefix = 'leeward', onError = () => {} } = options;
  const bullmq = await loadPeers();
  const redis = new bullmq.Redis(url, {
    // A worker's commands wait for a connection that was lost; those of callers look first (see `connected`).
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(2000, 100 * times),
  });
  redis.on('error', onError);
  const connection = redis as unknown as ConnectionOptions;
  const running = createRunning();
  const queues = new Map<string, Queue>();
  const workers: Worker[] = [];
  let lanes: readonly Lane[] = [];
  let stopped = false;

  const queueOf = (lane: string): Queue => {
    let queue = queues.get(lane);
    if (queue === undefined) {
      // No event stream to speak of: nobody listens to it.
      const streams = { events: { maxLen: 100 } };
      queue = new bullmq.Queue(lane, { connection, prefix, streams, skipVersionCheck: true });
      queue.on('error', onError);
      queues.set(lane, queue);
    }
    return queue;
  };
  const shareLanes = () =>
    Promise.all(lanes.map((lane) => queueOf(lane.key).setGlobalConcurrency(lane.concurrency))).catch(onError);
  // A Redis that restarted without its data has forgotten the limits.
  redis.on('ready', () => void shareLanes());

  return {
    caps: { durable: true, distributed: true, transactional: false, laneScope: 'cluster' },
    async start(wanted, handler) {
      if (workers.length > 0) throw new Error('The queue has been started already.');
      await connected(redis);
      lanes = wanted;
      await shareLanes();
      for (const lane of lanes) {
        const worker = new bullmq.Worker(
          lane.key,
          (job) => running.run((signal) => handler({ key: job.id ?? '', lane: lane.key, signal })),
          {
            connection,
            prefix,
            concurrency: lane.concurrency,
            lockDuration: LOCK_DURATION_MS,
            stalledInterval: STALLED_CHECK_MS,
            // A job is delivered once; whether its rate needs another is for the store to say.
            maxStalledCount: 0,
            removeOnComplete: { count: 0 },
            removeOnFail: { count: 0 },
            runRetryDelay: 1000,
            skipVersionCheck: true,
          },
        );
        worker.on('error', onError);
        workers.push(worker);
      }
    },
    async enqueue(jobs) {
      if (stopped) throw new Error('The queue has been stopped.');
      await connected(redis);
      const added = [...byLane(jobs)].map(([lane, ofLane]) =>
        queueOf(lane).addBulk(
          ofLane.map(({ key }) => ({
            name: 'rate',
            data: null,
            opts: { jobId: key, attempts: 1, removeOnComplete: true, removeOnFail: true },
          })),
        ),
      );
      await answered(Promise.all(added));
    },
    async discard(jobs) {
      await connected(redis);
      // One that runs is locked and stays.
      await answered(Promise.all(jobs.map((job) => queueOf(job.lane).remove(job.key))));
    },
    async stop({ graceMs }) {
      stopped = true;
      // Ends fetching at once; the promise waits for the handlers, which `drain` ends.
      // With Redis away a worker that is not forced would wait for it, and keep the process from ending.
      const isAway = redis.status !== 'ready';
      const closed = Promise.all(workers.map((worker) => worker.close(isAway)));
      await running.drain(graceMs);
      await within(LAST_MOMENT_MS, closed);
      await within(LAST_MOMENT_MS, Promise.all([...queues.values()].map((queue) => queue.close())));
      await within(LAST_MOMENT_MS, Promise.all(workers.map((worker) => worker.disconnect())));
      redis.disconnect();
    },
    async ping() {
      await connected(redis);
      await answered(redis.ping());
    },
  };
}

async function loadPeers() {
  try {
    const [{ Queue, Worker }, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { Queue, Worker, Redis };
  } catch (error) {
    throw new Error('Queues on Redis need two packages: npm install bullmq ioredis', { cause: error });
  }
}

function byLane(jobs: readonly JobRef[]): Map<string, JobRef[]> {
  return Map.groupBy(jobs, (job) => job.lane);
}

/** Commands to a Redis that is away would pile up and wait: say so instead. */
async function connected(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`Redis is out of reach (${redis.status}).`)), CONNECT_MS);
  redis.once('ready', resolve);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    redis.off('ready', resolve);
  }
}

async function answered(work: Promise<unknown>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`Redis did not answer within ${ANSWER_MS} ms.`)), ANSWER_MS);
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
