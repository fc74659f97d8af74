/**
 * The distance between the footprint of a building and an area.
 *
 * Tests of single positions are not enough: an area can cross a building between its corners, or lie within it. Therefore the corners of
 * both are tested, and the middles of the pieces into which the border of the area cuts the edges of the building.
 */
import { type GeoJsonFootprint, polygonsOf } from '@leeward/terms';
import { wrapDegrees } from '../request/property-location.ts';
import { edgeDistance2, type Plane } from './plane.ts';
import { BLOCK, EDGE, type PreparedArea } from './prepare-area.ts';
import { boxDistance2, signedDistance } from './signed-distance.ts';

export interface FootprintReading {
  /** Bounds of the distance, in meters; 0 or less inside. */
  readonly minMeters: number;
  readonly maxMeters: number;
  readonly entire: 0 | 1 | undefined;
}

/** The circle around the footprint. */
export interface FootprintCircle {
  /** Distance of its center from the geometry of the area; negative inside. */
  readonly signed: number;
  readonly radiusMeters: number;
  /** Error of distances on the plane. */
  readonly error: number;
}

/** Maximum number of edges of the building times edges of the area; beyond, the circle is measured. */
const MAX_PAIRS = 1_000_000;
/** Rounding of circles around footprints. */
const SLACK_METERS = 2;

/** Undefined if there are too many edges. */
export function measureFootprint(
  area: PreparedArea,
  plane: Plane,
  footprint: GeoJsonFootprint,
  { signed, radiusMeters, error }: FootprintCircle,
): FootprintReading | undefined {
  const building = edgesOnPlane(footprint, plane);
  if ((building.length / EDGE) * (area.edges.length / EDGE) > MAX_PAIRS) return undefined;
  const { bufferMeters, isFilled } = area;
  // Distance between the two; largest known depth of a common position; farthest known position of the building outside.
  let near = Number.POSITIVE_INFINITY;
  let depth = Number.NEGATIVE_INFINITY;
  let outside = Number.NEGATIVE_INFINITY;
  let border = Number.POSITIVE_INFINITY;
  const take = (distance: number): void => {
    near = Math.min(near, Math.max(0, distance));
    depth = Math.max(depth, -distance);
    outside = Math.max(outside, distance);
  };
  for (let at = 0; at < building.length; at += EDGE) {
    const distance = signedDistance(area, plane, building[at]!, building[at + 1]!);
    border = Math.min(border, Math.abs(distance));
    take(distance);
  }
  const farthestCorner = outside;
  for (let at = 0; at < building.length; at += EDGE) {
    const cuts = crossings(area, plane, building, at);
    if (cuts.length === 0) continue;
    near = 0;
    border = 0;
    if (!isFilled) continue;
    for (let cut = 0; cut <= cuts.length; cut++) {
      const middle = ((cuts[cut - 1] ?? 0) + (cuts[cut] ?? 1)) / 2;
      const x = building[at]! + middle * (building[at + 2]! - building[at]!);
      const y = building[at + 1]! + middle * (building[at + 3]! - building[at + 1]!);
      take(signedDistance(area, plane, x, y));
    }
  }
  forEachVertexNear(
    area,
    plane,
    () => border + radiusMeters + SLACK_METERS,
    (x, y) => {
      const distance = distanceFrom(building, x, y);
      border = Math.min(border, distance);
      if (!isInside(building, x, y)) {
        near = Math.min(near, distance);
        return;
      }
      near = 0;
      if (!isFilled) return;
      // A border of the area lies within the building: both sides of it do.
      depth = Math.max(depth, distance);
      outside = Math.max(outside, distance);
    },
  );
  const nearest = (isFilled && depth > 0 ? -depth : near) - bufferMeters;
  const isOutside = bufferMeters > 0 ? farthestCorner - bufferMeters >= error : outside >= error;
  const isWithin =
    bufferMeters > 0 ? signed - bufferMeters + radiusMeters + error <= 0 : outside <= -error && border >= error;
  return {
    minMeters: nearest - error,
    maxMeters: nearest + error,
    entire: isOutside ? 0 : isWithin ? 1 : undefined,
  };
}

