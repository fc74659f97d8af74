import { describe, expect, it } from 'vitest';
import type { GeocoderAnswer } from '../geocoder/geocoder.ts';
import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';
import { createScriptedGeocoder, foundAnswer, geocoderCases } from '../testing/index.ts';
import { guardGeocoder } from './guard-geocoder.ts';
import { withCache } from './with-cache.ts';
import { withCircuitBreaker } from './with-circuit-breaker.ts';
import { withRateLimit } from './with-rate-limit.ts';
import { withTimeout } from './with-timeout.ts';

const address = { line1: '1600 Ocean Dr', city: 'Miami Beach', state: 'fl', zip: '33139' };
const house = foundAnswer({ geocoder: 'script' });
const nowhere: GeocoderAnswer = { status: 'not_found', code: 'no_match', message: 'No matching address was found.' };
const down = new GeocoderUnavailableError('script', 'bad_status', 'the server answered with status 500.');

describe('withTimeout', () => {
  it.each(['hang', 'hang deaf'] as const)('rejects when a geocoder hangs (%s)', async (step) => {
    const geocoder = withTimeout(createScriptedGeocoder('script', step), 20);
    await expect(geocoder.geocode(address)).rejects.toMatchObject({ kind: 'timed_out', geocoder: 'script' });
  });

  it('passes answers and errors through', async () => {
    const geocoder = withTimeout(createScriptedGeocoder('script', house, down), 1_000);
    expect(await geocoder.geocode(address)).toMatchObject(house);
    await expect(geocoder.geocode(address)).rejects.toBe(down);
  });

  it("rejects with the caller's reason", async () => {
    const controller = new AbortController();
    const reason = new Error('gone');
    const promise = withTimeout(createScriptedGeocoder('script', 'hang'), 5_000).geocode(address, {
      signal: controller.signal,
    });
    controller.abort(reason);
    await expect(promise).rejects.toBe(reason);
  });
});

describe('withCircuitBreaker', () => {
  it('pauses a failing geocoder, then tries it with one request', async () => {
    const script = createScriptedGeocoder('script', down, down, down, down, house);
    const geocoder = withCircuitBreaker(script, { failures: 3, pauseMs: 40 });
    for (let i = 0; i < 3; i += 1) await expect(geocoder.geocode(address)).rejects.toBe(down);
    await expect(geocoder.geocode(address)).rejects.toMatchObject({ kind: 'circuit_open', retryAfterSeconds: 1 });
    expect(script.calls).toHaveLength(3);
    await new Promise((resolve) => setTimeout(resolve, 60));
    await expect(geocoder.geocode(address)).rejects.toBe(down);
    await expect(geocoder.geocode(address)).rejects.toMatchObject({ kind: 'circuit_open' });
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await geocoder.geocode(address)).toMatchObject(house);
    expect(await geocoder.geocode(address)).toMatchObject(house);
    expect(script.calls).toHaveLength(6);
  });

  it('does not count not_found as a failure', async () => {
    const geocoder = withCircuitBreaker(createScriptedGeocoder('script', nowhere), { failures: 1 });
    for (let i = 0; i < 3; i += 1) expect(await geocoder.geocode(address)).toBe(nowhere);
  });
});

describe('withRateLimit', () => {
  function setUp(...steps: Parameters<typeof createScriptedGeocoder> extends [string, ...infer Steps] ? Steps : never) {
    let clockMs = 0;
    const waits: number[] = [];
    const script = createScriptedGeocoder('script', ...steps);
    const geocoder = withRateLimit(script, {
      requestsPerSecond: 2,
      maxWaitMs: 1_200,
      now: () => clockMs,
      sleep: async (durationMs) => void waits.push(durationMs),
    });
    const advance = (durationMs: number) => {
      clockMs += durationMs;
    };
    return { geocoder, script, waits, advance };
  }

  it('spaces requests evenly and refuses those that would wait too long', async () => {
    const { geocoder, script, waits, advance } = setUp(house);
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => geocoder.geocode(address)));
    expect(waits).toEqual([500, 1_000]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    expect(results[3]).toMatchObject({ reason: { kind: 'rate_limited', retryAfterSeconds: 2 } });
    expect(script.calls).toHaveLength(3);
    advance(5_000);
    await geocoder.geocode(address);
    expect(waits).toEqual([500, 1_000]);
  });

  it('heeds Retry-After', async () => {
    const slowDown = new GeocoderUnavailableError('script', 'bad_status', 'the server answered with status 429.', {
      retryAfterSeconds: 7,
    });
    const { geocoder, advance } = setUp(slowDown, house);
    await expect(geocoder.geocode(address)).rejects.toBe(slowDown);
    await expect(geocoder.geocode(address)).rejects.toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 7 });
    advance(7_000);
    expect(await geocoder.geocode(address)).toMatchObject(house);
  });

  it('waits, and stops when the caller aborts', async () => {
    const geocoder = withRateLimit(createScriptedGeocoder('script', house), {
      requestsPerSecond: 10,
      maxWaitMs: 500,
    });
    const start = performance.now();
    await Promise.all([geocoder.geocode(address), geocoder.geocode(address)]);
    expect(performance.now() - start).toBeGreaterThanOrEqual(95);
    const controller = new AbortController();
    const waiting = geocoder.geocode(address, { signal: controller.signal });
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
  });

  it.each([0, -1, Number.NaN])('rejects a limit of %d', (requestsPerSecond) => {
    expect(() => withRateLimit(createScriptedGeocoder('script', house), { requestsPerSecond })).toThrow(RangeError);
  });
});

