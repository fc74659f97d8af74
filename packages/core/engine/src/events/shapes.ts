/**
 * Distances and inclusion on the sphere, for events, homes and counties.
 *
 * A home or a county is a region: a convex polygon, or a circle in a box around it. Edges are straight in degrees, as in GeoJSON.
 * Distances to an edge are measured to chords of short pieces of it.
 */
import { countiesOf } from '@leeward/places/counties';
import { type CountyExtent, countyExtent } from '@leeward/places/extents';
import { type GeoJsonFootprint, METERS_PER_MILE, polygonsOf } from '@leeward/terms';

const EARTH_RADIUS_METERS = 6_371_008.8;
const RADIANS = Math.PI / 180;
const MAX_DISTANCE_METERS = Math.PI * EARTH_RADIUS_METERS;
/** The boundaries of counties are generalized and rounded. */
const COUNTY_SLACK_METERS = 2_000;

/** Bounds of a distance in miles. */
export interface Miles {
  readonly min: number;
  readonly max: number;
}

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

type Position = readonly [longitude: number, latitude: number, ...rest: number[]];

/** The haversine formula on a sphere. `docs/rule-format.md` names it: other implementations compute the same numbers. */
function metersBetween(a: Point, b: Point): number {
  const halfLatitude = Math.sin(((b.latitude - a.latitude) * RADIANS) / 2);
  const halfLongitude = Math.sin(((b.longitude - a.longitude) * RADIANS) / 2);
  const haversine =
    halfLatitude ** 2 + Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS) * halfLongitude ** 2;
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(haversine)));
}

/** Miles from a point to some point within `radiusMeters` of a center. */
export function milesToCircle(point: Point, center: Point, radiusMeters: number): Miles {
  const meters = metersBetween(point, center);
  return {
    min: Math.max(0, meters - radiusMeters) / METERS_PER_MILE,
    max: Math.min(MAX_DISTANCE_METERS, meters + radiusMeters) / METERS_PER_MILE,
  };
}

/** Bounds of the distances from a point to a county: its nearest part, and all of its parts. */
export interface CountyMiles {
  readonly nearest: Miles;
  readonly any: Miles;
}

/** Undefined without a shape of the county. */
export function milesToCounty(point: Point, fips: string): CountyMiles | undefined {
  const extent = countyExtent(fips);
  return extent && milesToExtent(point, extent);
}

function milesToExtent(point: Point, { corners, isTight }: CountyExtent): CountyMiles {
  const at = vectorOf(point.longitude, point.latitude);
  const contained = containsAnyTurn(corners, point);
  let nearest = contained ? 0 : Number.POSITIVE_INFINITY;
  let farthest = 0;
  let touched = Number.POSITIVE_INFINITY;
  for (let index = 0; index < corners.length; index++) {
    const [from, to] = [corners[index]!, corners[(index + 1) % corners.length]!];
    if (!contained) nearest = Math.min(nearest, metersToEdge(at, from, to, 0.1));
    const [a, b] = [metersTo(at, from), metersTo(at, to)];
    farthest = Math.max(farthest, a);
    // The county has a point on this side.
    touched = Math.min(touched, Math.max(a, b));
  }
  const [min, max] = [Math.max(0, nearest - COUNTY_SLACK_METERS), farthest + COUNTY_SLACK_METERS];
  const reach = isTight ? Math.min(max, touched + COUNTY_SLACK_METERS) : max;
  return {
    nearest: { min: min / METERS_PER_MILE, max: Math.max(min, reach) / METERS_PER_MILE },
    any: { min: min / METERS_PER_MILE, max: max / METERS_PER_MILE },
  };
}

