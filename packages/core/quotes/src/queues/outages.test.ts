import { randomBytes } from 'node:crypto';
import { findPostgres, testEngines } from '@leeward/database/testing';
import { describe, expect, it } from 'vitest';
import type { JobRef, QueueBackend } from '../ports/queue-backend.ts';
import { createTcpProxy } from '../test-programs/tcp-proxy.ts';
import { findRedis } from '../testing/find-redis.ts';
import { forgetRedis } from '../testing/forget-redis.ts';
import { eventually } from '../testing/suite.ts';
import { createBullMqBackend } from './bullmq.ts';
import { createPgBossBackend } from './pg-boss.ts';

const redis = await findRedis();
const [, postgres] = await testEngines();
const server = await findPostgres();
const services = [
  {
    title: 'Redis',
    skip: 'unreachable' in redis ? redis.unreachable : undefined,
    url: 'url' in redis ? redis.url : '',
    open: (url: string, name: string) => createBullMqBackend({ url, prefix: name }),
  },
  {
    title: 'PostgreSQL',
    skip: postgres?.skip,
    url: 'url' in server ? server.url : '',
    open: (url: string, name: string) => createPgBossBackend({ url, schema: name, poolSize: 3 }),
  },
];

describe.concurrent.each(services)('while $title is away', ({ skip, url, open }) => {
  async function opened(
    work: (tools: { backend: QueueBackend; away: () => Promise<void>; back: () => Promise<void> }) => Promise<void>,
  ) {
    const target = new URL(url);
    const port = Number(target.port || (target.protocol === 'redis:' ? 6379 : 5432));
    await using proxy = await createTcpProxy({ host: target.hostname, port });
    target.host = `127.0.0.1:${proxy.port}`;
    const name = `leeward_test_${randomBytes(6).toString('hex')}`;
    const backend = await open(target.href, name);
    try {
      await work({ backend, away: proxy.cut, back: proxy.restore });
    } finally {
      await backend.stop({ graceMs: 0 });
      await forget(url, name);
    }
  }
  const jobs = (from: number): JobRef[] => [0, 1, 2].map((index) => ({ key: `job${from + index}-0`, queue: 'alpha' }));

  it.skipIf(skip !== undefined)('fails soon, and continues when the service is back', () =>
    opened(async ({ backend, away, back }) => {
      const delivered: string[] = [];
      await backend.start(
        [{ key: 'alpha', concurrency: 2, maxRunMs: 10_000 }],
        async ({ key }) => void delivered.push(key),
      );
      await backend.enqueue(jobs(0));
      await eventually(
        () => delivered.length === 3,
        () => `${delivered.length} delivered`,
      );
      await away();
      const start = performance.now();
      await expect(backend.ping!()).rejects.toThrow();
      await expect(backend.enqueue(jobs(10))).rejects.toThrow();
      expect(performance.now() - start).toBeLessThan(9000);
      await back();
      await eventually(
        () =>
          backend.enqueue(jobs(20)).then(
            () => true,
            () => false,
          ),
        () => 'jobs are still refused',
      );
      await eventually(
        () => delivered.filter((key) => key.startsWith('job2')).length >= 3,
        () => delivered.join(),
      );
      await backend.ping!();
    }),
  );

  it.skipIf(skip !== undefined)('stops', () =>
    opened(async ({ backend, away }) => {
      let aborted = false;
      const begun = Promise.withResolvers<void>();
      await backend.start(
        [{ key: 'alpha', concurrency: 1, maxRunMs: 10_000 }],
        ({ signal }) =>
          new Promise((resolve) => {
            begun.resolve();
            signal.addEventListener('abort', () => {
              aborted = true;
              resolve();
            });
          }),
      );
      await backend.enqueue(jobs(0));
      await begun.promise;
      await away();
      const start = performance.now();
      await backend.stop({ graceMs: 200 });
      expect(performance.now() - start).toBeLessThan(9000);
      expect(aborted).toBe(true);
    }),
  );
});

async function forget(url: string, name: string): Promise<void> {
  if (url.startsWith('redis')) return forgetRedis(url, name);
  const { openDatabase } = await import('@leeward/database');
  const { sql } = await import('kysely');
  const database = await openDatabase(url);
  await sql`drop schema if exists ${sql.id(name)} cascade`.execute(database.tables());
  await database.close();
}
