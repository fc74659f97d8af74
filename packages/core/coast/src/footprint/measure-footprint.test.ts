import { describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createCoast } from '../answer/create-coast.ts';
import type { GeographicPoint } from '../earth/geographic-point.ts';
import { buildCoastIndex } from '../search/coast-index.ts';
import { randomShoreline } from '../testing/random-shoreline.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import type { Footprint, Position } from './footprint.ts';
import { measureFootprint } from './measure-footprint.ts';

const METERS_A_DEGREE = 111_195;

/** A star: any simple polygon with this many corners. */
function randomPolygon(random: () => number, center: GeographicPoint, meters: number): Position[] {
  const corners = 3 + Math.floor(random() * 9);
  const eastward = METERS_A_DEGREE * Math.cos((center.latitude * Math.PI) / 180);
  const ring = Array.from({ length: corners }, (_, index): Position => {
    const angle = ((index + random() * 0.8) / corners) * 2 * Math.PI;
    const reach = meters * (0.3 + 0.7 * random());
    return [
      center.longitude + (Math.cos(angle) * reach) / eastward,
      center.latitude + (Math.sin(angle) * reach) / METERS_A_DEGREE,
    ];
  });
  return [...ring, ring[0]!];
}

function along(ring: readonly Position[], steps: number): GeographicPoint[] {
  return ring.slice(1).flatMap(([bx, by], index) => {
    const [ax, ay] = ring[index]!;
    return Array.from({ length: steps }, (_, step) => ({
      longitude: ax + ((bx - ax) * step) / steps,
      latitude: ay + ((by - ay) * step) / steps,
    }));
  });
}

