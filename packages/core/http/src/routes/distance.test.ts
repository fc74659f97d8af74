import { buildCoastIndex, type Coast, createCoast } from '@leeward/coast';
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

it('states the coastline and the addresses that the answers use', async () => {
  const coast = createCoast(
    buildCoastIndex({
      ...{ name: 'meridian', version: '1', attribution: '', water: 'unknown', coverage: [] },
      positions: Float64Array.of(-81, 25, -81, 36),
      lineStarts: Uint32Array.of(0, 2),
      ...{
        layerNames: ['tidal'],
        layers: new Uint16Array(2).fill(1),
        shoreNames: ['coast'],
        shores: new Uint8Array(2),
      },
      accuracy: { radiusMeters: [500], method: '' },
    }),
  );
  const geocode = {
    latitude: 32,
    longitude: -81.1,
    precision: 'rooftop',
    errorRadiusMeters: 5,
    geocoder: 'book',
  } as const;
  const found = { ...geocode, dataVersion: 'county 2026-10-01', matchedAddress: '1 Bay St', unmatched: [] };
  const geocoder = { name: 'book', geocode: async () => ({ status: 'found', geocode: found }) as const };
  const leeward = sampleService({ distance: { coast, geocoder } });
  const versions = async (at: string, body: object) =>
    (await ask(leeward, at, { token: tokens.distanceOnly, body })).headers.get('leeward-versions');
  const point = { lat: 32, lng: -81.1 };
  const address = { address: '1 Bay St, Savannah GA 31401' };
  expect(await versions('/v1/distance-to-coast', point)).toBe('coastline="meridian 1"');
  expect(await versions('/v1/distance-to-coast', address)).toBe(
    'coastline="meridian 1", addresses="county 2026-10-01"',
  );
  expect(await versions(path, { items: [point, address, { address: '' }] })).toBe(
    'coastline="meridian 1", addresses="county 2026-10-01"',
  );
  expect(await versions(path, { items: [{ address: '' }] })).toBeNull();
});
