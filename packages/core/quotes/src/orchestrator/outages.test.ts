import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres, type TestEngine } from '@leeward/database/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { QueueBackend } from '../ports/queue-backend.ts';
import { createBullMqBackend } from '../queues/bullmq.ts';
import { createPgBossBackend } from '../queues/pg-boss.ts';
import { holdFile } from '../test-programs/hold-file.ts';
import { createTcpProxy, type TcpProxy } from '../test-programs/tcp-proxy.ts';
import { type Bench, createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { findRedis } from '../testing/find-redis.ts';
import { forgetRedis } from '../testing/forget-redis.ts';
import { eventually } from '../testing/suite.ts';

// A whole minute: LEEWARD_OUTAGE_MS=60000
const outageMs = Number(process.env.LEEWARD_OUTAGE_MS ?? 1500);
const TIMEOUT_MS = 60_000 + 3 * outageMs;
const ho3 = { ...exampleBody, form_types: ['ho3'] };

const [sqlite, postgres] = engines;
const server = await findPostgres();
const redis = await findRedis();

function behindProxy(engine: TestEngine): { engine: TestEngine; cut(): Promise<void>; restore(): Promise<void> } {
  let proxy: TcpProxy | undefined;
  let file: string | undefined;
  let release: (() => void) | undefined;
  return {
    engine: {
      ...engine,
      async createPlace() {
        const place = await engine.createPlace();
        file = place.file;
        if (file !== undefined) return place;
        const { createPlaceAt, proxy: made } = await proxied(place.url);
        proxy = made;
        return {
          ...place,
          ...createPlaceAt,
          [Symbol.asyncDispose]: async () => {
            await createPlaceAt.close();
            await made[Symbol.asyncDispose]();
            await place[Symbol.asyncDispose]();
          },
        };
      },
    },
    async cut() {
      if (proxy !== undefined) return proxy.cut();
      release = await holdFile(file!);
    },
    async restore() {
      if (proxy !== undefined) return proxy.restore();
      release?.();
    },
  };
}

async function proxied(url: string) {
  const { openDatabase } = await import('@leeward/database');
  const target = new URL(url);
  const proxy = await createTcpProxy({ host: target.hostname, port: Number(target.port || 5432) });
  target.host = `127.0.0.1:${proxy.port}`;
  const opened: { close(): Promise<void> }[] = [];
  const createPlaceAt = {
    url: target.href,
    async open(options = {}) {
      const database = await openDatabase(target.href, { poolSize: 4, connectTimeoutMs: 2000, ...options });
      opened.push(database);
      return database;
    },
    close: async () => void (await Promise.all(opened.map((each) => each.close()))),
  };
  return { createPlaceAt, proxy };
}

async function make(bench: Bench, count: number): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: count }, () => bench.quotes.create('team-1', ho3)));
  return made.map((quote) => quote.quote_request_id);
}

const databases = [
  { title: 'SQLite, held by another process', engine: sqlite!, skip: undefined },
  { title: 'PostgreSQL', engine: postgres!, skip: postgres?.skip },
];

describe.concurrent.each(databases)('while the database is away: $title', ({ engine, skip }) => {
  it.skipIf(skip !== undefined)(
    'keeps carriers’ answers, calls each carrier once, and continues afterwards',
    async () => {
      const place = behindProxy(engine);
      let answer = () => {};
      const answered = new Promise<void>((resolve) => {
        answer = resolve;
      });
      const carrier = scriptedCarrier(
        async () => {
          await answered;
          return quotedAt(100_000n);
        },
        { limits: { concurrency: 4, deadlineMs: 20_000 + outageMs } },
      );
      await using bench = await createBench(place.engine, [carrier], { open: { busyTimeoutMs: 500 } });
      const ids = await make(bench, 10);
      await eventually(
        () => carrier.calls === 4,
        () => `${carrier.calls} calls`,
      );
      await place.cut();
      answer();
      const refused = bench.quotes.create('team-1', ho3, { idempotencyKey: 'while-away' }).then(
        () => 'made',
        (error: unknown) => error,
      );
      await sleep(outageMs);
      await place.restore();
      const first = await refused;
      const again = await bench.quotes.create('team-1', ho3, { idempotencyKey: 'while-away' });
      if (engine.engine === 'postgres' || outageMs > 1000) expect(first).toBeInstanceOf(Error);
      for (const id of [...ids, again.quote_request_id]) {
        const { outcomes, rates } = await bench.completed(id, 30_000);
        expect(outcomes.quoted).toBe(1);
        expect(rates[0]).toMatchObject({ attempts: 1 });
      }
      expect(carrier.calls).toBe(11);
    },
    TIMEOUT_MS,
  );
});

const queues = [
  {
    title: 'Redis',
    skip: 'unreachable' in redis ? redis.unreachable : undefined,
    url: 'url' in redis ? redis.url : '',
    open: (url: string, namespace: string) => createBullMqBackend({ url, prefix: namespace }),
  },
  {
    title: 'PostgreSQL',
    skip: postgres?.skip,
    url: 'url' in server ? server.url : '',
    open: (url: string, namespace: string) => createPgBossBackend({ url, schema: namespace, poolSize: 3 }),
  },
];

describe.concurrent.each(queues)('while the queue is away: $title', ({ skip, url, open }) => {
  it.skipIf(skip !== undefined)(
    'creates quotes, keeps answers, and calls the remaining carriers afterwards',
    async () => {
      const target = new URL(url);
      await using proxy = await createTcpProxy({
        host: target.hostname,
        port: Number(target.port || (target.protocol === 'redis:' ? 6379 : 5432)),
      });
      target.host = `127.0.0.1:${proxy.port}`;
      const namespace = `leeward_test_${randomBytes(6).toString('hex')}`;
      const queue: QueueBackend = await open(target.href, namespace);
      const carrier = scriptedCarrier(
        async () => {
          await sleep(200);
          return quotedAt(100_000n);
        },
        { limits: { concurrency: 4 } },
      );
      const bench = await createBench(sqlite!, [carrier], { queue });
      try {
        const before = await make(bench, 8);
        await eventually(
          () => carrier.calls >= 2,
          () => `${carrier.calls} calls`,
        );
        await proxy.cut();
        const start = performance.now();
        const during = await make(bench, 8);
        expect(performance.now() - start).toBeLessThan(2000);
        await expect(bench.quotes.ready()).rejects.toThrow();
        await sleep(outageMs);
        await proxy.restore();
        for (const id of [...before, ...during]) expect((await bench.completed(id, 60_000)).outcomes.quoted).toBe(1);
        expect(carrier.calls).toBe(16);
        await bench.quotes.ready();
      } finally {
        await bench[Symbol.asyncDispose]();
        await forget(url, namespace);
      }
    },
    TIMEOUT_MS,
  );
});

async function forget(url: string, namespace: string): Promise<void> {
  if (url.startsWith('redis')) return forgetRedis(url, namespace);
  await using place = await postgres!.createPlace();
  await sql`drop schema if exists ${sql.id(namespace)} cascade`.execute((await place.open()).tables());
}
