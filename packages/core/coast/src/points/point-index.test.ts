import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { geodesicBetween } from '../earth/geodesic.ts';
import type { GeographicPoint } from '../earth/geographic-point.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { createPointIndex } from './point-index.ts';

function randomPositions(random: () => number, count: number): Float64Array {
  return Float64Array.from({ length: count * 2 }, (_, at) =>
    at % 2 === 0 ? random() * 360 - 180 : random() * 180 - 90,
  );
}

function bruteForce(positions: Float64Array, { latitude, longitude }: GeographicPoint): number[] {
  const distances: number[] = [];
  for (let at = 0; at < positions.length; at += 2)
    distances.push(geodesicBetween(latitude, longitude, positions[at + 1]!, positions[at]!).distanceMeters);
  return distances.sort((one, other) => one - other);
}

describe('createPointIndex', () => {
  it('finds the nearest, the several nearest and all within a radius, by the geodesic', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 300 }), (seed, count) => {
        const random = seededRandom(seed);
        const positions = randomPositions(random, count);
        const index = createPointIndex(positions);
        expect(index.count).toBe(count);
        for (let round = 0; round < 5; round++) {
          const point = { latitude: random() * 180 - 90, longitude: random() * 360 - 180 };
          const expected = bruteForce(positions, point);
          expect(index.nearest(point).map(({ distanceMeters }) => distanceMeters)).toEqual(expected.slice(0, 1));
          const several = index.nearest(point, 7);
          expect(several.map(({ distanceMeters }) => distanceMeters)).toEqual(expected.slice(0, 7));
          for (const { number, distanceMeters } of several) {
            const [longitude, latitude] = positions.subarray(number * 2);
            const geodesic = geodesicBetween(point.latitude, point.longitude, latitude!, longitude!);
            expect(distanceMeters).toBe(geodesic.distanceMeters);
          }
          const radius = random() * 5_000_000;
          expect(index.within(point, radius).map(({ distanceMeters }) => distanceMeters)).toEqual(
            expected.filter((distance) => distance <= radius),
          );
        }
      }),
      { numRuns: testVolume(20) },
    );
  });

  it('returns distance 0 and azimuth 0 at an indexed point', () => {
    const index = createPointIndex(Float64Array.of(20, 10));
    expect(index.nearest({ latitude: 10, longitude: 20 })).toEqual([
      { number: 0, distanceMeters: 0, azimuthDegrees: 0 },
    ]);
  });

  it('returns an empty list when it has no points', () => {
    const index = createPointIndex(new Float64Array());
    expect(index.count).toBe(0);
    expect(index.nearest({ latitude: 0, longitude: 0 })).toEqual([]);
    expect(index.within({ latitude: 0, longitude: 0 }, 1e7)).toEqual([]);
  });

  it('rejects positions, points, radii and counts that are out of range', () => {
    expect(() => createPointIndex(Float64Array.of(0, 1, 2))).toThrow('3 numbers');
    expect(() => createPointIndex(Float64Array.of(0, 91))).toThrow('point 0 at longitude 0, latitude 91');
    const index = createPointIndex(Float64Array.of(0, 0));
    expect(() => index.within({ latitude: 0, longitude: 0 }, -1)).toThrow('a radius of -1 metres');
    expect(() => index.nearest({ latitude: 0, longitude: 0 }, 1.5)).toThrow('the 1.5 nearest');
    expect(() => index.nearest({ latitude: Number.NaN, longitude: 0 })).toThrow('not a place on the earth');
  });
});
