import { openDatabase } from '@leeward/database';
import { createQuotes, type QueueBackend, quoteMigrations } from '@leeward/quotes';
import { createBullMqBackend } from '@leeward/quotes/queues/bullmq';
import { createPQueueBackend } from '@leeward/quotes/queues/p-queue';
import { createPgBossBackend } from '@leeward/quotes/queues/pg-boss';
import { benchCarrier, body, teams } from './carrier.ts';
import { createPlace, type Place, redisUrl } from './places.ts';

export type BackendName = 'p-queue' | 'bullmq' | 'pg-boss';

export function openQueue(name: BackendName, place: Place): Promise<QueueBackend> | QueueBackend {
  switch (name) {
    case 'p-queue':
      return createPQueueBackend();
    case 'bullmq':
      return createBullMqBackend({ url: redisUrl, prefix: place.queue });
    case 'pg-boss':
      return createPgBossBackend({ url: place.url, schema: place.queue });
  }
}

export interface Load {
  readonly jobs: number;
  readonly latencyMs: number;
  readonly concurrency: number;
}

/** Rates per second from `start` to the last end, for stored rates. */
export async function oursPerSecond(name: BackendName, load: Load): Promise<number> {
  const place = await createPlace(name === 'p-queue' ? 'sqlite' : 'postgres');
  const database = await openDatabase(place.url, { migrations: [quoteMigrations] });
  const queue = await openQueue(name, place);
  const carriers = [benchCarrier({ key: 'bench', ...load })];
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let ended = 0;
  const quotes = createQuotes({
    database,
    carriers,
    queue,
    teams: teams(carriers),
    listener(event) {
      if (event.type === 'failure') console.error(event.where, event.error);
      if (event.type !== 'rate_ended') return;
      ended++;
      if (event.outcome !== 'quoted') throw new Error(`A rate ended as ${event.outcome}.`);
      if (ended === load.jobs) resolve();
    },
  });
  // Created without a reachable worker, so that rates are due but not enqueued.
  const asking = createQuotes({ database, carriers, queue: createPQueueBackend(), teams: teams(carriers) });
  for (let from = 0; from < load.jobs / 3; from += 100) {
    await Promise.all(Array.from({ length: Math.min(100, load.jobs / 3 - from) }, () => asking.create('team-1', body)));
  }
  await asking.stop();
  const start = performance.now();
  await quotes.start();
  await done;
  const seconds = (performance.now() - start) / 1000;
  await quotes.stop();
  await database.close();
  await place.remove();
  return load.jobs / seconds;
}
