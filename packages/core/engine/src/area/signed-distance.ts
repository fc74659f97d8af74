import { edgeDistance2, type Plane } from './plane.ts';
import { BLOCK, EDGE, type PreparedArea } from './prepare-area.ts';

/** Distance of a position of the plane from the geometry, without buffer, in meters; negative inside polygons. */
export function signedDistance(area: PreparedArea, plane: Plane, x: number, y: number): number {
  const { blocks, isFilled } = area;
  const first = nearestBlock(area, plane, x, y);
  let nearest = nearestInBlock(area, plane, x, y, first, Number.POSITIVE_INFINITY);
  const longitude = plane.longitude + x / plane.eastMeters;
  const latitude = plane.latitude + y / plane.northMeters;
  let isInside = false;
  for (let block = 0; block * BLOCK < blocks.length; block++) {
    const at = block * BLOCK;
    const isBeside =
      isFilled && blocks[at + 1]! <= latitude && blocks[at + 3]! > latitude && blocks[at + 2]! >= longitude;
    if (isBeside && crossesOdd(area, longitude, latitude, block)) isInside = !isInside;
    if (block !== first && boxDistance2(blocks, at, plane, x, y) < nearest)
      nearest = nearestInBlock(area, plane, x, y, block, nearest);
  }
  const distance = Math.sqrt(nearest);
  return isInside ? -distance : distance;
}

function nearestBlock({ blocks }: PreparedArea, plane: Plane, x: number, y: number): number {
  let first = 0;
  let nearest = Number.POSITIVE_INFINITY;
  for (let block = 0; block * BLOCK < blocks.length; block++) {
    const squared = boxDistance2(blocks, block * BLOCK, plane, x, y);
    if (squared >= nearest) continue;
    nearest = squared;
    first = block;
  }
  return first;
}

/** Squared distance of a position from the bounding box of a block; 0 inside. */
export function boxDistance2(blocks: Float64Array, at: number, plane: Plane, x: number, y: number): number {
  const { longitude, latitude, eastMeters, northMeters } = plane;
  const west = (blocks[at]! - longitude) * eastMeters - x;
  const south = (blocks[at + 1]! - latitude) * northMeters - y;
  const east = x - (blocks[at + 2]! - longitude) * eastMeters;
  const north = y - (blocks[at + 3]! - latitude) * northMeters;
  const dx = west > 0 ? west : east > 0 ? east : 0;
  const dy = south > 0 ? south : north > 0 ? north : 0;
  return dx * dx + dy * dy;
}

function nearestInBlock(
  { edges, edgesPerBlock }: PreparedArea,
  { longitude, latitude, eastMeters, northMeters }: Plane,
  x: number,
  y: number,
  block: number,
  limit: number,
): number {
  let nearest = limit;
  const end = Math.min(edges.length, (block + 1) * edgesPerBlock * EDGE);
  for (let at = block * edgesPerBlock * EDGE; at < end; at += EDGE) {
    const squared = edgeDistance2(
      x,
      y,
      (edges[at]! - longitude) * eastMeters,
      (edges[at + 1]! - latitude) * northMeters,
      (edges[at + 2]! - longitude) * eastMeters,
      (edges[at + 3]! - latitude) * northMeters,
    );
    if (squared < nearest) nearest = squared;
  }
  return nearest;
}

/** True if a ray to the east crosses an odd number of edges of a block. */
function crossesOdd(
  { edges, edgesPerBlock }: PreparedArea,
  longitude: number,
  latitude: number,
  block: number,
): boolean {
  let isOdd = false;
  const end = Math.min(edges.length, (block + 1) * edgesPerBlock * EDGE);
  for (let at = block * edgesPerBlock * EDGE; at < end; at += EDGE) {
    const ay = edges[at + 1]!;
    const by = edges[at + 3]!;
    if (ay > latitude === by > latitude) continue;
    const ax = edges[at]!;
    if (ax + ((edges[at + 2]! - ax) * (latitude - ay)) / (by - ay) > longitude) isOdd = !isOdd;
  }
  return isOdd;
}
