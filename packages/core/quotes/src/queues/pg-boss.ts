import type { PgBoss } from 'pg-boss';
import type { CarrierQueue, Delivery, QueueBackend } from '../ports/queue-backend.ts';
import { createRunning, type Running } from './running.ts';
import { within } from './within.ts';

/** Connection, schema and polling in PostgreSQL. */
export interface PgBossOptions {
  /** `postgres://…`. */
  readonly url: string;
  /** @default 'leeward_queue' */
  readonly schema?: string | undefined;
  /** Maximum connections. @default 6 */
  readonly poolSize?: number | undefined;
  /** Interval at which an idle queue checks for jobs of other processes. @default 500 */
  readonly pollIntervalMs?: number | undefined;
  /** Background errors. @default does nothing */
  readonly onError?: ((error: Error) => void) | undefined;
}

const HEARTBEAT_SECONDS = 10;
const TOUCH_EVERY_MS = 4_000;
const MAX_FETCH = 100;
/** Without PostgreSQL the last deletions would never end. */
const STOP_MS = 1000;
const GATHER_MS = 5;

/**
 * Queues in PostgreSQL, one per carrier, shared by all processes. One fetch fills all free slots, and jobs run separately, so a slow one
 * delays no other. Loads the optional peer `pg-boss`.
 * @example
 * const queue = await createPgBossBackend({ url: 'postgres://localhost/quotes' });
 */
export async function createPgBossBackend(options: PgBossOptions): Promise<QueueBackend> {
  const { url, schema = 'leeward_queue', poolSize = 6, pollIntervalMs = 500, onError = () => {} } = options;
  const { PgBoss } = await loadPgBoss();
  const boss = new PgBoss({
    connectionString: url,
    schema,
    max: poolSize,
    application_name: 'leeward-queue',
    schedule: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  });
  boss.on('error', onError);
  surviveLostConnections(boss);
  await boss.start();
  const running = createRunning();
  const pollers = new Map<string, QueuePoller>();
  const creations = new Map<string, Promise<void>>();
  let stopped = false;

  const ensureQueue = (queue: string): Promise<void> => {
    let creation = creations.get(queue);
    if (creation === undefined) {
      creation = boss
        .createQueue(queue, {
          // One unfinished job per key.
          policy: 'exclusive',
          retryLimit: 0,
          heartbeatSeconds: HEARTBEAT_SECONDS,
          deleteAfterSeconds: 3600,
          retentionSeconds: 7 * 86_400,
        })
        .catch((error: unknown) => {
          creations.delete(queue);
          throw error;
        });
      creations.set(queue, creation);
    }
    return creation;
  };
  /**
   * Makes pg-boss read settings now. At first use it takes a separate connection: queues that start together would hold all connections
   * and wait for each other.
   */
  const loadSettings = (queue: string) => boss.findJobs(queue, { id: '00000000-0000-0000-0000-000000000000' });
  return {
    caps: { durable: true, distributed: true },
    async start(carrierQueues, handler) {
      if (pollers.size > 0) throw new Error('The queue was already started.');
      for (const { key, maxRunMs } of carrierQueues) {
        await ensureQueue(key);
        await boss.updateQueue(key, { expireInSeconds: Math.ceil(maxRunMs / 1000) });
        await loadSettings(key);
      }
      // After all queues exist, so that a failed start can be repeated.
      for (const carrierQueue of carrierQueues) {
        const poller = createQueuePoller({ boss, carrierQueue, handler, running, pollIntervalMs, onError });
        pollers.set(carrierQueue.key, poller);
      }
    },
    async enqueue(jobs) {
      if (stopped) throw new Error('The queue was stopped.');
      for (const [queue, group] of Map.groupBy(jobs, (job) => job.queue)) {
        await ensureQueue(queue);
        await boss.insert(
          queue,
          group.map(({ key }) => ({ data: { key }, singletonKey: key })),
        );
        pollers.get(queue)?.wake();
      }
    },
    async stop({ graceMs }) {
      stopped = true;
      for (const poller of pollers.values()) poller.stop();
      await running.drain(graceMs);
      await Promise.all([...pollers.values()].map((poller) => poller.ended));
      // Otherwise finished jobs occupy slots until they expire.
      await within(STOP_MS, Promise.all([...pollers.values()].map((poller) => poller.deleteFinished())));
      await boss.stop({ graceful: false, close: true }).catch(onError);
    },
    async ping() {
      await boss.getDb().executeSql('select 1');
    },
  };
}

