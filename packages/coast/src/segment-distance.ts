/**
 * The square of the distance in units from a point to a segment of the shore, which starts at `vertex` and ends at the
 * next one: straight through the earth, which orders near shores as the surface does.
 */
export function segmentDistance2(vertices: Int32Array, vertex: number, px: number, py: number, pz: number): number {
  const at = vertex * 3;
  const ax = vertices[at]!;
  const ay = vertices[at + 1]!;
  const az = vertices[at + 2]!;
  const ux = vertices[at + 3]! - ax;
  const uy = vertices[at + 4]! - ay;
  const uz = vertices[at + 5]! - az;
  const wx = px - ax;
  const wy = py - ay;
  const wz = pz - az;
  const along = wx * ux + wy * uy + wz * uz;
  const distance2 = wx * wx + wy * wy + wz * wz;
  if (along <= 0) return distance2;
  const length2 = ux * ux + uy * uy + uz * uz;
  if (along >= length2) {
    // Not w − u, which rounds otherwise: two segments that meet at the nearest vertex must give one number.
    const ex = px - vertices[at + 3]!;
    const ey = py - vertices[at + 4]!;
    const ez = pz - vertices[at + 5]!;
    return ex * ex + ey * ey + ez * ez;
  }
  return distance2 - (along * along) / length2;
}

/** Where on a segment the nearest point to (px, py, pz) lies: 0 at its start, 1 at its end. */
export function segmentFraction(vertices: Int32Array, vertex: number, px: number, py: number, pz: number): number {
  const at = vertex * 3;
  const ux = vertices[at + 3]! - vertices[at]!;
  const uy = vertices[at + 4]! - vertices[at + 1]!;
  const uz = vertices[at + 5]! - vertices[at + 2]!;
  const along = (px - vertices[at]!) * ux + (py - vertices[at + 1]!) * uy + (pz - vertices[at + 2]!) * uz;
  if (along <= 0) return 0;
  const length2 = ux * ux + uy * uy + uz * uz;
  return along >= length2 ? 1 : along / length2;
}
