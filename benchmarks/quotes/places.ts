import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';

/** Address of PostgreSQL: this machine, or the environment's. */
export const postgresUrl = process.env['LEEWARD_TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test';
export const redisUrl = process.env['LEEWARD_TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';

export interface Place {
  readonly url: string;
  /** Namespace of a queue: a schema of PostgreSQL, a prefix of Redis. */
  readonly queue: string;
  remove(): Promise<void>;
}

export async function createPlace(engine: 'sqlite' | 'postgres'): Promise<Place> {
  const name = `leeward_bench_${randomBytes(5).toString('hex')}`;
  const queue = `${name}_queue`;
  const removeQueue = async () => {
    await administer(`drop schema if exists ${queue} cascade`).catch(() => {});
    const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null });
    redis.on('error', () => {});
    await redis
      .connect()
      .then(async () => {
        const keys = await redis.keys(`${queue}:*`);
        if (keys.length > 0) await redis.del(keys);
      })
      .catch(() => {});
    redis.disconnect();
  };
  if (engine === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), `${name}-`));
    return {
      url: `sqlite:${join(folder, 'bench.db')}`,
      queue,
      async remove() {
        await rm(folder, { recursive: true, force: true });
        await removeQueue();
      },
    };
  }
  await administer(`create schema ${name}`);
  const url = new URL(postgresUrl);
  url.searchParams.set('options', `-c search_path=${name}`);
  return {
    url: url.href.replaceAll('+', '%20'),
    queue,
    async remove() {
      await administer(`drop schema ${name} cascade`);
      await removeQueue();
    },
  };
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}
