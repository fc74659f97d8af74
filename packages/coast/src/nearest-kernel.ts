import { type CandidateTree, LEAF, SMALLEST_CELLS_PER_DEGREE, TABLE_COLUMNS } from './candidate-tree.ts';
import { UNITS_PER_METER } from './ellipsoid.ts';
import { segmentDistance2 } from './segment-distance.ts';
import { arcToSegment } from './shore-answer.ts';

const NORTHERNMOST = 180 * SMALLEST_CELLS_PER_DEGREE - 1;
const EASTERN_EDGE = TABLE_COLUMNS * SMALLEST_CELLS_PER_DEGREE;

/** Shores nearer than this are ordered by the chord alone: arcs over equal chords differ by 4.5 mm at most there. */
const CHORD_ORDER_UNITS2 = (60_000 * UNITS_PER_METER) ** 2;
/** By how much arcs over equal chords c can differ, in units, over c³ in units (see METRIC_SPREAD_PER_SQUARE_METER). */
const SPREAD = 2.1e-17 / (UNITS_PER_METER * UNITS_PER_METER);

/** The entry of the smallest cell that holds a point: see `CandidateTree`. Never a block. */
export function findEntry(tree: CandidateTree, latitude: number, longitude: number): number {
  let y = ((latitude + 90) * SMALLEST_CELLS_PER_DEGREE) | 0;
  let x = ((longitude + 180) * SMALLEST_CELLS_PER_DEGREE) | 0;
  if (y > NORTHERNMOST) y = NORTHERNMOST;
  if (x >= EASTERN_EDGE) x -= EASTERN_EDGE;
  let entry = tree.table[(y >> 12) * TABLE_COLUMNS + (x >> 12)]!;
  const pool = tree.pool;
  for (let shift = 10; entry > 0 && entry < LEAF && shift >= 0; shift -= 2) {
    entry = pool[entry + ((((y >> shift) & 3) << 2) | ((x >> shift) & 3))]!;
  }
  return entry;
}

/** The segment nearest to the frame's point among the candidates of an entry, as its first vertex. */
export function nearestCandidate(entry: number, pool: Int32Array, vertices: Int32Array, frame: Float64Array): number {
  const px = frame[0]!;
  const py = frame[1]!;
  const pz = frame[2]!;
  let next = entry - LEAF;
  let item = entry < 0 ? (entry << 1) | 1 : pool[next++]!;
  let best = Number.POSITIVE_INFINITY;
  let nearest = -1;
  for (;;) {
    let vertex = item >>> 6;
    let at = vertex * 3;
    let ax = vertices[at]!;
    let ay = vertices[at + 1]!;
    let az = vertices[at + 2]!;
    let wx = px - ax;
    let wy = py - ay;
    let wz = pz - az;
    let w2 = wx * wx + wy * wy + wz * wz;
    if (nearest < 0 && w2 > CHORD_ORDER_UNITS2) return nearestByArc(entry, pool, vertices, frame);
    for (const end = vertex + ((item >> 1) & 31); vertex <= end; vertex++) {
      at += 3;
      const bx = vertices[at]!;
      const by = vertices[at + 1]!;
      const bz = vertices[at + 2]!;
      const ux = bx - ax;
      const uy = by - ay;
      const uz = bz - az;
      const ex = px - bx;
      const ey = py - by;
      const ez = pz - bz;
      const e2 = ex * ex + ey * ey + ez * ez;
      const length2 = ux * ux + uy * uy + uz * uz;
      // Within a segment the square of the distance is less than at its nearer end by a quarter of the square length at most.
      const within = best + length2 * 0.25;
      if (w2 < within || e2 < within) {
        const along = wx * ux + wy * uy + wz * uz;
        let distance2 = w2;
        if (along > 0) distance2 = along >= length2 ? e2 : w2 - (along * along) / length2;
        if (distance2 < best) {
          best = distance2;
          nearest = vertex;
        }
      }
      ax = bx;
      ay = by;
      az = bz;
      wx = ex;
      wy = ey;
      wz = ez;
      w2 = e2;
    }
    if ((item & 1) === 1) return nearest;
    item = pool[next++]!;
  }
}

/** The square of the chord in units up to which a candidate may be nearer along the surface than one at `distance2`. */
export function arcRivalBound(distance2: number): number {
  return distance2 * (1 + 2.5 * SPREAD * distance2);
}

/** True where chords do not settle which of several shores is nearest along the surface. */
export function isBeyondChordOrder(distance2: number): boolean {
  return distance2 > CHORD_ORDER_UNITS2;
}

/** As `nearestCandidate`, for points far from the shore: where chords are nearly equal, the arcs decide. */
function nearestByArc(entry: number, pool: Int32Array, vertices: Int32Array, frame: Float64Array): number {
  const px = frame[0]!;
  const py = frame[1]!;
  const pz = frame[2]!;
  let best = Number.POSITIVE_INFINITY;
  let rival = Number.POSITIVE_INFINITY;
  let nearest = -1;
  let next = entry - LEAF;
  let item = entry < 0 ? (entry << 1) | 1 : pool[next++]!;
  for (;;) {
    const start = item >>> 6;
    const end = start + ((item >> 1) & 31);
    for (let vertex = start; vertex <= end; vertex++) {
      const distance2 = segmentDistance2(vertices, vertex, px, py, pz);
      if (distance2 < best) {
        rival = best;
        best = distance2;
        nearest = vertex;
      } else if (distance2 < rival && distance2 > best) rival = distance2;
    }
    if ((item & 1) === 1) break;
    item = pool[next++]!;
  }
  const bound = arcRivalBound(best);
  if (rival > bound) return nearest;
  let shortest = Number.POSITIVE_INFINITY;
  next = entry - LEAF;
  item = entry < 0 ? (entry << 1) | 1 : pool[next++]!;
  for (;;) {
    const start = item >>> 6;
    const end = start + ((item >> 1) & 31);
    for (let vertex = start; vertex <= end; vertex++) {
      if (segmentDistance2(vertices, vertex, px, py, pz) > bound) continue;
      const arc = arcToSegment(vertices, vertex, frame);
      if (arc < shortest) {
        shortest = arc;
        nearest = vertex;
      }
    }
    if ((item & 1) === 1) return nearest;
    item = pool[next++]!;
  }
}
