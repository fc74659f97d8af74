/** By position of the nearest point: start, between, end. */
const distances2 = new Float64Array(3);
const fractions = Float64Array.of(0, 0, 1);

/**
 * In units, straight through the earth: near shores have the same order along the surface. The unpredictable position of the nearest
 * point is looked up instead of branched on.
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
  // Not w − u, which rounds differently: segments that share the nearest vertex must return equal distances.
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

function caseOf(along: number, length2: number): number {
  const isPastStart = Number(along > 0);
  return isPastStart + (isPastStart & Number(along >= length2));
}
