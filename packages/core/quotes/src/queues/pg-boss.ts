import type { PgBoss } from 'pg-boss';
import type { Delivery, Lane, QueueBackend } from '../ports/queue-backend.ts';
import { createRunning, type Running } from './running.ts';
import { within } from './within.ts';

/** Which PostgreSQL holds the queue, and in which schema. */
export interface PgBossOptions {
  /** `postgres://…`. */
  readonly url: string;
  /** Where pg-boss keeps its tables. Default `leeward_queue`. */
  readonly schema?: string | undefined;
  /** Connections at most. Default 6. */
  readonly poolSize?: number | undefined;
  /** How often an idle lane looks for jobs of other processes. Default 500. */
  readonly pollIntervalMs?: number | undefined;
  /** Hears of what goes wrong in the background. Default: nobody. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** A job whose worker has not been heard of for so long is given up, and its place in the lane is given away. */
const HEARTBEAT_SECONDS = 10;
const TOUCH_EVERY_MS = 4_000;
const MAX_FETCH = 100;
/** How long stopping waits for jobs to be taken off: with PostgreSQL away it would take for ever. */
const LAST_MOMENT_MS = 1000;
/** Slots that become free so close together are filled by one fetch. */
const GATHER_MS = 5;

/**
 * Queues on PostgreSQL, shared by all processes; a lane's concurrency holds for all of them together. Jobs are fetched
 * for as many slots as are free and each runs by itself, so that none waits for a slower one. Loads the optional peer
 * `pg-boss`. `enqueue` takes a Kysely transaction on the same database as `tx`.
 */
export async function createPgBossBackend(options: PgBossOptions): Promise<QueueBackend> {
  const { url, schema = 'leeward_queue', poolSize = 6, pollIntervalMs = 500, onError = () => {} } = options;
  const { PgBoss, fromKysely } = await loadPgBoss();
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
  const pollers = new Map<string, LanePoller>();
  const known = new Map<string, Promise<void>>();
  let stopped = false;

  const ensureQueue = (lane: string): Promise<void> => {
    let made = known.get(lane);
    if (made === undefined) {
      made = boss
        .createQueue(lane, {
          // One unfinished job a key.
          policy: 'exclusive',
          retryLimit: 0,
          heartbeatSeconds: HEARTBEAT_SECONDS,
          deleteAfterSeconds: 3600,
          retentionSeconds: 7 * 86_400,
        })
        .catch((error: unknown) => {
          known.delete(lane);
          throw error;
        });
      known.set(lane, made);
    }
    return made;
  };
  /**
   * pg-boss looks at a queue when it is first asked about it, over a connection of its own. Lanes that begin at once hold all
   * connections in transactions: each would wait for one that another holds.
   */
  const learnOf = (lane: string) => boss.findJobs(lane, { id: '00000000-0000-0000-0000-000000000000' });
  return {
    caps: { durable: true, distributed: true, transactional: true, laneScope: 'cluster' },
    async start(lanes, handler) {
      if (pollers.size > 0) throw new Error('The queue has been started already.');
      for (const lane of lanes) {
        await ensureQueue(lane.key);
        await boss.updateQueue(lane.key, { expireInSeconds: Math.ceil(lane.maxRunMs / 1000) });
        await learnOf(lane.key);
      }
      // Not before all are there: who fails on the way can start again.
      for (const lane of lanes) {
        pollers.set(lane.key, createLanePoller({ boss, lane, handler, running, pollIntervalMs, onError }));
      }
    },
    async enqueue(jobs, { tx } = {}) {
      if (stopped) throw new Error('The queue has been stopped.');
      const ofTransaction = tx === undefined ? {} : { db: fromKysely(tx as Parameters<typeof fromKysely>[0]) };
      for (const [lane, ofLane] of Map.groupBy(jobs, (job) => job.lane)) {
        await ensureQueue(lane);
        const inserts = ofLane.map(({ key }) => ({ data: { key }, singletonKey: key, group: { id: lane } }));
        await boss.insert(lane, inserts, ofTransaction);
        pollers.get(lane)?.wake();
      }
    },
    async discard(jobs) {
      for (const { key, lane } of jobs) {
        await ensureQueue(lane);
        const waiting = await boss.findJobs(lane, { key, queued: true });
        if (waiting.length > 0)
          await boss.deleteJob(
            lane,
            waiting.map((job) => job.id),
          );
      }
    },
    async stop({ graceMs }) {
      stopped = true;
      for (const poller of pollers.values()) poller.stop();
      await running.drain(graceMs);
      await Promise.all([...pollers.values()].map((poller) => poller.ended));
      // Jobs that have run are taken off, or they would keep their places in the lane for a while.
      await within(LAST_MOMENT_MS, Promise.all([...pollers.values()].map((poller) => poller.settle())));
      await boss.stop({ graceful: false, close: true }).catch(onError);
    },
    async ping() {
      await boss.getDb().executeSql('select 1');
    },
  };
}

interface LanePoller {
  /** There may be something to fetch. */
  wake(): void;
  stop(): void;
  readonly ended: Promise<void>;
  /** When nothing runs any more: takes off the last of what has run. */
  settle(): Promise<void>;
}

function createLanePoller(options: {
  boss: PgBoss;
  lane: Lane;
  handler: (delivery: Delivery) => Promise<void>;
  running: Running;
  pollIntervalMs: number;
  onError: (error: Error) => void;
}): LanePoller {
  const { boss, lane, handler, running, pollIntervalMs, onError } = options;
  const report = (error: unknown) => onError(error instanceof Error ? error : new Error(String(error)));
  const active = new Map<string, { id: string; retryCount: number }>();
  /** Have run, and are still to be taken off: until then they count as jobs of the lane. */
  const done: { id: string; retryCount: number }[] = [];
  let stopped = false;
  let woken = false;
  let wakeUp: (() => void) | undefined;
  const wake = () => {
    woken = true;
    wakeUp?.();
  };

  /**
   * Takes off what has run (its key is free again, and the table stays small) and fetches what comes next. Under a lock,
   * so that two processes do not both see the lane's last free slot; without waiting for the disk, because what is
   * forgotten in a crash is told again by the store's sweep, and what comes twice is claimed once.
   */
  const exchange = async (batchSize: number) => {
    const off = done.splice(0);
    try {
      const tx = await boss.getDb().beginTransaction?.();
      if (tx === undefined) throw new Error('pg-boss runs without transactions.');
      const { db } = tx;
      try {
        await db.executeSql(
          `select set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(hashtext($1), hashtext($2))`,
          ['leeward lane', lane.key],
        );
        if (off.length > 0) await boss.deleteJob(lane.key, off, { db });
        const jobs =
          batchSize > 0
            ? // Nothing is put off here: by a clock that was set back all that waits would seem to be.
              await boss.fetch<{ key: string }>(lane.key, {
                batchSize,
                groupConcurrency: lane.concurrency,
                ignoreStartAfter: true,
                db,
              })
            : [];
        await tx.commit();
        return jobs;
      } catch (error) {
        await tx.rollback();
        throw error;
      }
    } catch (error) {
      done.unshift(...off);
      throw error;
    }
  };
  const run = async (job: { id: string; retryCount: number; data: { key: string } }) => {
    active.set(job.id, job);
    await running.run((signal) => handler({ key: job.data.key, lane: lane.key, signal }));
    active.delete(job.id);
    done.push({ id: job.id, retryCount: job.retryCount });
    slots++;
    wake();
  };
  let slots = lane.concurrency;
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
      const wanted = Math.min(slots, MAX_FETCH);
      let fetched = 0;
      try {
        if (wanted > 0 || done.length > 0) {
          const jobs = await exchange(wanted);
          fetched = jobs.length;
          slots -= fetched;
          for (const job of jobs) void run(job);
        }
      } catch (error) {
        report(error);
      }
      if (fetched === wanted && fetched > 0 && slots > 0) continue;
      await pause(pollIntervalMs);
      if (woken && !stopped) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    }
  };
  const touching = setInterval(() => {
    if (active.size > 0)
      boss
        .touch(
          lane.key,
          [...active.values()].map(({ id, retryCount }) => ({ id, retryCount })),
        )
        .catch(report);
  }, TOUCH_EVERY_MS);
  return {
    wake,
    stop() {
      stopped = true;
      wakeUp?.();
    },
    ended: loop(),
    async settle() {
      clearInterval(touching);
      if (done.length > 0) await exchange(0);
    },
  };
}

/**
 * A connection that is lost just when it has been made, before the one who asked for it listens, would end the process: its
 * error has a listener from the first moment on. pg-boss makes its pool when it starts, and has no other way to it.
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
    throw new Error('Queues on PostgreSQL need the package pg-boss: npm install pg-boss', { cause: error });
  }
}
