import { type Database, openDatabase } from '@leeward/database';
import { createQuotes, quoteMigrations } from '@leeward/quotes';
import { createPQueueBackend } from '@leeward/quotes/queues/p-queue';
import { sql } from 'kysely';
import { benchCarrier, body, teams } from './carrier.ts';
import { createPlace } from './places.ts';

export interface Backlog {
  readonly rates: number;
  /** From the first create to the last end. */
  readonly seconds: number;
  /** Inserts and updates of rates, divided by the rates. */
  readonly writesPerRate: number;
  /** A while after the last end, garbage collected. */
  readonly residentMegabytes: number;
  /** Time for three rates of another team, created behind a backlog. */
  readonly otherMs: number;
}

/** One team creates more rates than its carriers finish in a minute, as fast as they are accepted. */
export async function measureBacklog(engine: 'sqlite' | 'postgres', rates: number): Promise<Backlog> {
  const place = await createPlace(engine);
  const database = await openDatabase(place.url, { migrations: [quoteMigrations] });
  const writes = await countWrites(database);
  const carriers = Array.from({ length: 10 }, (_, index) =>
    benchCarrier({ key: `bench_${index}`, latencyMs: 5, concurrency: 4 }),
  );
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let ended = 0;
  const quotes = createQuotes({
    database,
    carriers,
    queue: createPQueueBackend(),
    teams: teams(carriers),
    quoteDeadlineMs: 7_200_000,
    listener(event) {
      if (event.type === 'failure') console.error(event.where, event.error);
      if (event.type === 'rate_ended' && ++ended === rates + 3) resolve();
    },
  });
  await quotes.start();
  const start = performance.now();
  const perQuote = carriers.length * 3;
  for (let made = 0; made < rates; ) {
    const count = Math.min(8, Math.ceil((rates - made) / perQuote));
    const created = await Promise.all(Array.from({ length: count }, () => quotes.create('team-1', body)));
    made += created.length * perQuote;
    if (made >= rates) rates = made;
  }
  const asked = performance.now();
  const narrow = { ...body, carrier_keys: ['bench_0'] };
  const other = await quotes.create('team-2', narrow);
  for (;;) {
    const status = await quotes.status('team-2', other.quote_request_id);
    if (status?.status === 'complete') break;
    await new Promise((wait) => setTimeout(wait, 20));
  }
  const otherMs = performance.now() - asked;
  await done;
  const seconds = (performance.now() - start) / 1000;
  const writesPerRate = (await writes()) / (rates + 3);
  await new Promise((wait) => setTimeout(wait, 3000));
  globalThis.gc?.();
  await new Promise((wait) => setTimeout(wait, 1000));
  const { rss } = process.memoryUsage();
  await quotes.stop();
  await database.close();
  await place.remove();
  return { rates, seconds, writesPerRate, residentMegabytes: rss / 1e6, otherMs };
}

/** SQLite counts with a trigger; PostgreSQL has statistics. */
async function countWrites(database: Database): Promise<() => Promise<number>> {
  const db = database.tables<{ written: { count: number } }>();
  if (database.engine === 'postgres') {
    return async () => {
      await sql`select pg_stat_clear_snapshot()`.execute(db);
      await new Promise((wait) => setTimeout(wait, 2000));
      const { rows } = await sql<{ count: string }>`
        select n_tup_ins + n_tup_upd as count from pg_stat_user_tables
        where relname = 'quote_rate' and schemaname = current_schema()`.execute(db);
      return Number(rows[0]?.count);
    };
  }
  await sql`create table written (count integer not null)`.execute(db);
  await sql`insert into written (count) values (0)`.execute(db);
  for (const change of ['insert', 'update']) {
    await sql`create trigger ${sql.raw(`count_${change}`)} after ${sql.raw(change)} on quote_rate
      begin update written set count = count + 1; end`.execute(db);
  }
  return async () => (await db.selectFrom('written').select('count').executeTakeFirstOrThrow()).count;
}
