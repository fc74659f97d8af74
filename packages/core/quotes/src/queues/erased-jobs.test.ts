import { randomBytes } from 'node:crypto';
import { findPostgres } from '@leeward/database/testing';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import type { QueueBackend } from '../ports/queue-backend.ts';
import { createBench, engines, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody, exampleFields } from '../testing/example-request.ts';
import { findRedis } from '../testing/find-redis.ts';
import { forgetRedis } from '../testing/forget-redis.ts';
import { eventually } from '../testing/suite.ts';
import { createBullMqBackend } from './bullmq.ts';
import { createPgBossBackend } from './pg-boss.ts';

interface Kept {
  readonly queue: QueueBackend;
  everything(): Promise<string>;
  remove(): Promise<void>;
}

async function onRedis(url: string): Promise<Kept> {
  const prefix = `leeward-test-${randomBytes(6).toString('hex')}`;
  const client = new Redis(url);
  return {
    queue: await createBullMqBackend({ url, prefix }),
    async everything() {
      const keys = await client.keys(`${prefix}:*`);
      const values = await Promise.all(keys.map((key) => client.dumpBuffer(key)));
      return [...keys, ...values.map((value) => value?.toString('latin1'))].join('\n');
    },
    async remove() {
      client.disconnect();
      await forgetRedis(url, prefix);
    },
  };
}

async function onPostgres(url: string): Promise<Kept> {
  const schema = `leeward_test_${randomBytes(6).toString('hex')}`;
  const client = new Client({ connectionString: url });
  await client.connect();
  return {
    queue: await createPgBossBackend({ url, schema, poolSize: 4 }),
    async everything() {
      const { rows } = await client.query<{ xml: string }>(
        'select schema_to_xml($1::name, true, false, $2)::text as xml',
        [schema, ''],
      );
      return rows.map(({ xml }) => xml).join('\n');
    },
    async remove() {
      await client.query(`drop schema if exists ${schema} cascade`);
      await client.end();
    },
  };
}

const redis = await findRedis();
const postgres = await findPostgres();
const places = [
  { title: 'BullMQ on Redis', open: 'url' in redis ? () => onRedis(redis.url) : undefined },
  { title: 'pg-boss on PostgreSQL', open: 'url' in postgres ? () => onPostgres(postgres.url) : undefined },
];
const secret = ['Quixotically', 'quixote@example.com', 'Dulcinea'];
const body = {
  ...exampleBody,
  form_types: ['ho3'],
  fields: { ...exampleFields, last_name: secret[0], insured_email: secret[1], note: secret[2] },
};

describe.each(places)('jobs of quotes that were erased, in $title', ({ open }) => {
  it.skipIf(open === undefined)(
    'contain no personal data, and call no carrier',
    async () => {
      const kept = await open!();
      try {
        const first = Promise.withResolvers<string>();
        let asked = 0;
        const carrier = scriptedCarrier(
          (_, { signal, idempotencyKey: rateId }) => {
            asked++;
            first.resolve(rateId);
            return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
          },
          { limits: { concurrency: 1, deadlineMs: 60_000 } },
        );
        await using bench = await createBench(engines[0]!, [carrier], { queue: kept.queue });
        const created = await Promise.all(Array.from({ length: 3 }, () => bench.quotes.create('team-1', body)));
        const askedFirst = await first.promise;
        const queued = await kept.everything();
        expect(queued.length).toBeGreaterThan(0);
        expect(created.some(({ rate_index }) => queued.includes(rate_index[0]!.id))).toBe(false);
        for (const word of secret) expect(queued).not.toContain(word);

        const isAskedFirst = ({ rate_index }: (typeof created)[number]) => rate_index[0]!.id === askedFirst;
        const others = created.filter((quote) => !isAskedFirst(quote));
        for (const { quote_request_id: id } of [...others, ...created.filter(isAskedFirst)])
          expect(await bench.quotes.erase('team-1', id)).toBe(true);
        for (const { quote_request_id: id } of created) {
          await eventually(
            async () => (await bench.quotes.status('team-1', id))!.outcomes.cancelled === 1,
            () => 'not cancelled',
          );
        }
        const next = await bench.quotes.create('team-1', { ...exampleBody, form_types: ['ho3'] });
        await eventually(
          async () => (await bench.quotes.rate('team-1', next.rate_index[0]!.id))!.attempts === 1,
          () => 'not asked',
          30_000,
        );
        expect(asked).toBe(2);
        for (const word of secret) expect(await kept.everything()).not.toContain(word);
      } finally {
        await kept.remove();
      }
    },
    120_000,
  );
});
