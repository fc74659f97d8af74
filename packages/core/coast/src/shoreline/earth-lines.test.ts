import fc from 'fast-check';
import geographiclib from 'geographiclib-geodesic';
import { expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import {
  ECCENTRICITY_SQUARED,
  EQUATORIAL_RADIUS_METERS,
  RADIANS_PER_DEGREE,
  UNITS_PER_METER,
} from '../earth/ellipsoid.ts';
import { createEarthLines } from './earth-lines.ts';
import type { Shoreline } from './shoreline.ts';

const wgs84 = geographiclib.Geodesic.WGS84;

function earthMeters(latitude: number, longitude: number): readonly [number, number, number] {
  const [phi, lambda] = [latitude * RADIANS_PER_DEGREE, longitude * RADIANS_PER_DEGREE];
  const normal = EQUATORIAL_RADIUS_METERS / Math.sqrt(1 - ECCENTRICITY_SQUARED * Math.sin(phi) ** 2);
  return [
    normal * Math.cos(phi) * Math.cos(lambda),
    normal * Math.cos(phi) * Math.sin(lambda),
    normal * (1 - ECCENTRICITY_SQUARED) * Math.sin(phi),
  ];
}

function shorelineOf(positions: readonly number[]): Shoreline {
  const vertices = positions.length / 2;
  return {
    name: 'one line',
    version: '1',
    attribution: 'none',
    layerNames: ['tidal'],
    shoreNames: ['Atlantic'],
    water: 'unknown',
    accuracy: { radiusMeters: [1], method: 'none' },
    coverage: [],
    positions: Float64Array.from(positions),
    lineStarts: Uint32Array.of(0, vertices),
    layers: new Uint16Array(vertices).fill(1),
    shores: new Uint8Array(vertices),
  };
}

it('divides a line into equal pieces of at most 500 m that follow its geodesic', () => {
  const line = fc.record({
    latitude: fc.double({ min: -85, max: 85, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    azimuth: fc.double({ min: -180, max: 180, noNaN: true }),
    lengthMeters: fc.oneof(
      fc.double({ min: 1, max: 3_000, noNaN: true }),
      fc.double({ min: 3_000, max: 60_000, noNaN: true }),
    ),
  });
  fc.assert(
    fc.property(line, ({ latitude, longitude, azimuth, lengthMeters }) => {
      const end = wgs84.Direct(latitude, longitude, azimuth, lengthMeters);
      const [toLatitude, toLongitude] = [end.lat2!, end.lon2!];
      const { vertices, layers, lineStarts } = createEarthLines(
        shorelineOf([longitude, latitude, toLongitude, toLatitude]),
      );
      const count = layers.length;
      expect([...lineStarts]).toEqual([0, count]);
      const geodesic = wgs84.InverseLine(latitude, longitude, toLatitude, toLongitude);
      const distances = Array.from({ length: count }, (_, vertex) => {
        const at = geodesic.Position((geodesic.s13 * vertex) / (count - 1));
        const expected = earthMeters(at.lat2!, at.lon2!);
        return Math.hypot(...expected.map((meters, axis) => vertices[vertex * 3 + axis]! / UNITS_PER_METER - meters));
      });
      expect(Math.max(...distances)).toBeLessThan(0.006);
      const lengths = Array.from(
        { length: count - 1 },
        (_, vertex) =>
          Math.hypot(...[0, 1, 2].map((axis) => vertices[vertex * 3 + 3 + axis]! - vertices[vertex * 3 + axis]!)) /
          UNITS_PER_METER,
      );
      expect(Math.max(...lengths)).toBeLessThan(500.01);
      expect(count - 1).toBeGreaterThanOrEqual(Math.max(1, Math.ceil((geodesic.s13 - 0.01) / 500)));
      expect(count - 1).toBeLessThanOrEqual(Math.ceil((geodesic.s13 + 0.01) / 500));
      expect([...layers]).toEqual([...new Array(count - 1).fill(1), 0]);
    }),
    { numRuns: testVolume(200) },
  );
});

it('merges vertices on the same unit, with the layers and the shore of the last', () => {
  const shoreline = {
    ...shorelineOf([-80, 25, -80, 25, -80, 25.001]),
    layers: Uint16Array.of(1, 2, 0),
    shores: Uint8Array.of(0, 1, 0),
  };
  const { layers, shores, lineStarts } = createEarthLines(shoreline);
  expect([[...layers], [...shores], [...lineStarts]]).toEqual([
    [2, 0],
    [1, 0],
    [0, 2],
  ]);
});
