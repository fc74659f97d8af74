import { openDatabase } from '@leeward/database';
import { createQuotes, quoteMigrations } from '@leeward/quotes';
import { createPQueueBackend } from '@leeward/quotes/queues/p-queue';
import { benchCarrier, body, teams } from './carrier.ts';
import { createPlace } from './places.ts';

export interface Memory {
  readonly quotes: number;
  readonly perSecond: number;
  /** Growth of the heap between the first thousand quotes and the end, after garbage collection. */
  readonly grownMegabytes: number;
  readonly residentMegabytes: number;
}

/** Makes and finishes quotes of one rate each in one process, and weighs it. */
export async function measureMemory(count: number): Promise<Memory> {
  const place = await createPlace('sqlite');
  const database = await openDatabase(place.url, { migrations: [quoteMigrations] });
  const carriers = [benchCarrier({ key: 'bench', latencyMs: 0, concurrency: 200 })];
  let ended = 0;
  let wakeUp = () => {};
  const quotes = createQuotes({
    database,
    carriers,
    queue: createPQueueBackend(),
    teams: teams(carriers),
    listener(event) {
      if (event.type !== 'rate_ended') return;
      ended++;
      wakeUp();
    },
  });
  await quotes.start();
  const start = performance.now();
  let afterFirst = 0;
  const request = { ...body, form_types: ['ho3'] };
  for (let made = 0; made < count; made += 200) {
    await Promise.all(Array.from({ length: 200 }, () => quotes.create('team-1', request)));
    while (ended < made + 200 - 1000) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wakeUp = resolve;
      await promise;
    }
    if (made === 1000) afterFirst = held();
  }
  while (ended < count) {
    const { promise, resolve } = Promise.withResolvers<void>();
    wakeUp = resolve;
    await promise;
  }
  const seconds = (performance.now() - start) / 1000;
  const grown = held() - afterFirst;
  const { rss } = process.memoryUsage();
  await quotes.stop();
  await database.close();
  await place.remove();
  return { quotes: count, perSecond: count / seconds, grownMegabytes: grown / 1e6, residentMegabytes: rss / 1e6 };
}

function held(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
