import { booleanPointInPolygon, multiPolygon, point } from '@turf/turf';
import geographiclib from 'geographiclib-geodesic';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { locationOfFootprint, type PropertyLocation } from '../request/property-location.ts';
import type { Area, Position } from './area.ts';
import { errorMeters, readArea } from './measure-area.ts';
import { preparedArea } from './prepare-area.ts';

const METERS_PER_MILE = 1609.344;
const earth = geographiclib.Geodesic.WGS84;
const random = createRandom(20261126);
const between = (min: number, max: number) => min + random() * (max - min);

type Ring = Position[];

/** A star around a center: rings of it never cross. */
function star([x, y]: Position, size: number, corners: number): Ring {
  const ring = Array.from({ length: corners }, (_, index): Position => {
    const [angle, radius] = [(index / corners) * 2 * Math.PI, between(0.4, 1) * size];
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
  return [...ring, ring[0]!];
}

interface RandomArea {
  readonly area: Area;
  /** By polygon. */
  readonly polygons: Ring[][];
  readonly size: number;
  readonly center: Position;
}

let areas = 0;

function randomArea(bufferMeters = 0): RandomArea {
  const size = Math.exp(between(Math.log(0.0005), Math.log(1.5)));
  const center: Position = [between(-125, -67), between(24, 49)];
  const polygons: Ring[][] = [[star(center, size, Math.round(between(3, 60)))]];
  if (random() < 0.4) polygons[0]!.push(star(center, size * 0.3, 12));
  if (random() < 0.4) polygons.push([star([center[0] + 2.5 * size, center[1]], size, 9)]);
  return { area: areaOf(polygons.flat(), bufferMeters), polygons, size, center };
}

function areaOf(rings: readonly Ring[], bufferMeters = 0): Area {
  return { name: 'a', sha256: String(++areas), rings, lines: [], bufferMeters };
}

const isInside = ({ polygons }: RandomArea, [x, y]: Position) =>
  booleanPointInPolygon(point([x, y]), multiPolygon(polygons as never));
const meters = ([ax, ay]: Position, [bx, by]: Position) =>
  earth.Inverse(ay, ax, by, bx, geographiclib.Geodesic.DISTANCE).s12!;

/** Positions along the border, and the largest distance between neighbours. */
function borderOf({ polygons }: RandomArea, count: number): { readonly positions: Position[]; readonly gap: number } {
  const edges = polygons.flat().flatMap((ring) => ring.slice(1).map((to, index) => [ring[index]!, to] as const));
  const each = Math.max(2, Math.ceil(count / edges.length));
  let gap = 0;
  const positions = edges.flatMap(([from, to]) => {
    gap = Math.max(gap, meters(from, to) / each);
    return Array.from({ length: each }, (_, step): Position => {
      const part = step / each;
      return [from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])];
    });
  });
  return { positions, gap };
}

function locationNear({ size, center, polygons }: RandomArea): PropertyLocation {
  const corner = polygons[0]![0]![0]!;
  const near: Position = random() < 0.5 ? corner : center;
  const spread = size * Math.exp(between(Math.log(0.001), Math.log(3)));
  return {
    longitude: near[0] + between(-spread, spread),
    latitude: near[1] + between(-spread, spread),
    radiusMeters: random() < 0.2 ? 0 : size * 111_000 * Math.exp(between(Math.log(0.001), Math.log(0.5))),
  };
}

function positionIn({ latitude, longitude, radiusMeters }: PropertyLocation): Position {
  const { lat2, lon2 } = earth.Direct(latitude, longitude, between(0, 360), radiusMeters * Math.sqrt(random()));
  return [lon2!, lat2!];
}

