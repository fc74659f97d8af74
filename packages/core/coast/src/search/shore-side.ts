/**
 * The side of the shore on which a point is, from its nearest segment.
 *
 * If the nearest point is inside the segment, the sign of a triple product decides. If it is a vertex of two segments that disagree, the turn
 * of the line decides: a point whose nearest point is the vertex itself is on the outside of the turn. At the loose end of a line the side
 * is unknown.
 */
import type { EarthLines } from '../shoreline/earth-lines.ts';
import { segmentFraction } from './segment-distance.ts';

/** Without sides in the data, or at the end or a fold of a line: `unknown`. */
export type ShoreSide = 'land' | 'water' | 'unknown';

/** The water is on the `water` side, seen along the line. The point is in units of a frame. */
export function shoreSide(
  lines: EarthLines,
  water: 'left' | 'right' | 'unknown',
  vertex: number,
  px: number,
  py: number,
  pz: number,
): ShoreSide {
  if (water === 'unknown') return 'unknown';
  const left = leftOf(lines, vertex, px, py, pz);
  if (left === 0) return 'unknown';
  return left > 0 === (water === 'left') ? 'water' : 'land';
}

/** Positive on the left. */
function leftOf(lines: EarthLines, vertex: number, px: number, py: number, pz: number): number {
  const { vertices } = lines;
  const fraction = segmentFraction(vertices, vertex, px, py, pz);
  if (fraction > 0 && fraction < 1) return sideOfSegment(vertices, vertex, px, py, pz);
  const line = lineOf(lines.lineStarts, vertex);
  const first = lines.lineStarts[line]!;
  const last = lines.lineStarts[line + 1]! - 1;
  const closed = last - first > 2 && samePlace(vertices, first, last);
  let before = fraction === 0 ? vertex - 1 : vertex;
  let after = fraction === 0 ? vertex : vertex + 1;
  // Beyond a loose end the source omitted land or water.
  if (!closed && (before < first || after >= last)) return 0;
  if (before < first) before = last - 1;
  if (after >= last) after = first;
  if (before === after) return sideOfSegment(vertices, vertex, px, py, pz);
  const ofBefore = sideOfSegment(vertices, before, px, py, pz);
  const ofAfter = sideOfSegment(vertices, after, px, py, pz);
  if ((ofBefore > 0 && ofAfter > 0) || (ofBefore < 0 && ofAfter < 0)) return ofBefore;
  // The outside of a left turn is on the right.
  return -turn(vertices, before, after, px, py, pz);
}

/** Triple product of direction, vector to the point, and vertical (the position vector). */
function sideOfSegment(vertices: Int32Array, vertex: number, px: number, py: number, pz: number): number {
  const at = vertex * 3;
  const ax = vertices[at]!;
  const ay = vertices[at + 1]!;
  const az = vertices[at + 2]!;
  return triple(
    vertices[at + 3]! - ax,
    vertices[at + 4]! - ay,
    vertices[at + 5]! - az,
    px - ax,
    py - ay,
    pz - az,
    px,
    py,
    pz,
  );
}

/** Positive for a left turn. */
function turn(vertices: Int32Array, before: number, after: number, px: number, py: number, pz: number): number {
  const one = before * 3;
  const two = after * 3;
  return triple(
    vertices[one + 3]! - vertices[one]!,
    vertices[one + 4]! - vertices[one + 1]!,
    vertices[one + 5]! - vertices[one + 2]!,
    vertices[two + 3]! - vertices[two]!,
    vertices[two + 4]! - vertices[two + 1]!,
    vertices[two + 5]! - vertices[two + 2]!,
    px,
    py,
    pz,
  );
}

function triple(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
): number {
  return (ay * bz - az * by) * cx + (az * bx - ax * bz) * cy + (ax * by - ay * bx) * cz;
}

function samePlace(vertices: Int32Array, one: number, other: number): boolean {
  return (
    vertices[one * 3] === vertices[other * 3] &&
    vertices[one * 3 + 1] === vertices[other * 3 + 1] &&
    vertices[one * 3 + 2] === vertices[other * 3 + 2]
  );
}

function lineOf(lineStarts: Uint32Array, vertex: number): number {
  let low = 0;
  let high = lineStarts.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (lineStarts[middle]! <= vertex) low = middle;
    else high = middle;
  }
  return low;
}
