import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findRedis, forgetRedis } from '@leeward/quotes/testing';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { nodeFlags } from '../../../../../test/support/node-flags.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createMemoryRateLimitStore } from './memory-store.ts';
import { defaultRateLimit, parseRateLimit, type RateLimit } from './rate-limit.ts';
import type { RateLimitStore } from './rate-limit-store.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { createRedisRateLimitStore, type RedisRateLimitStore } from './redis-store.ts';

/** A clock that the test moves. */
function handClock() {
  const clock = { ms: 1_000_000, now: () => clock.ms };
  return clock;
}

const redis = await findRedis();
const prefix = `leeward_test_${randomBytes(6).toString('hex')}`;
const opened: RedisRateLimitStore[] = [];
let rooms = 0;
afterAll(async () => {
  for (const store of opened) store.close();
  if ('url' in redis) await forgetRedis(redis.url, prefix);
});

/** A store in Redis with a separate prefix. */
async function redisStore(nowMs?: () => number): Promise<RateLimitStore> {
  if (!('url' in redis)) throw new Error(redis.unreachable);
  const room = `${prefix}:${rooms++}`;
  const store = await createRedisRateLimitStore({ url: redis.url, prefix: room, ...(nowMs && { nowMs }) });
  opened.push(store);
  return store;
}

/** One withdrawal alone; unlike the store's it always waits. */
async function takeOne(store: RateLimitStore, key: string, limit: RateLimit, units = 1) {
  const [decision] = await store.take([{ key, limit, units }]);
  return decision!;
}

const stores = [
  ['memory', (nowMs: () => number) => createMemoryRateLimitStore({ nowMs }), testVolume(80)],
  ['unreachable' in redis ? `Redis (${redis.unreachable})` : 'Redis', redisStore, testVolume(8)],
] as const;