/** Bounds of the distances from a point to a state: its nearest part, and all of its parts. */
export function milesToState(point: Point, state: string): CountyMiles | undefined {
  let result: CountyMiles | undefined;
  for (const { fips } of countiesOf(state)) {
    const miles = milesToCounty(point, fips);
    if (!miles) return undefined;
    result = result
      ? {
          nearest: {
            min: Math.min(result.nearest.min, miles.nearest.min),
            max: Math.min(result.nearest.max, miles.nearest.max),
          },
          any: { min: Math.min(result.any.min, miles.any.min), max: Math.max(result.any.max, miles.any.max) },
        }
      : miles;
  }
  return result;
}

const MIN_DEGREES = 1e-9;

/** A convex polygon, counter-clockwise, that contains every possible place of a home. */
export type Region = readonly (readonly [longitude: number, latitude: number])[];

/** A box around a circle; undefined if it reaches a pole or the antimeridian. */
export function regionOfCircle({ latitude, longitude }: Point, radiusMeters: number): Region | undefined {
  const angle = radiusMeters / EARTH_RADIUS_METERS;
  const north = Math.abs(latitude) * RADIANS + angle;
  if (north >= Math.PI / 2) return undefined;
  // A region has height and width.
  const halfHeight = Math.max(MIN_DEGREES, angle / RADIANS);
  const sine = Math.sin(angle) / Math.cos(latitude * RADIANS);
  const halfWidth = Math.max(MIN_DEGREES, Math.asin(Math.min(1, sine)) / RADIANS);
  if (Math.abs(longitude) + halfWidth > 180) return undefined;
  const [west, east, south, top] = [
    longitude - halfWidth,
    longitude + halfWidth,
    latitude - halfHeight,
    latitude + halfHeight,
  ];
  return [
    [east, south],
    [east, top],
    [west, top],
    [west, south],
  ];
}

/** The octagon around a county; undefined without one, or across the antimeridian. */
export function regionOfCounty(fips: string): Region | undefined {
  const extent = countyExtent(fips);
  return extent?.corners.every(([longitude]) => longitude >= -180) ? extent.corners : undefined;
}

/** The place of a region, relative to an area: entirely inside or outside, or undefined. */
export type Inclusion = 'inside' | 'outside' | undefined;

/** Includes the boundary: a point on an edge is undefined. */
export function inclusionOf(region: Region, area: GeoJsonFootprint): Inclusion {
  let isOutside = true;
  for (const rings of polygonsOf(area)) {
    const inclusion = inclusionInPolygon(region, rings);
    if (inclusion === 'inside') return 'inside';
    if (inclusion !== 'outside') isOutside = false;
  }
  return isOutside ? 'outside' : undefined;
}

function inclusionInPolygon(region: Region, rings: readonly (readonly Position[])[]): Inclusion {
  for (const ring of rings) {
    for (let index = 1; index < ring.length; index++) {
      if (meetsRegion(ring[index - 1]!, ring[index]!, region)) return undefined;
    }
  }
  // Without a common point of the region and an edge, all points of the region are on the same side.
  const [longitude, latitude] = region[0]!;
  let isInside = false;
  for (const ring of rings) if (crossingsAreOdd(ring, longitude, latitude)) isInside = !isInside;
  return isInside ? 'inside' : 'outside';
}

/** Even-odd rule: crossings to the east. */
function crossingsAreOdd(ring: readonly Position[], longitude: number, latitude: number): boolean {
  let isOdd = false;
  for (let index = 1; index < ring.length; index++) {
    const [ax, ay] = ring[index - 1]!;
    const [bx, by] = ring[index]!;
    if (ay > latitude === by > latitude) continue;
    if (longitude < ax + ((bx - ax) * (latitude - ay)) / (by - ay)) isOdd = !isOdd;
  }
  return isOdd;
}

/** True if an edge and a convex region have a common point. Clips the edge by each side of the region. */
function meetsRegion([ax, ay]: Position, [bx, by]: Position, region: Region): boolean {
  let from = 0;
  let to = 1;
  for (let index = 0; index < region.length; index++) {
    const [x, y] = region[index]!;
    const [nextX, nextY] = region[(index + 1) % region.length]!;
    const side = (px: number, py: number) => (nextX - x) * (py - y) - (nextY - y) * (px - x);
    const [a, b] = [side(ax, ay), side(bx, by)];
    if (a < 0 && b < 0) return false;
    if (a < 0) from = Math.max(from, a / (a - b));
    else if (b < 0) to = Math.min(to, a / (a - b));
    // A region without height or width has no side that separates points on its line.
  }
  return from <= to;
}