describe('withCache', () => {
  it('calls once for an address in any case and spacing, and caches not_found too', async () => {
    const script = createScriptedGeocoder('script', nowhere);
    const geocoder = withCache(script);
    for (const line1 of ['1600 Ocean Dr', '1600  OCEAN dr '])
      expect(await geocoder.geocode({ ...address, line1 })).toBe(nowhere);
    expect(script.calls).toHaveLength(1);
    await geocoder.geocode({ ...address, zip: undefined });
    await geocoder.geocode({ ...address, line1: undefined, city: '1600 Ocean Dr' });
    expect(script.calls).toHaveLength(3);
  });

  it('does not cache errors', async () => {
    const script = createScriptedGeocoder('script', down, house);
    const geocoder = withCache(script);
    await expect(geocoder.geocode(address)).rejects.toBe(down);
    expect(await geocoder.geocode(address)).toMatchObject(house);
  });

  it('expires entries, and drops the least recently used beyond the maximum', async () => {
    let clockMs = 0;
    const script = createScriptedGeocoder('script', house);
    const geocoder = withCache(script, { maxEntries: 2, lifetimeMs: 100, now: () => clockMs });
    const [a, b, c] = ['1 A St', '2 B St', '3 C St'].map((line1) => ({ ...address, line1 })) as [
      typeof address,
      typeof address,
      typeof address,
    ];
    for (const one of [a, b, a, c]) await geocoder.geocode(one);
    expect(script.calls).toEqual([a, b, c]);
    await geocoder.geocode(a);
    expect(script.calls).toHaveLength(3);
    await geocoder.geocode(b);
    expect(script.calls).toHaveLength(4);
    clockMs = 101;
    await geocoder.geocode(b);
    expect(script.calls).toHaveLength(5);
  });

  it('shares a look-up between callers, even if one of them aborts', async () => {
    let answer = (_: GeocoderAnswer) => {};
    let asked = 0;
    const geocoder = withCache({
      name: 'slow',
      geocode() {
        asked += 1;
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    const controller = new AbortController();
    const first = geocoder.geocode(address, { signal: controller.signal });
    const second = geocoder.geocode(address);
    controller.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    answer(house);
    expect(await second).toMatchObject(house);
    expect(asked).toBe(1);
  });

  it('aborts a look-up when its last caller aborts, and starts another for the next', async () => {
    const script = createScriptedGeocoder('script', 'hang', house);
    let ended = 0;
    const geocoder = withCache({
      name: 'script',
      geocode: (asked, options) => script.geocode(asked, options).finally(() => (ended += 1)),
    });
    const controllers = [new AbortController(), new AbortController()] as const;
    const waiting = controllers.map(({ signal }) => geocoder.geocode(address, { signal }));
    controllers[0].abort(new Error('gone'));
    await expect(waiting[0]).rejects.toThrow('gone');
    expect(ended).toBe(0);
    controllers[1].abort(new Error('gone too'));
    await expect(waiting[1]).rejects.toThrow('gone too');
    expect(await geocoder.geocode(address)).toMatchObject(house);
    expect(ended).toBe(2);
    expect(await geocoder.geocode(address)).toMatchObject(house);
    expect(script.calls).toHaveLength(2);
  });
});

describe('guardGeocoder', () => {
  const cases = geocoderCases({ create: () => guardGeocoder(createScriptedGeocoder('script', house)) });
  it.each(cases.map((one) => [one.name, one] as const))('%s', (_, one) => one.run());

  it('applies all four guards', async () => {
    const script = createScriptedGeocoder('script', 'hang', house);
    const geocoder = guardGeocoder(script, {
      timeoutMs: 20,
      circuitBreaker: { failures: 1, pauseMs: 30 },
      rateLimit: { requestsPerSecond: 1_000 },
    });
    await expect(geocoder.geocode(address)).rejects.toMatchObject({ kind: 'timed_out' });
    await expect(geocoder.geocode(address)).rejects.toMatchObject({ kind: 'circuit_open' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await geocoder.geocode(address)).toMatchObject(house);
    expect(await geocoder.geocode(address)).toMatchObject(house);
    expect(script.calls).toHaveLength(2);
  });
});
