import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createCoastBatch } from '../answer/coast-batch.ts';
import { createCoast } from '../answer/create-coast.ts';
import { buildCoastIndex } from '../search/coast-index.ts';
import { encodeCoastIndex, openCoastIndex } from '../search/coast-index-file.ts';
import { ownUnitedStatesIndex, unitedStatesIndex, unitedStatesShoreline } from '../testing/natural-earth.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { buildTiles, buildTilesInThreads } from './build-tiles.ts';

const FLORIDA = { west: -84, south: 25, east: -80.1, north: 30.9 };

describe('tiles built ahead', () => {
  it('are equal from one thread and from two, and answer like grown tiles', async () => {
    const plan = { definitions: ['tidal', 'northern'], boxes: [FLORIDA] };
    const one = buildCoastIndex(unitedStatesShoreline());
    const progress: number[] = [];
    buildTiles(one, plan, (done, of) => progress.push(done / of));
    expect(progress.at(-1)).toBe(1);
    const two = ownUnitedStatesIndex();
    await buildTilesInThreads(two, plan, 2);
    const bytes = encodeCoastIndex(one);
    expect(Buffer.compare(bytes, encodeCoastIndex(two))).toBe(0);

    const shipped = createCoast(openCoastIndex(bytes));
    const fresh = createCoast(unitedStatesIndex());
    const random = seededRandom(41);
    for (let round = 0; round < testVolume(150); round++) {
      const point = { latitude: 24 + random() * 8, longitude: -85 + random() * 6 };
      expect(shipped.nearest(point)).toEqual(fresh.nearest(point));
    }
  });

  it('need boxes, and are rejected for an index with shipped tiles', () => {
    const index = ownUnitedStatesIndex();
    expect(() => buildTiles(index, { definitions: ['tidal'] })).toThrow('covers the whole world: name the boxes');
    expect(() => buildTiles(index, { definitions: ['lakes'], boxes: [FLORIDA] })).toThrow('no layer "lakes"');
    buildTiles(index, { definitions: ['tidal'], boxes: [{ ...FLORIDA, north: 25.5, east: -83 }] });
    const opened = openCoastIndex(encodeCoastIndex(index));
    expect(() => buildTiles(opened, { definitions: ['tidal'], boxes: [FLORIDA] })).toThrow(
      'has shipped tiles for tidal',
    );
    expect(() => buildTiles(opened, { definitions: ['northern'], boxes: [FLORIDA] })).not.toThrow();
  });

  it('serve threads that share an index and fill slices of a shared batch', async () => {
    const index = ownUnitedStatesIndex();
    buildTiles(index, { definitions: ['tidal'], boxes: [{ ...FLORIDA, north: 27, west: -82 }] });
    const bytes = encodeCoastIndex(index);
    const shared = new SharedArrayBuffer(bytes.length);
    new Uint8Array(shared).set(bytes);
    const count = 1_000;
    const random = seededRandom(42);
    const latitudes = new Float64Array(new SharedArrayBuffer(count * 8));
    const longitudes = new Float64Array(new SharedArrayBuffer(count * 8));
    for (let at = 0; at < count; at++) {
      latitudes[at] = 24 + random() * 8;
      longitudes[at] = -85 + random() * 6;
    }
    const batch = createCoastBatch(count, { shared: true });
    const script = new URL('../testing/batch-worker.ts', import.meta.url);
    await Promise.all(
      [0, 1].map(
        (half) =>
          new Promise<void>((resolve, reject) => {
            const from = (half * count) / 2;
            const worker = new Worker(script, {
              workerData: { shared, latitudes, longitudes, batch, from, to: from + count / 2 },
            });
            worker.once('error', reject);
            worker.once('exit', () => resolve());
          }),
      ),
    );
    const alone = createCoastBatch(count);
    createCoast(unitedStatesIndex()).nearestMany({ latitudes, longitudes }, { batch: alone });
    expect(batch.distancesMeters.every((distance) => distance >= 0)).toBe(true);
    expect(new Float64Array(batch.distancesMeters)).toEqual(alone.distancesMeters);
    expect(new Float64Array(batch.azimuthsDegrees)).toEqual(alone.azimuthsDegrees);
    expect(new Int32Array(batch.segments)).toEqual(alone.segments);
    expect(Buffer.compare(bytes, new Uint8Array(shared))).toBe(0);
  });
});
