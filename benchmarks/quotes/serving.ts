import { openDatabase } from '@leeward/database';
import { createQuotes, quoteMigrations } from '@leeward/quotes';
import { createPQueueBackend } from '@leeward/quotes/queues/p-queue';
import { median } from '../report.ts';
import { benchCarrier, body, teams } from './carrier.ts';
import { createPlace } from './places.ts';

export interface Serving {
  /** Median of one create of sixty rates, alone. */
  readonly createMs: number;
  /** Creates of sixty rates, sixteen at a time. */
  readonly createsPerSecond: number;
  /** Polls of a quote of sixty ended rates, sixteen at a time. */
  readonly pollsPerSecond: number;
}

const carriers = Array.from({ length: 20 }, (_, index) =>
  benchCarrier({ key: `bench_${index}`, latencyMs: 0, concurrency: 8 }),
);

/** Latency of creates, and number of polls answered. */
export async function measureServing(engine: 'sqlite' | 'postgres', count: number): Promise<Serving> {
  const place = await createPlace(engine);
  const database = await openDatabase(place.url, { migrations: [quoteMigrations] });
  const create = { database, carriers, queue: createPQueueBackend(), teams: teams(carriers) };
  const quotes = createQuotes(create);
  const alone: number[] = [];
  for (let index = 0; index < count / 10; index++) {
    const start = performance.now();
    const { counts } = await quotes.create('team-1', body);
    alone.push(performance.now() - start);
    if (counts.processing !== 60) throw new Error(`${counts.processing} rates instead of 60.`);
  }
  const createsPerSecond = await perSecond(count, () => quotes.create('team-1', body));
  await quotes.stop();

  // Most polls come when all carriers have answered.
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let ended = 0;
  const working = createQuotes({
    ...create,
    queue: createPQueueBackend(),
    listener: (event) => {
      if (event.type === 'rate_ended' && ++ended === 60) resolve();
    },
  });
  const { quote_request_id: id } = await working.create('team-1', body);
  await working.start();
  await done;
  for (;;) {
    const status = await working.status('team-1', id);
    if (status?.status === 'complete') break;
    await new Promise((wait) => setTimeout(wait, 100));
  }
  await working.stop();
  const pollsPerSecond = await perSecond(count * 10, () => working.status('team-1', id, { includeRates: false }));
  await database.close();
  await place.remove();
  return { createMs: median(alone), createsPerSecond, pollsPerSecond };
}

async function perSecond(count: number, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  let begun = 0;
  const lane = async () => {
    while (begun < count) {
      begun++;
      await work();
    }
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  return count / ((performance.now() - start) / 1000);
}
