import type { Coast } from '@leeward/coast';
import { expect, it } from 'vitest';
import { ask, problemOf, sampleService, tokens } from '../../../../../test/support/sample-service.ts';
import { createMemoryRateLimitStore } from '../rate-limit/memory-store.ts';

const path = '/v1/distance-to-coast/batch';
const points = (count: number) => ({ items: Array.from({ length: count }, () => ({ lat: 29.3, lng: -94.8 })) });

/** A coast that takes its time with every point, and then knows nothing. */
function slowCoast(ms: number): Coast {
  const nearest = () => {
    const until = performance.now() + ms;
    while (performance.now() < until);
    throw new Error('nothing is known of this coast');
  };
  return { nearest, datasets: [{ layerNames: ['tidal'] }] } as unknown as Coast;
}

it('counts the items of a batch, so that batches cost what they are', async () => {
  const leeward = sampleService({
    distance: { coast: slowCoast(0) },
    rateLimit: { perMinute: 600, burst: 200 },
    itemLimit: { perMinute: 1, burst: 250 },
    // The clock does not move, so no units come back.
    rateLimitStore: createMemoryRateLimitStore({ nowMs: () => 0 }),
  });
  const batch = (count: number) => ask(leeward, path, { token: tokens.distanceOnly, body: points(count) });
  const first = await batch(100);
  expect(first.status).toBe(200);
  expect(first.headers.get('ratelimit')).toBe('"burst";r=199;t=1, "items-burst";r=150;t=6000');
  expect((await batch(100)).status).toBe(200);
  const refused = await batch(100);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('3000');
  expect(refused.headers.get('ratelimit')).toBe('"items-burst";r=50;t=12000');
  expect((await problemOf(refused)).detail).toContain('100 more in ');
  // An invalid body is not counted.
  expect((await batch(1_001)).status).toBe(422);
  expect((await batch(50)).status).toBe(200);
});

it('answers others while a batch is at work', async () => {
  const leeward = sampleService({ distance: { coast: slowCoast(2) } });
  let isDone = false;
  const batch = ask(leeward, path, { token: tokens.distanceOnly, body: points(100) }).then(({ status }) => {
    isDone = true;
    return status;
  });
  let meanwhile = 0;
  while (!isDone) {
    await new Promise(setImmediate);
    meanwhile++;
  }
  expect(await batch).toBe(200);
  // One turn of the event loop for every few milliseconds of 200.
  expect(meanwhile).toBeGreaterThan(25);
});