/** Maximum number of pieces of the edges of an area. */
const MAX_PIECES = 20_000;
const PIECE_DEGREES = 0.5;

/** Miles from a region to the nearest part of an area that does not contain it. */
export function milesToArea(center: Point, radiusMeters: number, area: GeoJsonFootprint): Miles {
  const rings = polygonsOf(area).flat();
  let length = 0;
  for (const ring of rings) {
    for (let index = 1; index < ring.length; index++) {
      length += Math.max(
        Math.abs(ring[index]![0] - ring[index - 1]![0]),
        Math.abs(ring[index]![1] - ring[index - 1]![1]),
      );
    }
  }
  const step = Math.max(PIECE_DEGREES, length / MAX_PIECES);
  // Distance between a chord and a straight line in degrees.
  const slack = ((step * RADIANS) ** 2 / 8) * EARTH_RADIUS_METERS;
  const at = vectorOf(center.longitude, center.latitude);
  let nearest = Number.POSITIVE_INFINITY;
  for (const ring of rings) {
    for (let index = 1; index < ring.length; index++) {
      nearest = Math.min(nearest, metersToEdge(at, ring[index - 1]!, ring[index]!, step));
    }
  }
  return {
    min: Math.max(0, nearest - slack - radiusMeters) / METERS_PER_MILE,
    max: Math.min(MAX_DISTANCE_METERS, nearest + slack + radiusMeters) / METERS_PER_MILE,
  };
}

type Vector = readonly [number, number, number];

function vectorOf(longitude: number, latitude: number): Vector {
  const cosine = Math.cos(latitude * RADIANS);
  return [cosine * Math.cos(longitude * RADIANS), cosine * Math.sin(longitude * RADIANS), Math.sin(latitude * RADIANS)];
}

function metersTo(from: Vector, [longitude, latitude]: Position): number {
  const to = vectorOf(longitude, latitude);
  return metersOfChord(Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]));
}

function metersOfChord(chord: number): number {
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, chord / 2));
}

/** Meters to an edge that is straight in degrees, cut into pieces of at most `step` degrees. */
function metersToEdge(at: Vector, [ax, ay]: Position, [bx, by]: Position, step: number): number {
  const count = Math.max(1, Math.ceil(Math.max(Math.abs(bx - ax), Math.abs(by - ay)) / step));
  let from = vectorOf(ax, ay);
  let nearest = Number.POSITIVE_INFINITY;
  for (let piece = 1; piece <= count; piece++) {
    const share = piece / count;
    const to = vectorOf(ax + (bx - ax) * share, ay + (by - ay) * share);
    nearest = Math.min(nearest, chordToPiece(at, from, to));
    from = to;
  }
  return metersOfChord(nearest);
}

function chordToPiece(at: Vector, from: Vector, to: Vector): number {
  const [dx, dy, dz] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const length = dx * dx + dy * dy + dz * dz;
  const along = (at[0] - from[0]) * dx + (at[1] - from[1]) * dy + (at[2] - from[2]) * dz;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, along / length));
  return Math.hypot(at[0] - from[0] - share * dx, at[1] - from[1] - share * dy, at[2] - from[2] - share * dz);
}

/** Longitudes of the region may be below -180. */
function containsAnyTurn(region: Region, { longitude, latitude }: Point): boolean {
  return [longitude, longitude - 360].some((x) =>
    region.every(([ax, ay], index) => {
      const [bx, by] = region[(index + 1) % region.length]!;
      return (bx - ax) * (latitude - ay) - (by - ay) * (x - ax) >= 0;
    }),
  );
}
