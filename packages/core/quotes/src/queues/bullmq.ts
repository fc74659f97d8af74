import type { ConnectionOptions, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { QueueBackend } from '../ports/queue-backend.ts';
import { createRunning } from './running.ts';
import { orTimeout, within } from './within.ts';

/** Connection and key prefix in Redis. */
export interface BullMqOptions {
  /** `redis://…` or `rediss://…`. */
  readonly url: string;
  /** @default 'leeward' */
  readonly prefix?: string | undefined;
  /** Lost connections and stalled jobs. @default does nothing */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** A worker that does not renew within this time counts as dead. */
const LOCK_DURATION_MS = 6_000;
const STALLED_CHECK_MS = 2_000;
const CONNECT_MS = 2_000;
/** A command on a broken connection would wait for the next one. */
const ANSWER_MS = 4_000;
/** Without Redis a step would never end. */
const STOP_STEP_MS = 800;

/**
 * Queues in Redis, one per carrier, shared by all processes. Redis needs no persistence: workers find the work of lost jobs themselves.
 * Loads the optional peers `bullmq` and `ioredis`.
 *
 * @example
 * const queue = await createBullMqBackend({ url: 'redis://127.0.0.1:6379' });
 */
export async function createBullMqBackend(options: BullMqOptions): Promise<QueueBackend> {
  const { url, prefix = 'leeward', onError = () => {} } = options;
  const bullmq = await loadPeers();
  const redis = new bullmq.Redis(url, {
    // Workers wait for a lost connection; other callers check it first (`connected`).
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(2000, 100 * times),
  });
  redis.on('error', onError);
  const connection = redis as unknown as ConnectionOptions;
  const running = createRunning();
  const queues = new Map<string, Queue>();
  const workers: Worker[] = [];
  let stopped = false;

  const queueOf = (key: string): Queue => {
    let queue = queues.get(key);
    if (queue === undefined) {
      const streams = { events: { maxLen: 100 } };
      queue = new bullmq.Queue(key, { connection, prefix, streams, skipVersionCheck: true });
      queue.on('error', onError);
      queues.set(key, queue);
    }
    return queue;
  };

  return {
    caps: { durable: true, distributed: true },
    async start(carrierQueues, handler) {
      if (workers.length > 0) throw new Error('The queue was already started.');
      await connected(redis);
      for (const { key: queue, concurrency } of carrierQueues) {
        const worker = new bullmq.Worker(
          queue,
          (job) => running.run((signal) => handler({ key: job.id ?? '', queue, signal })),
          {
            connection,
            prefix,
            concurrency,
            lockDuration: LOCK_DURATION_MS,
            stalledInterval: STALLED_CHECK_MS,
            // Delivered once; the store decides on another job.
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
      if (stopped) throw new Error('The queue was stopped.');
      await connected(redis);
      const additions = [...Map.groupBy(jobs, (job) => job.queue)].map(([queue, group]) =>
        queueOf(queue).addBulk(
          group.map(({ key }) => ({
            name: 'rate',
            data: null,
            opts: { jobId: key, attempts: 1, removeOnComplete: true, removeOnFail: true },
          })),
        ),
      );
      await answered(Promise.all(additions));
    },
    async stop({ graceMs }) {
      stopped = true;
      // `close` ends fetching and resolves after the handlers; without Redis, only a forced close resolves.
      const isAway = redis.status !== 'ready';
      const closed = Promise.all(workers.map((worker) => worker.close(isAway)));
      await running.drain(graceMs);
      await within(STOP_STEP_MS, closed);
      await within(STOP_STEP_MS, Promise.all([...queues.values()].map((queue) => queue.close())));
      await within(STOP_STEP_MS, Promise.all(workers.map((worker) => worker.disconnect())));
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
    throw new Error('Queues in Redis need two packages: npm install bullmq ioredis', { cause: error });
  }
}

/** Commands to an unavailable Redis would pile up. @throws after {@link CONNECT_MS}. */
async function connected(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return;
  const { promise, resolve } = Promise.withResolvers<void>();
  redis.once('ready', resolve);
  await orTimeout(CONNECT_MS, promise, `Redis is unavailable (${redis.status}).`).finally(() =>
    redis.off('ready', resolve),
  );
}

async function answered(work: Promise<unknown>): Promise<void> {
  await orTimeout(ANSWER_MS, work, `Redis did not answer within ${ANSWER_MS} ms.`);
}
