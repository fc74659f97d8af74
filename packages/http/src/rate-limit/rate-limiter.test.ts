import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../problem/problem.ts';
import { createMemoryRateLimitStore } from './memory-store.ts';
import { defaultRateLimit, parseRateLimit, type RateLimit } from './rate-limit.ts';
import { createRateLimiter } from './rate-limiter.ts';

/** A clock that moves when told. */
function handClock() {
  const clock = { ms: 1_000_000, now: () => clock.ms };
  return clock;
}

describe('the counter', () => {
  it('lets a burst through, then one an interval', () => {
    const clock = handClock();
    const store = createMemoryRateLimitStore({ nowMs: clock.now });
    const limit = { perMinute: 600, burst: 200 };
    for (let left = 199; left >= 0; left--)
      expect(store.take('a', limit)).toMatchObject({ allowed: true, remaining: left });
    expect(store.take('a', limit)).toMatchObject({ allowed: false, remaining: 0, retryAfterMs: 100 });
    clock.ms += 99;
    expect(store.take('a', limit)).toMatchObject({ allowed: false });
    clock.ms += 1;
    expect(store.take('a', limit)).toMatchObject({ allowed: true });
    expect(store.take('a', limit)).toMatchObject({ allowed: false });
    expect(store.take('b', limit)).toMatchObject({ allowed: true, remaining: 199 });
    clock.ms += 20_000;
    expect(store.take('a', limit)).toMatchObject({ remaining: 199 });
  });

  it('agrees with a bucket of tokens, counted in whole numbers', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 300 });
    // Rates whose interval is a whole number of milliseconds, so that the bucket below is exact.
    const limits = fc.record({
      perMinute: fc.constantFrom(60, 600, 1200, 100, 30),
      burst: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(limits, steps, (limit, waits) => {
        const clock = handClock();
        const store = createMemoryRateLimitStore({ nowMs: clock.now });
        const interval = 60_000 / limit.perMinute;
        let filled = limit.burst * interval;
        for (const wait of waits) {
          clock.ms += wait;
          filled = Math.min(limit.burst * interval, filled + wait);
          const allowed = filled >= interval;
          if (allowed) filled -= interval;
          expect(store.take('a', limit)).toMatchObject({ allowed, remaining: Math.floor(filled / interval) });
        }
      }),
      { numRuns: 300 },
    );
  });

  it('never lets more through than the limit in any window, and keeps its word on when to come again', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 997 }),
        fc.integer({ min: 1, max: 50 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 700 })),
        (perMinute, burst, waits) => {
          const clock = handClock();
          const store = createMemoryRateLimitStore({ nowMs: clock.now });
          const limit: RateLimit = { perMinute, burst };
          const times: number[] = [];
          for (let request = 0; request < 200; request++) {
            const decision = store.take('a', limit);
            if (!('allowed' in decision)) throw new Error('the store in memory answers at once');
            if (decision.allowed) times.push(clock.ms);
            else if (request % 5 === 0) {
              clock.ms += decision.retryAfterMs;
              expect(store.take('a', limit)).toMatchObject({ allowed: true });
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
      { numRuns: 100 },
    );
  });

  it('forgets the key longest at rest, not the one in use', () => {
    const clock = handClock();
    const store = createMemoryRateLimitStore({ nowMs: clock.now, mostKeys: 2 });
    const limit = { perMinute: 1, burst: 1 };
    store.take('busy', limit);
    for (const other of ['b', 'c', 'd']) {
      store.take(other, limit);
      expect(store.take('busy', limit)).toMatchObject({ allowed: false });
    }
    expect(store.take('b', limit)).toMatchObject({ allowed: true });
  });
});

describe('the limiter', () => {
  it('names the limit, what is left and when to come again', async () => {
    const clock = handClock();
    const limiter = createRateLimiter({ perMinute: 6, burst: 1 }, createMemoryRateLimitStore({ nowMs: clock.now }));
    expect(await limiter('a')).toEqual({
      'ratelimit-policy': '"sustained";q=6;w=60, "burst";q=1;w=10',
      ratelimit: '"burst";r=0;t=10',
    });
    clock.ms += 2_500;
    const refused: unknown = await (async () => limiter('a'))().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Problem);
    expect(refused).toMatchObject({ code: 'rate_limited', options: { headers: { 'retry-after': '8' } } });
  });
});

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
