import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import PQueue from 'p-queue';
import { PgBoss } from 'pg-boss';
import type { BackendName, Load } from './ours.ts';
import { createPlace, type Place, postgresUrl, redisUrl } from './places.ts';

/**
 * Jobs per second of the backend alone, used as documented, without store or fence. pg-boss is measured in three ways,
 * and the fastest counts. Workers take one job per fetch, or fifty and wait for the slowest, or the caller uses `fetch`
 * and `complete`.
 */
export async function barePerSecond(name: BackendName, load: Load): Promise<number> {
  switch (name) {
    case 'p-queue':
      return measurePQueue(load);
    case 'bullmq':
      return inPlace((place) => measureBullMq(load, place));
    case 'pg-boss': {
      const single = await inPlace((place) => measurePgBoss(load, place, 1));
      const fifty = await inPlace((place) => measurePgBoss(load, place, 50));
      const fetched = await inPlace((place) => measurePgBossFetches(load, place));
      console.error(
        `pg-boss: ${single.toFixed(0)}/s, by fifty ${fifty.toFixed(0)}/s, by fetch ${fetched.toFixed(0)}/s`,
      );
      return Math.max(single, fifty, fetched);
    }
  }
}

async function inPlace<Result>(measure: (place: Place) => Promise<Result>): Promise<Result> {
  const place = await createPlace('postgres');
  try {
    return await measure(place);
  } finally {
    await place.remove();
  }
}

async function measurePQueue(load: Load): Promise<number> {
  const queue = new PQueue({ concurrency: load.concurrency });
  const start = performance.now();
  await queue.addAll(Array.from({ length: load.jobs }, () => () => sleep(load.latencyMs)));
  return perSecond(load, start);
}

async function measureBullMq(load: Load, place: Place): Promise<number> {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const options = { connection, prefix: place.queue };
  const queue = new Queue('bench', options);
  await queue.waitUntilReady();
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let ended = 0;
  const start = performance.now();
  const worker = new Worker(
    'bench',
    async () => {
      await sleep(load.latencyMs);
    },
    { ...options, concurrency: load.concurrency },
  );
  worker.on('completed', () => {
    ended++;
    if (ended === load.jobs) resolve();
  });
  for (let from = 0; from < load.jobs; from += 500) {
    const jobs = Array.from({ length: Math.min(500, load.jobs - from) }, (_, index) => ({
      name: 'rate',
      data: { rate: from + index },
      opts: { attempts: 1, removeOnComplete: true, removeOnFail: true },
    }));
    await queue.addBulk(jobs);
  }
  await done;
  const result = perSecond(load, start);
  await worker.close();
  await queue.close();
  connection.disconnect();
  return result;
}

async function measurePgBoss(load: Load, place: Place, batchSize: number): Promise<number> {
  const boss = new PgBoss({ connectionString: postgresUrl, schema: place.queue, schedule: false });
  boss.on('error', console.error);
  await boss.start();
  await boss.createQueue('bench', { retryLimit: 0 });
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let ended = 0;
  const start = performance.now();
  await boss.insert(
    'bench',
    Array.from({ length: load.jobs }, (_, index) => ({ data: { rate: index } })),
  );
  await boss.work(
    'bench',
    { batchSize, localConcurrency: load.concurrency / batchSize, pollingIntervalSeconds: 0.5 },
    async (jobs) => {
      await sleep(load.latencyMs);
      ended += jobs.length;
      if (ended === load.jobs) resolve();
    },
  );
  await done;
  const result = perSecond(load, start);
  await boss.stop({ graceful: false });
  return result;
}

/** One fetch fills all free slots, and finished jobs are completed together. */
async function measurePgBossFetches(load: Load, place: Place): Promise<number> {
  const boss = new PgBoss({ connectionString: postgresUrl, schema: place.queue, schedule: false });
  boss.on('error', console.error);
  await boss.start();
  await boss.createQueue('bench', { retryLimit: 0 });
  const start = performance.now();
  await boss.insert(
    'bench',
    Array.from({ length: load.jobs }, (_, index) => ({ data: { rate: index } })),
  );
  let [active, completed] = [0, 0];
  const finished: string[] = [];
  const complete = async () => {
    const ids = finished.splice(0);
    if (ids.length === 0) return;
    await boss.complete('bench', ids);
    completed += ids.length;
  };
  while (completed < load.jobs) {
    const free = load.concurrency - active;
    const fetching = free > 0 ? boss.fetch('bench', { batchSize: free }) : Promise.resolve([]);
    const [jobs] = await Promise.all([fetching, complete()]);
    active += jobs.length;
    for (const { id } of jobs) {
      void sleep(load.latencyMs).then(() => {
        active--;
        finished.push(id);
      });
    }
    if (finished.length === 0) await sleep(1);
  }
  const result = perSecond(load, start);
  await boss.stop({ graceful: false });
  return result;
}

function perSecond(load: Load, start: number): number {
  return load.jobs / ((performance.now() - start) / 1000);
}