describe.each(stores)('the counter in %s', (name, createStore, runs) => {
  const skip = name.startsWith('Redis (');

  it.skipIf(skip)('lets a burst through, then one an interval', async () => {
    const clock = handClock();
    const store = await createStore(clock.now);
    const limit = { perMinute: 600, burst: 200 };
    for (let left = 199; left >= 0; left--)
      expect(await takeOne(store, 'a', limit)).toMatchObject({ allowed: true, remaining: left });
    expect(await takeOne(store, 'a', limit)).toMatchObject({ allowed: false, remaining: 0, retryAfterMs: 100 });
    clock.ms += 99;
    expect(await takeOne(store, 'a', limit)).toMatchObject({ allowed: false });
    clock.ms += 1;
    expect(await takeOne(store, 'a', limit)).toMatchObject({ allowed: true });
    expect(await takeOne(store, 'a', limit)).toMatchObject({ allowed: false });
    expect(await takeOne(store, 'b', limit)).toMatchObject({ allowed: true, remaining: 199 });
    clock.ms += 20_000;
    expect(await takeOne(store, 'a', limit)).toMatchObject({ remaining: 199 });
  });

  it.skipIf(skip)('agrees with a bucket of tokens, counted in whole numbers', async () => {
    const steps = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 300 });
    // Rates whose interval is a whole number of milliseconds, so that the bucket below is exact.
    const limits = fc.record({
      perMinute: fc.constantFrom(60, 600, 1200, 100, 30),
      burst: fc.integer({ min: 1, max: 40 }),
    });
    const clock = handClock();
    const store = await createStore(clock.now);
    let keys = 0;
    await fc.assert(
      fc.asyncProperty(limits, steps, async (limit, waits) => {
        const key = String(keys++);
        const interval = 60_000 / limit.perMinute;
        let filled = limit.burst * interval;
        for (const wait of waits) {
          clock.ms += wait;
          filled = Math.min(limit.burst * interval, filled + wait);
          const allowed = filled >= interval;
          if (allowed) filled -= interval;
          expect(await takeOne(store, key, limit)).toMatchObject({ allowed, remaining: Math.floor(filled / interval) });
        }
      }),
      { numRuns: runs },
    );
  });

  it.skipIf(skip)('takes several units at once, and of more than a burst holds the whole burst', async () => {
    const clock = handClock();
    const store = await createStore(clock.now);
    const limit = { perMinute: 600, burst: 200 };
    expect(await takeOne(store, 'a', limit, 150)).toMatchObject({ allowed: true, remaining: 50 });
    expect(await takeOne(store, 'a', limit, 60)).toMatchObject({ allowed: false, remaining: 50, retryAfterMs: 1_000 });
    clock.ms += 1_000;
    expect(await takeOne(store, 'a', limit, 60)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await takeOne(store, 'b', limit, 1_000)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await takeOne(store, 'b', limit, 1_000)).toMatchObject({ allowed: false, retryAfterMs: 20_000 });
  });

  it.skipIf(skip)('takes of several keys all or nothing', async () => {
    const clock = handClock();
    const store = await createStore(clock.now);
    const wide = { perMinute: 600, burst: 10 };
    const narrow = { perMinute: 60, burst: 1 };
    const both = () =>
      store.take([
        { key: 'wide', limit: wide, units: 1 },
        { key: 'narrow', limit: narrow, units: 1 },
      ]);
    expect(await both()).toMatchObject([
      { allowed: true, remaining: 9 },
      { allowed: true, remaining: 0 },
    ]);
    for (let time = 0; time < 3; time++) {
      expect(await both()).toMatchObject([
        { allowed: true, remaining: 9, retryAfterMs: 0 },
        { allowed: false, remaining: 0, retryAfterMs: 1_000 },
      ]);
    }
  });

  it.skipIf(skip)('never lets more through than the limit, and keeps its word on when to come again', async () => {
    const clock = handClock();
    const store = await createStore(clock.now);
    let keys = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 997 }),
        fc.integer({ min: 1, max: 50 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 700 })),
        async (perMinute, burst, waits) => {
          const key = String(keys++);
          const limit: RateLimit = { perMinute, burst };
          const times: number[] = [];
          for (let request = 0; request < 200; request++) {
            const decision = await takeOne(store, key, limit);
            if (decision.allowed) times.push(clock.ms);
            else if (request % 5 === 0) {
              clock.ms += decision.retryAfterMs;
              expect(await takeOne(store, key, limit)).toMatchObject({ allowed: true });
              times.push(clock.ms);
            }
            clock.ms += waits.next().value ?? 0;
          }
          times.forEach((start, first) => {
            const within = times.slice(first).filter((time) => time - start < 60_000).length;
            expect(within).toBeLessThanOrEqual(burst + perMinute);
          });
        },
      ),
      { numRuns: Math.ceil(runs / 3) },
    );
  });
});

describe('the counter in memory', () => {
  it('drops the key unused for longest', async () => {
    const clock = handClock();
    const store = createMemoryRateLimitStore({ nowMs: clock.now, maxKeys: 2 });
    const limit = { perMinute: 1, burst: 1 };
    await takeOne(store, 'busy', limit);
    for (const other of ['b', 'c', 'd']) {
      await takeOne(store, other, limit);
      expect(await takeOne(store, 'busy', limit)).toMatchObject({ allowed: false });
    }
    expect(await takeOne(store, 'b', limit)).toMatchObject({ allowed: true });
  });
});

