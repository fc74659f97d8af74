export const SEGMENT_NUMBERS = 7;

/** Start x, y, z, direction x, y, z and 1 / length² of each segment. */
export function unpackSegments(
  vertices: Int32Array,
  list: Int32Array,
  from: number,
  length: number,
  out: Float64Array,
): void {
  for (let item = 0; item < length; item++) {
    const at = list[from + item]! * 3;
    const to = item * SEGMENT_NUMBERS;
    const ax = vertices[at]!;
    const ay = vertices[at + 1]!;
    const az = vertices[at + 2]!;
    const ux = vertices[at + 3]! - ax;
    const uy = vertices[at + 4]! - ay;
    const uz = vertices[at + 5]! - az;
    out[to] = ax;
    out[to + 1] = ay;
    out[to + 2] = az;
    out[to + 3] = ux;
    out[to + 4] = uy;
    out[to + 5] = uz;
    out[to + 6] = 1 / (ux * ux + uy * uy + uz * uz);
  }
}

export function measurePlace(
  places: Float64Array,
  place: number,
  segments: Float64Array,
  length: number,
  distances: Float64Array,
): number {
  const px = places[place * 3]!;
  const py = places[place * 3 + 1]!;
  const pz = places[place * 3 + 2]!;
  let best = Number.POSITIVE_INFINITY;
  let nearest = 0;
  const row = place * length;
  for (let item = 0, at = 0; item < length; item++, at += SEGMENT_NUMBERS) {
    const wx = px - segments[at]!;
    const wy = py - segments[at + 1]!;
    const wz = pz - segments[at + 2]!;
    const ux = segments[at + 3]!;
    const uy = segments[at + 4]!;
    const uz = segments[at + 5]!;
    let fraction = (wx * ux + wy * uy + wz * uz) * segments[at + 6]!;
    if (fraction < 0) fraction = 0;
    else if (fraction > 1) fraction = 1;
    const dx = wx - ux * fraction;
    const dy = wy - uy * fraction;
    const dz = wz - uz * fraction;
    const distance2 = dx * dx + dy * dy + dz * dz;
    distances[row + item] = distance2;
    if (distance2 < best) {
      best = distance2;
      nearest = item;
    }
  }
  return nearest;
}

export interface SieveCell {
  readonly corners: Int32Array;
  readonly nearestPoints: Float64Array;
  /** Squared distance from each nearest point to each corner (point × 4 + corner), plus rounding. */
  readonly limits: Float64Array;
  /** 2h + σ (see `CandidateTileBuilder`). */
  margin: number;
}

/** Copies the remaining candidates to `to`. @returns their end. */
export function siftSegments(
  cell: SieveCell,
  lists: Int32Array,
  from: number,
  length: number,
  to: number,
  distances: Float64Array,
  segments: Float64Array,
): number {
  const { corners, nearestPoints, limits } = cell;
  const row0 = corners[0]! * length;
  const row1 = corners[1]! * length;
  const row2 = corners[2]! * length;
  const row3 = corners[3]! * length;
  const margin2 = cell.margin * cell.margin;
  let end = to;
  let rival = 0;
  for (let item = 0; item < length; item++) {
    const d0 = distances[row0 + item]!;
    const d1 = distances[row1 + item]!;
    const d2 = distances[row2 + item]!;
    const d3 = distances[row3 + item]!;
    let isCandidate = true;
    // The last excluding point is likely to exclude the neighbour too.
    for (let tries = 0; tries < 4; tries++) {
      const at = rival * 4;
      let gap = d0 - limits[at]!;
      const gap1 = d1 - limits[at + 1]!;
      const gap2 = d2 - limits[at + 2]!;
      const gap3 = d3 - limits[at + 3]!;
      if (gap1 < gap) gap = gap1;
      if (gap2 < gap) gap = gap2;
      if (gap3 < gap) gap = gap3;
      if (gap > 0) {
        const segment = item * SEGMENT_NUMBERS;
        const sx = segments[segment]! - nearestPoints[rival * 3]!;
        const sy = segments[segment + 1]! - nearestPoints[rival * 3 + 1]!;
        const sz = segments[segment + 2]! - nearestPoints[rival * 3 + 2]!;
        const ex = sx + segments[segment + 3]!;
        const ey = sy + segments[segment + 4]!;
        const ez = sz + segments[segment + 5]!;
        const start2 = sx * sx + sy * sy + sz * sz;
        const end2 = ex * ex + ey * ey + ez * ez;
        if (gap * gap > margin2 * (start2 > end2 ? start2 : end2)) {
          isCandidate = false;
          break;
        }
      }
      rival = (rival + 1) & 3;
    }
    if (isCandidate) lists[end++] = lists[from + item]!;
  }
  return end;
}

/** True if a box may contain a candidate. */
export function keepsBox(cell: SieveCell, places: Float64Array, boxes: Float32Array, base: number): boolean {
  const { corners, nearestPoints, limits, margin } = cell;
  for (let rival = 0; rival < 4; rival++) {
    let reach2 = 0;
    for (let axis = 0; axis < 3; axis++) {
      const at = nearestPoints[rival * 3 + axis]!;
      const reach = Math.max(Math.abs(at - boxes[base + axis]!), Math.abs(boxes[base + 3 + axis]! - at));
      reach2 += reach * reach;
    }
    const tolerance = margin * Math.sqrt(reach2);
    let corner = 0;
    for (; corner < 4; corner++) {
      const place = corners[corner]! * 3;
      let distance2 = 0;
      for (let axis = 0; axis < 3; axis++) {
        const at = places[place + axis]!;
        const gap = Math.max(0, boxes[base + axis]! - at, at - boxes[base + 3 + axis]!);
        distance2 += gap * gap;
      }
      if (distance2 - limits[rival * 4 + corner]! <= tolerance) break;
    }
    if (corner === 4) return false;
  }
  return true;
}