describe('measureFootprint', () => {
  it('agrees with brute force over corners and edges', () => {
    const polygons = testVolume(50);
    let [tried, most, widest] = [0, 0, 0];
    for (let seed = 1; tried < polygons; seed += 1) {
      const random = seededRandom(seed);
      const shoreline = randomShoreline(random, 0.5);
      const [longitude = 0, latitude = 0] = shoreline.positions;
      if (Math.abs(latitude) > 80 || Math.abs(longitude) > 179) continue;
      const coast = createCoast(buildCoastIndex(shoreline));
      for (let each = 0; each < 5; each += 1, tried += 1) {
        const center = {
          latitude: latitude + (random() - 0.5) * 0.05,
          longitude: longitude + (random() - 0.5) * 0.05,
        };
        const meters = [15, 60, 400][each % 3]!;
        const ring = randomPolygon(random, center, meters);
        let questions = 0;
        const answer = measureFootprint(
          (point) => {
            questions += 1;
            return coast.nearest(point);
          },
          { kind: 'polygons', polygons: [[ring]] },
        );
        most = Math.max(most, questions);
        widest = Math.max(widest, answer.toleranceMeters / meters);
        const steps = 60;
        const known = along(ring, steps).map((point) => coast.nearest(point));
        const distances = known.map(({ distanceMeters }) => distanceMeters);
        const [least, greatest] = [Math.min(...distances), Math.max(...distances)];
        const message = `seed ${seed}, polygon ${each}`;
        // Error of brute force between two of its points, plus the tolerance.
        const slack = (2 * meters) / steps + answer.toleranceMeters;
        expect(answer.nearest.distanceMeters, message).toBeLessThanOrEqual(least + answer.toleranceMeters);
        expect(answer.farthest.distanceMeters, message).toBeGreaterThanOrEqual(greatest - answer.toleranceMeters);
        if (answer.nearest.distanceMeters > 0.2) {
          const isOnEdge = answer.nearest.distanceMeters >= least - slack;
          const isWithin = answer.nearest.distanceMeters <= answer.toleranceMeters;
          expect(isOnEdge || isWithin, message).toBe(true);
        }
        expect(answer.minMeters, message).toBeLessThanOrEqual(Math.min(...known.map(({ minMeters }) => minMeters)));
        expect(answer.maxMeters, message).toBeGreaterThanOrEqual(Math.max(...known.map(({ maxMeters }) => maxMeters)));
      }
    }
    expect(most).toBeLessThan(3_100);
    expect(widest).toBeLessThan(0.2);
  });

  const straight = createCoast(
    buildCoastIndex({
      name: 'straight',
      version: '1',
      attribution: 'made up',
      layerNames: ['tidal'],
      shoreNames: ['shore'],
      water: 'right',
      accuracy: { radiusMeters: [10], method: 'made up' },
      coverage: [],
      positions: Float64Array.of(-80, 25, -80, 26),
      lineStarts: Uint32Array.of(0, 2),
      layers: new Uint16Array(2).fill(1),
      shores: new Uint8Array(2),
    }),
  );
  const nearest = (point: GeographicPoint) => straight.nearest(point);

  it('finds a shore through the middle of a building', () => {
    const ring: Position[] = [
      [-80.001, 25.5],
      [-79.999, 25.5],
      [-79.999, 25.501],
      [-80.001, 25.501],
      [-80.001, 25.5],
    ];
    const answer = measureFootprint(nearest, { kind: 'polygons', polygons: [[ring]] });
    expect(answer.nearest.distanceMeters).toBeLessThan(0.2);
    expect(answer.minMeters).toBe(0);
    expect(answer.farthest.distanceMeters).toBeGreaterThan(100);
  });

  it('excludes courtyards and combines several buildings', () => {
    const square = (west: number, east: number): Position[] => [
      [west, 25.5],
      [east, 25.5],
      [east, 25.502],
      [west, 25.502],
      [west, 25.5],
    ];
    const one = measureFootprint(nearest, {
      kind: 'polygons',
      polygons: [[square(-80.01, -80.005), square(-80.009, -80.006)]],
    });
    const two = measureFootprint(nearest, {
      kind: 'polygons',
      polygons: [[square(-80.01, -80.009)], [square(-80.006, -80.005)]],
    });
    for (const { nearest: near, farthest: far } of [one, two]) {
      expect(near.distanceMeters).toBeCloseTo(nearest({ latitude: 25.501, longitude: -80.005 }).distanceMeters, -1);
      expect(far.distanceMeters).toBeCloseTo(nearest({ latitude: 25.501, longitude: -80.01 }).distanceMeters, -1);
    }
  });

  const ring: Position[] = [
    [-80.01, 25.5],
    [-80.005, 25.5],
    [-80.005, 25.502],
    [-80.01, 25.5],
  ];

  it('accepts a Polygon, a MultiPolygon, or a Feature of either', () => {
    const expected = measureFootprint(nearest, { kind: 'polygons', polygons: [[ring]] });
    const polygon = { type: 'Polygon', coordinates: [ring] } as const;
    const several = { type: 'MultiPolygon', coordinates: [[ring]] } as const;
    for (const footprint of [polygon, several, { type: 'Feature', geometry: polygon } as const]) {
      expect(measureFootprint(nearest, footprint)).toEqual(expected);
    }
  });

  it('rejects an invalid footprint with a CoastError that names the fault', () => {
    const circle: Record<string, unknown> = { type: 'Polygon' };
    circle['coordinates'] = [[circle]];
    const polygon = (coordinates: unknown) => ({ type: 'Polygon', coordinates });
    const wrong: readonly [unknown, string][] = [
      [undefined, 'give a GeoJSON Polygon'],
      [null, 'give a GeoJSON Polygon'],
      ['POLYGON((0 0))', 'give a GeoJSON Polygon'],
      [[ring], 'give a GeoJSON Polygon'],
      [{}, 'give a GeoJSON Polygon'],
      [{ type: 'Point', coordinates: [-80, 25] }, 'its type is "Point"'],
      [{ type: 'Feature', geometry: null }, 'it is null'],
      [{ type: 'Feature', geometry: { type: 'Feature', geometry: polygon([ring]) } }, 'is a Feature'],
      [polygon(undefined), 'has no rings'],
      [polygon([]), 'has no rings'],
      [polygon([[]]), 'has no positions'],
      [polygon(ring), 'a position is -80.01'],
      [polygon([[['-80', '25']]]), 'a position is ["-80","25"]'],
      [polygon([[null]]), 'a position is null'],
      [polygon([[[1n, 2n]]]), 'a position is'],
      [circle, 'a position is'],
      [polygon([[[25.5, -100]]]), 'latitude -100, longitude 25.5'],
      [{ type: 'MultiPolygon', coordinates: [ring] }, 'a position is -80.01'],
      [
        polygon([new Array(1_000_000).fill([-80, 25])]),
        'it has 1000000 positions or more; simplify it to at most 10000',
      ],
      [polygon([[[-80, 89.5]]]), 'latitude 89.5 is too near a pole'],
      [polygon([[[-80, Number.NaN]]]), 'latitude NaN, longitude -80'],
      [{ kind: 'disc', center: [0, -90], radiusMeters: 10 }, 'latitude -90 is too near a pole'],
      [{ kind: 'polygons' }, 'has to be a list of polygons'],
      [{ kind: 'disc', center: [25, -100], radiusMeters: 10 }, 'latitude -100, longitude 25'],
      [{ kind: 'disc', radiusMeters: 10 }, 'give { latitude, longitude }'],
      [{ kind: 'disc', center: { latitude: 25, longitude: -80 }, radiusMeters: '10' }, 'radiusMeters is "10"'],
      [{ kind: 'disc', center: { latitude: 25, longitude: -80 }, radiusMeters: -1 }, 'radiusMeters is -1'],
      [{ kind: 'disc', center: { latitude: 25, longitude: -80 }, radiusMeters: Infinity }, 'radiusMeters is Infinity'],
    ];
    for (const [footprint, message] of wrong) {
      const refused = () => measureFootprint(nearest, footprint as Footprint);
      expect(refused, message).toThrow(message);
      expect(refused, message).toThrow(expect.objectContaining({ name: 'CoastError' }));
    }
  });

  it('accepts a disc', () => {
    const center = { latitude: 25.5, longitude: -80.01 };
    const disc: Footprint = { kind: 'disc', center, radiusMeters: 100 };
    const middle = nearest(center).distanceMeters;
    const answer = measureFootprint(nearest, disc);
    expect(Math.abs(answer.nearest.distanceMeters - (middle - 100))).toBeLessThan(2);
    expect(Math.abs(answer.farthest.distanceMeters - (middle + 100))).toBeLessThan(2);
    expect(answer.minMeters).toBeLessThanOrEqual(middle - 110);
    expect(answer.maxMeters).toBeGreaterThanOrEqual(middle + 110);
  });
});
