import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@leeward/database';
import { findPostgres } from '@leeward/database/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { QueueBackend } from '../ports/queue-backend.ts';
import { createBullMqBackend } from '../queues/bullmq.ts';
import { createPQueueBackend } from '../queues/p-queue.ts';
import { createPgBossBackend } from '../queues/pg-boss.ts';
import { quoteMigrations } from '../store/migrations.ts';
import { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { findRedis } from '../testing/find-redis.ts';
import { forgetRedis } from '../testing/forget-redis.ts';
import { newQuote, takeRates } from '../testing/store-bench.ts';
import { eventually } from '../testing/suite.ts';

const redis = await findRedis();
const postgres = await findPostgres();
const name = `leeward_fair_${randomBytes(5).toString('hex')}`;
const backends: readonly { readonly title: string; readonly skip: boolean; open(): Promise<QueueBackend> }[] = [
  { title: 'p-queue', skip: false, open: async () => createPQueueBackend() },
  {
    title: 'BullMQ',
    skip: 'unreachable' in redis,
    open: () => createBullMqBackend({ url: 'url' in redis ? redis.url : '', prefix: name }),
  },
  {
    title: 'pg-boss',
    skip: 'unreachable' in postgres,
    open: () => createPgBossBackend({ url: 'url' in postgres ? postgres.url : '', schema: name, poolSize: 4 }),
  },
];
const CONCURRENCY = 4;

describe.each(backends)('one team with 300 rates and one with three, on one carrier, over $title', ({ skip, open }) => {
  it.skipIf(skip)('finish independently of each other', async () => {
    const order: string[] = [];
    const carrier = scriptedCarrier(
      async ({ teamId }) => {
        order.push(teamId);
        await sleep(20);
        return quotedAt(1000n);
      },
      { offers: [{ formTypes: ['ho3', 'ho5', 'ho8'] }], limits: { concurrency: CONCURRENCY } },
    );
    await using bench = await createBench(engines[0]!, [carrier], { queue: await open() });
    try {
      const body = { ...exampleBody, form_types: ['ho3', 'ho5', 'ho8'] };
      for (let made = 0; made < 100; made++) await bench.quotes.create('team-1', body);
      const before = order.length;
      const { quote_request_id: id } = await bench.quotes.create('team-2', body);
      for (;;) {
        const status = await bench.quotes.status('team-2', id);
        if (status?.status === 'complete') break;
        await sleep(10);
      }
      const last = order.lastIndexOf('team-2');
      expect(order.filter((team) => team === 'team-2')).toHaveLength(3);
      // Work in progress comes first, then every second rate is theirs.
      expect(last - before).toBeLessThan(60);
      expect(order.length).toBeLessThan(300);
    } finally {
      if (!('unreachable' in redis)) await forgetRedis(redis.url, name);
      if (!('unreachable' in postgres)) {
        await using database = await openDatabase(postgres.url);
        await sql`drop schema if exists ${sql.id(name)} cascade`.execute(database.tables());
      }
    }
  });
});

const TEAMS = 1000;
const DAY_MS = 86_400_000;

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(
    `${TEAMS} teams that wait for a carrier's answer, on ${engine.title}`,
    () => {
      it('leave capacity for a new quote of any team', { timeout: 120_000 }, async () => {
        const carrier = scriptedCarrier(async () => quotedAt(1000n), { limits: { concurrency: 16 } });
        await using bench = await createBench(engine, [carrier], { work: false });
        const store = new SqlQuoteStore({ database: await bench.place.open({ migrations: [quoteMigrations] }) });
        const crowd = Array.from({ length: TEAMS }, (_, index) => newQuote(`team-5-${index}`, carrier.key, 1));
        await Promise.all(crowd.map((quote) => store.createQuote(quote)));
        const ids = crowd.map((quote) => quote.rates[0]!.id);
        await takeRates(store, carrier.key);
        const wait = {
          keep: {},
          failures: 0,
          teamId: 'team-1',
          delayMs: DAY_MS,
          reference: undefined,
          maxPendingMs: 9 * DAY_MS,
        };
        await store.keepPending(ids.map((rateId) => ({ ...wait, rateId, fence: 1, carrierKey: carrier.key })));
        await bench.quotes.start();
        await bench.quotes.sweep();
        const body = { ...exampleBody, form_types: ['ho3'] };
        for (const teamId of ['team-1', 'team-9']) {
          const { quote_request_id: id } = await bench.quotes.create(teamId, body);
          await eventually(
            async () => (await bench.quotes.status(teamId, id))?.status === 'complete',
            () => `${teamId} waits`,
          );
          expect((await bench.quotes.status(teamId, id))!.outcomes.quoted).toBe(1);
        }
        expect(carrier.calls).toBe(2);
      });

      it('leave capacity for rates that another process has stored', { timeout: 120_000 }, async () => {
        const carrier = scriptedCarrier(async () => quotedAt(1000n), { limits: { concurrency: 16 } });
        await using bench = await createBench(engine, [carrier], { work: false });
        const store = new SqlQuoteStore({ database: await bench.place.open({ migrations: [quoteMigrations] }) });
        const quotes = Array.from({ length: 200 }, (_, index) => newQuote(`team-${index}`, carrier.key, 1));
        await Promise.all(quotes.map((quote) => store.createQuote(quote)));
        // One sweep, at the start: later rates are handed out as slots become free.
        const worker = await bench.join({ sweepIntervalMs: 600_000 });
        await worker.start();
        await eventually(
          () => carrier.calls === 200,
          () => `${carrier.calls} calls`,
        );
      });
    },
  );
}