describe('the counter in Redis', () => {
  const skip = 'unreachable' in redis;

  it.skipIf(skip)('is one for all processes that share it, by Redis’s own clock', async () => {
    const room = `${prefix}:shared`;
    const program = fileURLToPath(new URL('../test-programs/take-many.program.ts', import.meta.url));
    const words = ['url' in redis ? redis.url : '', room, '0.001', '50'];
    const start = () => {
      const child = spawn(process.execPath, [...nodeFlags, program, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const take = async (key: string, times: number) => {
        child.stdin.write(`${key} ${times}\n`);
        return Number((await lines.next()).value);
      };
      return { take, end: () => child.stdin.end() };
    };
    const [one, other] = [start(), start()];
    expect(await other.take('in-turn', 40)).toBe(40);
    expect(await one.take('in-turn', 20)).toBe(10);
    const [first, second] = await Promise.all([one.take('at-once', 40), other.take('at-once', 40)]);
    expect(first + second).toBe(50);
    one.end();
    other.end();
  });

  it.skipIf(skip)('drops an unused key', async () => {
    const store = await redisStore();
    await takeOne(store, 'a', { perMinute: 60, burst: 5 });
    const { Redis } = await import('ioredis');
    const client = new Redis('url' in redis ? redis.url : '');
    const [key] = await client.keys(`${prefix}:${rooms - 1}:rate-limit:*`);
    const left = await client.pttl(key!);
    client.disconnect();
    expect(left).toBeGreaterThan(59_000);
    expect(left).toBeLessThanOrEqual(61_000);
  });

  it.skipIf(skip)('starts with a Redis that answers later than a request waits', async () => {
    await using between = await createBetween('url' in redis ? redis.url : '', 200);
    const url = `redis://127.0.0.1:${between.port}`;
    const store = await createRedisRateLimitStore({ url, prefix: `${prefix}:late`, timeoutMs: 50 });
    opened.push(store);
    await expect(store.take([])).rejects.toThrow('Command timed out');
  });

  it('says so where there is no Redis', async () => {
    await expect(createRedisRateLimitStore({ url: 'redis://127.0.0.1:1' })).rejects.toThrow('ECONNREFUSED');
  });

  it.skipIf(skip)(
    'refuses to count while Redis does not answer or is away, so that requests go on, and counts again',
    async () => {
      await using between = await createBetween('url' in redis ? redis.url : '');
      const url = `redis://127.0.0.1:${between.port}`;
      // Long enough for a busy machine, where nothing is wrong.
      const store = await createRedisRateLimitStore({ url, prefix: `${prefix}:away`, timeoutMs: 1000 });
      opened.push(store);
      const limiter = createRateLimiter(only({ perMinute: 60, burst: 60 }), store);
      expect(await limiter.countRequest(caller)).toMatchObject({ ratelimit: '"burst";r=59;t=1' });
      between.hush();
      expect(await limiter.countRequest(caller)).toEqual({});
      between.cut();
      expect(await limiter.countRequest(caller)).toEqual({});
      between.restore();
      await expect
        .poll(async () => Object.keys(await limiter.countRequest(caller)), { timeout: 10_000 })
        .toContain('ratelimit');
    },
  );
});

const caller = { tokenId: 'a', organizationId: 'org' };

/** Limits of tokens alone. */
function only(token: RateLimit) {
  return { token, organization: undefined, items: undefined };
}

/** A way to Redis that can fall silent, break, and be mended. Its answers come `delayMs` late. */
async function createBetween(url: string, delayMs = 0) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isBroken = false;
  let isSilent = false;
  const server = createServer((socket) => {
    if (isBroken) {
      socket.destroy();
      return;
    }
    const there = connect(Number(port || 6379), hostname);
    for (const each of [socket, there]) {
      sockets.add(each);
      each.on('error', () => {});
    }
    socket.on('data', (bytes) => there.write(bytes));
    there.on('data', (bytes) => isSilent || setTimeout(() => socket.write(bytes), delayMs));
    socket.on('close', () => there.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isBroken = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    hush() {
      isSilent = true;
    },
    cut,
    restore() {
      isBroken = false;
      isSilent = false;
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
    },
  };
}

describe('the setting', () => {
  it('reads requests a minute, a burst, and none', () => {
    expect(parseRateLimit('600')).toEqual(defaultRateLimit);
    expect(parseRateLimit(' 5 ')).toEqual({ perMinute: 5, burst: 5 });
    expect(parseRateLimit('600/50')).toEqual({ perMinute: 600, burst: 50 });
    expect(parseRateLimit('0')).toBeUndefined();
  });

  it.each(['', '-1', '1.5', 'many', '600/0', '1e3', '600/', '9999999999'])('refuses %j', (text) => {
    expect(() => parseRateLimit(text)).toThrow(JSON.stringify(text));
  });
});
