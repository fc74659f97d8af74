import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { geodesicBetween } from '../earth/geodesic.ts';
import { metersToBorder } from './coverage.ts';

it('never overestimates the distance to a border', () => {
  const longitudes = fc.double({ min: -179, max: 170, noNaN: true });
  const latitudes = fc.double({ min: -80, max: 75, noNaN: true });
  const size = fc.double({ min: 0.01, max: 5, noNaN: true });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(longitudes, latitudes, size, size, share, share, share, (west, south, wide, high, x, y, along) => {
      const box = { west, south, east: west + wide, north: south + high };
      const point = { longitude: west + x * wide, latitude: south + y * high };
      const border = metersToBorder([box], point);
      const onBorder = [
        [box.west, south + along * high],
        [box.east, south + along * high],
        [west + along * wide, box.south],
        [west + along * wide, box.north],
      ] as const;
      for (const [longitude, latitude] of onBorder) {
        const { distanceMeters } = geodesicBetween(point.latitude, point.longitude, latitude, longitude);
        expect(border).toBeLessThanOrEqual(distanceMeters + 1e-6);
      }
    }),
    { numRuns: testVolume(100) },
  );
  expect(metersToBorder([], { latitude: 0, longitude: 0 })).toBe(Number.POSITIVE_INFINITY);
  expect(metersToBorder([{ west: 0, south: 0, east: 1, north: 1 }], { latitude: 2, longitude: 0.5 })).toBe(0);
});