describe('a circle and an area', () => {
  it('agree with positions sampled on the ellipsoid', () => {
    const seen = { inside: 0, outside: 0, unknown: 0 };
    for (let round = 0; round < testVolume(120); round++) {
      const bufferMeters = random() < 0.3 ? between(10, 50_000) : 0;
      const shape = randomArea(bufferMeters);
      const { positions, gap } = borderOf(shape, 300);
      for (let each = 0; each < 3; each++) {
        const location = locationNear(shape);
        const { minMiles, maxMiles, entire } = readArea(shape.area, location);
        const [min, max] = [minMiles * METERS_PER_MILE, maxMiles * METERS_PER_MILE];
        expect(entire).toBe(max === 0 ? 1 : min > 0 ? 0 : undefined);
        seen[max === 0 ? 'inside' : min > 0 ? 'outside' : 'unknown']++;
        for (let sample = 0; sample < 4; sample++) {
          const position = sample === 0 ? ([location.longitude, location.latitude] as const) : positionIn(location);
          const inside = isInside(shape, position);
          const border = Math.min(...positions.map((other) => meters(position, other)));
          const farthest = inside ? 0 : Math.max(0, border - bufferMeters);
          const nearest = inside ? 0 : Math.max(0, border - gap - bufferMeters);
          if (min > farthest + 0.01 || max < nearest - 0.01)
            expect({ shape, location, position, min, max, nearest, farthest }).toBe('sound');
          if (max === 0 && bufferMeters === 0) expect(inside).toBe(true);
        }
        // As certain as the circle and the error allow.
        const signed = (min + max) / 2;
        const limit =
          2 * location.radiusMeters +
          2.2 * errorMeters(Math.max(max, shape.size * 300_000) + bufferMeters, location.latitude);
        if (min > 0) expect(max - min).toBeLessThan(limit);
        expect(signed).toBeGreaterThanOrEqual(0);
      }
    }
    expect(Object.values(seen).every((count) => count > 15)).toBe(true);
  });

  it('leave out edges between polygons that are neighbours', () => {
    const [west, middle, east, south, north] = [-91, -90, -89, 30, 31];
    const box = (from: number, to: number): Ring => [
      [from, south],
      [to, south],
      [to, north],
      [from, north],
      [from, south],
    ];
    const both = areaOf([box(west, middle), box(middle, east)]);
    expect(preparedArea(both).edges.length / 4).toBe(6);
    expect(readArea(both, { longitude: middle, latitude: 30.5, radiusMeters: 5000 }).entire).toBe(1);
  });

  it('measure across the antimeridian', () => {
    const islands = areaOf([
      [
        [179, 51],
        [-179, 51],
        [-179, 52],
        [179, 52],
        [179, 51],
      ],
    ]);
    for (const longitude of [179.5, -180, 180, -179.5])
      expect(readArea(islands, { longitude, latitude: 51.5, radiusMeters: 10 }).maxMiles).toBe(0);
    const { minMiles, maxMiles } = readArea(islands, { longitude: -178, latitude: 51.5, radiusMeters: 0 });
    expect([minMiles, maxMiles].map((miles) => Math.round(miles))).toEqual([43, 43]);
  });

  it('are unknown without a location', () => {
    expect(readArea(randomArea().area, undefined)).toEqual({ minMiles: 0, maxMiles: 12_450, entire: undefined });
  });
});

describe('the error of distances', () => {
  it('exceeds the difference from geodesics', () => {
    for (let round = 0; round < testVolume(5_000); round++) {
      const [latitude, longitude] = [between(-15, 72), between(-180, 180)];
      const distance = Math.exp(between(0, Math.log(2_000_000)));
      const { lat2, lon2 } = earth.Direct(latitude, longitude, between(0, 360), distance);
      const line: Area = { name: 'p', sha256: '', rings: [], lines: [[[lon2!, lat2!]]], bufferMeters: 0 };
      const { minMiles, maxMiles } = readArea(line, { latitude, longitude, radiusMeters: 0 });
      expect(minMiles * METERS_PER_MILE).toBeLessThanOrEqual(distance + 1e-6);
      expect(maxMiles * METERS_PER_MILE).toBeGreaterThanOrEqual(distance - 1e-6);
    }
  });
});

