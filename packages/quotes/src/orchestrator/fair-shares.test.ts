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
import { createBench, engines, quotedAt, scriptedCarrier } from '../test-bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { findRedis } from '../testing/find-redis.ts';
import { forgetRedis } from '../testing/forget-redis.ts';

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
  it.skipIf(skip)('do not wait for each other', async () => {
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
      // What ran, what was taken up and what the queue was told of comes first, then every other one is theirs.
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