interface QueuePoller {
  wake(): void;
  stop(): void;
  readonly ended: Promise<void>;
  /** Call it when no handler runs. */
  deleteFinished(): Promise<void>;
}

interface FinishedJob {
  readonly id: string;
  readonly retryCount: number;
}

/**
 * Deletes finished jobs, which frees their keys, and fetches new ones. The commit does not wait for the disk: a queue may lose and repeat
 * jobs.
 */
function createExchange(boss: PgBoss, { key: queue }: CarrierQueue, finished: FinishedJob[]) {
  return async (batchSize: number) => {
    const deletions = finished.splice(0);
    try {
      const tx = await boss.getDb().beginTransaction?.();
      if (tx === undefined) throw new Error('pg-boss runs without transactions.');
      const { db } = tx;
      try {
        await db.executeSql(`select set_config('synchronous_commit', 'off', true)`, []);
        if (deletions.length > 0) await boss.deleteJob(queue, deletions, { db });
        // Every job is due: comparing start times would delay all if the clock is set back.
        const fetchOptions = { batchSize, ignoreStartAfter: true, db };
        const jobs = batchSize > 0 ? await boss.fetch<{ key: string }>(queue, fetchOptions) : [];
        await tx.commit();
        return jobs;
      } catch (error) {
        await tx.rollback();
        throw error;
      }
    } catch (error) {
      finished.unshift(...deletions);
      throw error;
    }
  };
}

function createQueuePoller(options: {
  boss: PgBoss;
  carrierQueue: CarrierQueue;
  handler: (delivery: Delivery) => Promise<void>;
  running: Running;
  pollIntervalMs: number;
  onError: (error: Error) => void;
}): QueuePoller {
  const { boss, carrierQueue, handler, running, pollIntervalMs, onError } = options;
  const { key: queue, concurrency } = carrierQueue;
  const report = (error: unknown) => onError(error instanceof Error ? error : new Error(String(error)));
  const active = new Map<string, { id: string; retryCount: number }>();
  const finished: FinishedJob[] = [];
  const exchange = createExchange(boss, carrierQueue, finished);
  let slots = concurrency;
  let stopped = false;
  let woken = false;
  let wakeUp: (() => void) | undefined;
  const wake = () => {
    woken = true;
    wakeUp?.();
  };

  const run = async (job: { id: string; retryCount: number; data: { key: string } }) => {
    active.set(job.id, job);
    await running.run((signal) => handler({ key: job.data.key, queue, signal }));
    active.delete(job.id);
    finished.push({ id: job.id, retryCount: job.retryCount });
    slots++;
    wake();
  };
  const pause = async (durationMs: number) => {
    if (woken || stopped) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    wakeUp = resolve;
    const timer = setTimeout(resolve, durationMs);
    await promise;
    clearTimeout(timer);
    wakeUp = undefined;
  };
  const loop = async () => {
    while (!stopped) {
      woken = false;
      const free = Math.min(slots, MAX_FETCH);
      let fetched = 0;
      try {
        if (free > 0 || finished.length > 0) {
          const jobs = await exchange(free);
          fetched = jobs.length;
          slots -= fetched;
          for (const job of jobs) void run(job);
        }
      } catch (error) {
        report(error);
      }
      if (fetched === free && fetched > 0 && slots > 0) continue;
      await pause(pollIntervalMs);
      if (woken && !stopped) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    }
  };
  const touching = setInterval(() => {
    const jobs = [...active.values()].map(({ id, retryCount }) => ({ id, retryCount }));
    if (jobs.length > 0) boss.touch(queue, jobs).catch(report);
  }, TOUCH_EVERY_MS);
  return {
    wake,
    stop() {
      stopped = true;
      wakeUp?.();
    },
    ended: loop(),
    async deleteFinished() {
      clearInterval(touching);
      if (finished.length > 0) await exchange(0);
    },
  };
}

/**
 * Without an error listener, a connection lost before pg-boss listens would end the process. The pool exists only after pg-boss opened
 * it.
 */
function surviveLostConnections(boss: PgBoss): void {
  const db = boss.getDb() as { pool?: Pool; open?: () => Promise<void> };
  const { open } = db;
  db.open = async () => {
    await open?.call(db);
    db.pool?.on('connect', (client) => client.on('error', () => {}));
  };
}

interface Pool {
  on(event: 'connect', listener: (client: { on(event: 'error', listener: () => void): void }) => void): void;
}

async function loadPgBoss() {
  try {
    return await import('pg-boss');
  } catch (error) {
    throw new Error('Queues in PostgreSQL need the package pg-boss: npm install pg-boss', { cause: error });
  }
}