describe('a footprint and an area', () => {
  /** Positions of a footprint, with its border. */
  function positionsIn(ring: Ring): Position[] {
    const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
    const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const positions: Position[] = [];
    for (let row = 0; row <= 24; row++) {
      for (let column = 0; column <= 24; column++) {
        const position: Position = [west + ((east - west) * column) / 24, south + ((north - south) * row) / 24];
        if (booleanPointInPolygon(point([...position]), multiPolygon([[ring]] as never))) positions.push(position);
      }
    }
    const border = borderOf({ polygons: [[ring]] } as unknown as RandomArea, 240).positions;
    return [...positions, ...border];
  }

  it('agree with positions sampled in the building', () => {
    const seen: Record<string, number> = {};
    for (let round = 0; round < testVolume(600); round++) {
      const shape = { ...randomArea(), size: 0 };
      const size = Math.exp(between(Math.log(0.00005), Math.log(0.02)));
      const corner = shape.polygons[0]![0]![Math.floor(random() * 3)]!;
      const center: Position = [corner[0] + between(-2, 2) * size, corner[1] + between(-2, 2) * size];
      const ring = star(center, size, Math.round(between(3, 12)));
      const location = locationOfFootprint({ type: 'Polygon', coordinates: [ring] });
      const { minMiles, maxMiles, entire } = readArea(shape.area, location);
      const inside = positionsIn(ring).map((position) => isInside(shape, position));
      const key = `${maxMiles === 0 ? 'inside' : minMiles > 0 ? 'outside' : 'unknown'} ${entire}`;
      seen[key] = (seen[key] ?? 0) + 1;
      const report = { key, ring, polygons: shape.polygons };
      if (minMiles > 0 && inside.some(Boolean)) expect(report).toBe('outside');
      if (entire === 1 && !inside.every(Boolean)) expect(report).toBe('entirely inside');
      // Samples may miss a small common part: corners of the area within the building show it.
      const cornersInside = shape.polygons
        .flat(2)
        .some((each) => booleanPointInPolygon(point([...each]), multiPolygon([[ring]] as never)));
      if (maxMiles === 0 && !inside.some(Boolean) && !cornersInside) expect(report).toBe('inside');
      if (entire === 0 && inside.every(Boolean) && !cornersInside) expect(report).toBe('not entirely inside');
    }
    for (const key of ['inside 1', 'inside 0', 'outside 0']) expect(seen[key]).toBeGreaterThan(20);
    expect((seen['unknown 0'] ?? 0) + (seen['unknown undefined'] ?? 0)).toBeLessThan(testVolume(600) / 10);
  });

  it('touch if a corridor crosses the building between all corners', () => {
    const corridor = areaOf([
      [
        [-95.0005, 29],
        [-94.9995, 29],
        [-94.9995, 30],
        [-95.0005, 30],
        [-95.0005, 29],
      ],
    ]);
    const building = locationOfFootprint({
      type: 'Polygon',
      coordinates: [
        [
          [-95.002, 29.5],
          [-94.998, 29.5],
          [-94.998, 29.501],
          [-95.002, 29.501],
        ],
      ],
    });
    expect(readArea(corridor, building)).toMatchObject({ minMiles: 0, maxMiles: 0, entire: 0 });
  });

  it('measure the nearest part of the building', () => {
    const west = areaOf([
      [
        [-96, 29],
        [-95.01, 29],
        [-95.01, 30],
        [-96, 30],
        [-96, 29],
      ],
    ]);
    const ring: Ring = [
      [-95, 29.5],
      [-94.99, 29.5],
      [-94.99, 29.501],
      [-95, 29.501],
      [-95, 29.5],
    ];
    const { minMiles, maxMiles } = readArea(west, locationOfFootprint({ type: 'Polygon', coordinates: [ring] }));
    const miles = meters([-95.01, 29.5], [-95, 29.5]) / METERS_PER_MILE;
    expect(minMiles).toBeLessThan(miles);
    expect(maxMiles).toBeGreaterThan(miles);
    expect(maxMiles - minMiles).toBeLessThan(0.002);
  });
});