/** Edges in meters on the plane. The last position of a ring is connected to the first. */
function edgesOnPlane(footprint: GeoJsonFootprint, plane: Plane): Float64Array {
  const { longitude, latitude, eastMeters, northMeters } = plane;
  const numbers: number[] = [];
  for (const ring of polygonsOf(footprint).flat()) {
    for (const [index, from] of ring.entries()) {
      const to = ring[(index + 1) % ring.length]!;
      for (const [x, y] of [from, to])
        numbers.push(wrapDegrees(x - longitude) * eastMeters, (y - latitude) * northMeters);
    }
  }
  return Float64Array.from(numbers);
}

/** The parts of an edge of the building, from 0 to 1, at which edges of the area cross it. Ascending. */
function crossings(
  { edges, blocks, edgesPerBlock }: PreparedArea,
  { longitude, latitude, eastMeters, northMeters }: Plane,
  building: Float64Array,
  at: number,
): number[] {
  const [ax, ay, bx, by] = [building[at]!, building[at + 1]!, building[at + 2]!, building[at + 3]!];
  const [dx, dy] = [bx - ax, by - ay];
  const west = longitude + Math.min(ax, bx) / eastMeters;
  const east = longitude + Math.max(ax, bx) / eastMeters;
  const south = latitude + Math.min(ay, by) / northMeters;
  const north = latitude + Math.max(ay, by) / northMeters;
  const cuts: number[] = [];
  for (let block = 0; block * BLOCK < blocks.length; block++) {
    const box = block * BLOCK;
    if (blocks[box]! > east || blocks[box + 1]! > north || blocks[box + 2]! < west || blocks[box + 3]! < south)
      continue;
    const end = Math.min(edges.length, (block + 1) * edgesPerBlock * EDGE);
    for (let edge = block * edgesPerBlock * EDGE; edge < end; edge += EDGE) {
      const cx = (edges[edge]! - longitude) * eastMeters;
      const cy = (edges[edge + 1]! - latitude) * northMeters;
      const ex = (edges[edge + 2]! - longitude) * eastMeters - cx;
      const ey = (edges[edge + 3]! - latitude) * northMeters - cy;
      const cross = dx * ey - dy * ex;
      if (cross === 0) continue;
      const along = ((cx - ax) * ey - (cy - ay) * ex) / cross;
      const across = ((cx - ax) * dy - (cy - ay) * dx) / cross;
      if (along >= 0 && along <= 1 && across >= 0 && across <= 1) cuts.push(along);
    }
  }
  return cuts.sort((a, b) => a - b);
}

/** Visits the ends of edges, except those of blocks farther than a limit from the origin of the plane. */
function forEachVertexNear(
  { edges, blocks, edgesPerBlock }: PreparedArea,
  plane: Plane,
  limit: () => number,
  visit: (x: number, y: number) => void,
): void {
  const { longitude, latitude, eastMeters, northMeters } = plane;
  for (let block = 0; block * BLOCK < blocks.length; block++) {
    if (Math.sqrt(boxDistance2(blocks, block * BLOCK, plane, 0, 0)) > limit()) continue;
    const end = Math.min(edges.length, (block + 1) * edgesPerBlock * EDGE);
    for (let at = block * edgesPerBlock * EDGE; at < end; at += 2)
      visit((edges[at]! - longitude) * eastMeters, (edges[at + 1]! - latitude) * northMeters);
  }
}

function distanceFrom(building: Float64Array, x: number, y: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (let at = 0; at < building.length; at += EDGE) {
    const squared = edgeDistance2(x, y, building[at]!, building[at + 1]!, building[at + 2]!, building[at + 3]!);
    if (squared < nearest) nearest = squared;
  }
  return Math.sqrt(nearest);
}

function isInside(building: Float64Array, x: number, y: number): boolean {
  let inside = false;
  for (let at = 0; at < building.length; at += EDGE) {
    const [ax, ay, bx, by] = [building[at]!, building[at + 1]!, building[at + 2]!, building[at + 3]!];
    if (ay > y !== by > y && ax + ((bx - ax) * (y - ay)) / (by - ay) > x) inside = !inside;
  }
  return inside;
}
