import { randomBytes } from 'node:crypto';
import { findPostgres, testEngines } from '@leeward/database/testing';
import { describe, it } from 'vitest';
import { findRedis } from '../testing/find-redis.ts';
import { forgetRedis } from '../testing/forget-redis.ts';
import { type QueuePlace, queueBackendSuite } from '../testing/queue-backend-suite.ts';
import { createBullMqBackend } from './bullmq.ts';
import { createPQueueBackend } from './p-queue.ts';
import { createPgBossBackend } from './pg-boss.ts';

describe.concurrent('p-queue', () => {
  const place: QueuePlace = { open: async () => createPQueueBackend(), remove: async () => {} };
  for (const { name, run } of queueBackendSuite(async () => place)) it(name, run);
});

const redis = await findRedis();
describe.skipIf('unreachable' in redis)(title('BullMQ on Redis', redis), { concurrent: true }, () => {
  const createPlace = async (): Promise<QueuePlace> => {
    const url = 'url' in redis ? redis.url : '';
    const prefix = `leeward-test-${randomBytes(6).toString('hex')}`;
    return {
      open: () => createBullMqBackend({ url, prefix }),
      remove: () => forgetRedis(url, prefix),
    };
  };
  for (const { name, run } of queueBackendSuite(createPlace)) it(name, run);
});

const [, postgres] = await testEngines();
describe.skipIf(postgres?.skip !== undefined)(`pg-boss on ${postgres?.title}`, { concurrent: true }, () => {
  const createPlace = async (): Promise<QueuePlace> => {
    const server = await findPostgres();
    const url = 'url' in server ? server.url : '';
    const schema = `leeward_test_${randomBytes(6).toString('hex')}`;
    const { openDatabase } = await import('@leeward/database');
    const database = await openDatabase(url);
    return {
      open: () => createPgBossBackend({ url, schema, poolSize: 4 }),
      async remove() {
        const { sql } = await import('kysely');
        await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(database.tables());
        await database.close();
      },
    };
  };
  for (const { name, run } of queueBackendSuite(createPlace)) it(name, run);
});

function title(name: string, server: object): string {
  return 'unreachable' in server ? `${name} (skipped: ${server.unreachable})` : name;
}
