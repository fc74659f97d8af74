/** By where on a segment the nearest point lies (at the start, between, at the end): the square of the distance, the fraction. */
const distances2 = new Float64Array(3);
const fractions = Float64Array.of(0, 0, 1);

/**
 * The square of the distance in units from a point to a segment of the shore, which starts at `vertex` and ends at the
 * next one: straight through the earth, which orders near shores as the surface does. Where the nearest point lies is as good
 * as random, so it is looked up and not branched on.
 */
export function segmentDistance2(vertices: Int32Array, vertex: number, px: number, py: number, pz: number): number {
  const at = vertex * 3;
  const ax = vertices[at]!;
  const ay = vertices[at + 1]!;
  const az = vertices[at + 2]!;
  const bx = vertices[at + 3]!;
  const by = vertices[at + 4]!;
  const bz = vertices[at + 5]!;
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const wx = px - ax;
  const wy = py - ay;
  const wz = pz - az;
  // Not w − u, which rounds otherwise: two segments that meet at the nearest vertex must give one number.
  const ex = px - bx;
  const ey = py - by;
  const ez = pz - bz;
  const along = wx * ux + wy * uy + wz * uz;
  const length2 = ux * ux + uy * uy + uz * uz;
  const w2 = wx * wx + wy * wy + wz * wz;
  distances2[0] = w2;
  distances2[1] = w2 - (along * along) / length2;
  distances2[2] = ex * ex + ey * ey + ez * ez;
  return distances2[caseOf(along, length2)]!;
}

/** Where on a segment the nearest point to (px, py, pz) lies: 0 at its start, 1 at its end. */
export function segmentFraction(vertices: Int32Array, vertex: number, px: number, py: number, pz: number): number {
  const at = vertex * 3;
  const ux = vertices[at + 3]! - vertices[at]!;
  const uy = vertices[at + 4]! - vertices[at + 1]!;
  const uz = vertices[at + 5]! - vertices[at + 2]!;
  const along = (px - vertices[at]!) * ux + (py - vertices[at + 1]!) * uy + (pz - vertices[at + 2]!) * uz;
  const length2 = ux * ux + uy * uy + uz * uz;
  fractions[1] = along / length2;
  return fractions[caseOf(along, length2)]!;
}

/** 0 before or at the start of a segment, 1 between, 2 at its end or beyond. */
function caseOf(along: number, length2: number): number {
  const isPastStart = Number(along > 0);
  return isPastStart + (isPastStart & Number(along >= length2));
}
