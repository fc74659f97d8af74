import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createCoastBatch } from '../answer/coast-batch.ts';
import { geodesicBetween } from '../earth/geodesic.ts';
import type { GeographicPoint } from '../earth/geographic-point.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { createPointCoast, type PointShore } from './point-coast.ts';

function gauges(random: () => number, count: number): PointShore {
  const layers = Uint16Array.from({ length: count }, () => [1, 3, 9][Math.floor(random() * 3)]!);
  layers[0] = 3;
  return {
    name: 'gauges',
    version: '1',
    attribution: 'made up',
    layerNames: ['tidal', 'ocean', 'great_lakes', 'neighbour'],
    shoreNames: ['east', 'west'],
    accuracy: { radiusMeters: [10, 20, 30, 40], method: 'made up' },
    coverage: [],
    positions: Float64Array.from({ length: count * 2 }, (_, at) =>
      at % 2 === 0 ? random() * 360 - 180 : random() * 180 - 90,
    ),
    layers,
    shores: Uint8Array.from({ length: count }, () => (random() < 0.5 ? 0 : 1)),
  };
}

function bruteForce(shore: PointShore, point: GeographicPoint, accepted: (layers: number) => boolean): number[] {
  const distances: number[] = [];
  for (let at = 0; at < shore.layers.length; at++) {
    if (!accepted(shore.layers[at]!)) continue;
    const [longitude, latitude] = [shore.positions[at * 2]!, shore.positions[at * 2 + 1]!];
    distances.push(geodesicBetween(point.latitude, point.longitude, latitude, longitude).distanceMeters);
  }
  return distances.sort((one, other) => one - other);
}

const isTidal = (layers: number): boolean => (layers & 9) === 1;

describe('a coast of points', () => {
  it('finds the nearest, the several nearest and all within a radius, by the geodesic', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 300 }), (seed, count) => {
        const random = seededRandom(seed);
        const shore = gauges(random, count);
        const coast = createPointCoast(shore);
        for (let round = 0; round < 5; round++) {
          const point = { latitude: random() * 180 - 90, longitude: random() * 360 - 180 };
          const expected = bruteForce(shore, point, isTidal);
          expect(coast.nearest(point).distanceMeters).toBe(expected[0]);
          expect(coast.nearestSeveral(point, 7).map((answer) => answer.distanceMeters)).toEqual(expected.slice(0, 7));
          const radius = random() * 5_000_000;
          expect(coast.within(point, radius).map((answer) => answer.distanceMeters)).toEqual(
            expected.filter((distance) => distance <= radius),
          );
          const ocean = bruteForce(shore, point, (layers) => (layers & 2) !== 0);
          expect(coast.nearest(point, 'ocean').distanceMeters).toBe(ocean[0]);
        }
      }),
      { numRuns: testVolume(20) },
    );
  });

  it('says that it knows points alone', () => {
    const coast = createPointCoast(gauges(seededRandom(1), 20));
    const answer = coast.nearest({ latitude: 10, longitude: 20 });
    expect(answer).toMatchObject({ precision: 'vertex', side: 'unknown', dataset: { name: 'gauges', version: '1' } });
    expect(coast.nearest(answer.coast)).toMatchObject({
      distanceMeters: 0,
      azimuthDegrees: 0,
      accuracyMeters: expect.any(Number),
    });
  });

  it('answers a batch, with a status where it cannot', () => {
    const shore = { ...gauges(seededRandom(2), 50), coverage: [{ west: -10, south: -10, east: 10, north: 10 }] };
    const coast = createPointCoast(shore);
    const batch = createCoastBatch(3);
    coast.nearestMany(Float64Array.of(5, 95, 50), Float64Array.of(5, 0, 50), batch);
    expect([...batch.statuses]).toEqual([0, 1, 2]);
    expect(batch.distancesMeters[0]).toBe(coast.nearest({ latitude: 5, longitude: 5 }).distanceMeters);
    expect([batch.distancesMeters[1], batch.distancesMeters[2]]).toEqual([NaN, NaN]);
    expect(() => coast.nearest({ latitude: 50, longitude: 50 })).toThrow('beyond the coverage of gauges 1');
  });

  it('refuses what is no point, radius or count', () => {
    const shore = gauges(seededRandom(3), 5);
    expect(() => createPointCoast({ ...shore, positions: Float64Array.of(0, 91) })).toThrow('1 points, 5 layers');
    expect(() =>
      createPointCoast({
        ...shore,
        positions: Float64Array.of(0, 91),
        layers: Uint16Array.of(1),
        shores: Uint8Array.of(0),
      }),
    ).toThrow('point 0 at longitude 0, latitude 91');
    const coast = createPointCoast(shore);
    expect(() => coast.within({ latitude: 0, longitude: 0 }, -1)).toThrow('a radius of -1 metres');
    expect(() => coast.nearestSeveral({ latitude: 0, longitude: 0 }, 1.5)).toThrow('the 1.5 nearest');
    expect(() => coast.nearest({ latitude: Number.NaN, longitude: 0 })).toThrow('no place on the earth');
  });
});
