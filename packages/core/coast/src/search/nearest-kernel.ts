import { UNITS_PER_METER } from '../earth/ellipsoid.ts';
import { MAX_SEGMENT_METERS } from '../shoreline/earth-lines.ts';
import {
  type CandidateTree,
  FINEST_CELLS_PER_DEGREE,
  LEAF,
  MAX_LIST_LENGTH,
  OPEN,
  TABLE_COLUMNS,
} from './candidate-tree.ts';
import { segmentDistance2 } from './segment-distance.ts';
import { arcToSegment } from './shore-answer.ts';

const NORTHERNMOST = 180 * FINEST_CELLS_PER_DEGREE - 1;
const EASTERN_EDGE = TABLE_COLUMNS * FINEST_CELLS_PER_DEGREE;

/** Up to here the chord decides: arcs over equal chords differ by up to 4.5 mm. */
const CHORD_ORDER_UNITS2 = (60_000 * UNITS_PER_METER) ** 2;
/** Maximum difference of arcs over equal chords c, by c³, in units (see METRIC_SPREAD_PER_SQUARE_METER). */
const SPREAD = 2.1e-17 / (UNITS_PER_METER * UNITS_PER_METER);

/** Whole numbers of 2^28 square units, (64 m)²: 31 bits reach 2,966 km, candidates are within 2,000 km. */
const SIFTED_PER_UNIT2 = 2 ** -28;
/** Maximum decrease of the squared distance inside a segment, from its nearer end: (length / 2)². */
const WITHIN_SEGMENT = Math.ceil(((1.02 * MAX_SEGMENT_METERS * UNITS_PER_METER) / 2) ** 2 * SIFTED_PER_UNIT2);
const ROUNDED_AWAY = 3;
/** See `arcRivalBound`. */
const SIFTED_SPREAD = (2.5 * SPREAD) / SIFTED_PER_UNIT2;

/** Squared distance of the nearer end, and first vertex. */
const nearerEnds = new Int32Array(MAX_LIST_LENGTH);
const segments = new Int32Array(MAX_LIST_LENGTH);
const rivals = new Int32Array(MAX_LIST_LENGTH);
const rivalDistances2 = new Float64Array(MAX_LIST_LENGTH);

export function findEntry(tree: CandidateTree, latitude: number, longitude: number): number {
  let y = ((latitude + 90) * FINEST_CELLS_PER_DEGREE) | 0;
  let x = ((longitude + 180) * FINEST_CELLS_PER_DEGREE) | 0;
  if (y > NORTHERNMOST) y = NORTHERNMOST;
  if (x >= EASTERN_EDGE) x -= EASTERN_EDGE;
  let entry = tree.table[(y >> 12) * TABLE_COLUMNS + (x >> 12)]!;
  const pool = tree.pool;
  for (let shift = 10; entry > 0 && entry < OPEN && shift >= 0; shift -= 2) {
    entry = pool[entry + ((((y >> shift) & 3) << 2) | ((x >> shift) & 3))]!;
  }
  return entry;
}

/**
 * The first of equally near ones. Measures all vertices without branches, since a mispredicted branch costs more, then compares the few
 * segments that can be nearest exactly.
 */
export function nearestCandidate(
  entry: number,
  pool: Int32Array,
  vertices: Int32Array,
  frames: Float64Array,
  frame: number,
): number {
  const px = frames[frame]!;
  const py = frames[frame + 1]!;
  const pz = frames[frame + 2]!;
  let next = entry & (LEAF - 1);
  let item = entry < 0 ? (entry << 1) | 1 : pool[next++]!;
  let count = 0;
  let min = 0x7fffffff;
  for (;;) {
    let vertex = item >>> 6;
    let at = vertex * 3;
    let dx = vertices[at]! - px;
    let dy = vertices[at + 1]! - py;
    let dz = vertices[at + 2]! - pz;
    let before = ((dx * dx + dy * dy + dz * dz) * SIFTED_PER_UNIT2) | 0;
    for (const end = vertex + ((item >> 1) & 31); vertex <= end; vertex++) {
      at += 3;
      dx = vertices[at]! - px;
      dy = vertices[at + 1]! - py;
      dz = vertices[at + 2]! - pz;
      const here = ((dx * dx + dy * dy + dz * dz) * SIFTED_PER_UNIT2) | 0;
      const farther = (here - before) | 0;
      const nearer = (before + (farther & (farther >> 31))) | 0;
      before = here;
      nearerEnds[count] = nearer;
      segments[count++] = vertex;
      const below = (nearer - min) | 0;
      min = (min + (below & (below >> 31))) | 0;
    }
    if ((item & 1) === 1) break;
    item = pool[next++]!;
  }
  const bound = (min + WITHIN_SEGMENT + ROUNDED_AWAY + (((min + 1) * (min + 1) * SIFTED_SPREAD) | 0)) | 0;
  let left = 0;
  for (let candidate = 0; candidate < count; candidate++) {
    rivals[left] = segments[candidate]!;
    left += (nearerEnds[candidate]! - bound) >>> 31;
  }
  return left === 1 ? rivals[0]! : nearestRival(left, vertices, frames, frame);
}

/** By the chord, or by the arc if the shore is far and chords are nearly equal. */
function nearestRival(count: number, vertices: Int32Array, frames: Float64Array, frame: number): number {
  const px = frames[frame]!;
  const py = frames[frame + 1]!;
  const pz = frames[frame + 2]!;
  let best = Number.POSITIVE_INFINITY;
  let nearest = 0;
  for (let rival = 0; rival < count; rival++) {
    const distance2 = segmentDistance2(vertices, rivals[rival]!, px, py, pz);
    rivalDistances2[rival] = distance2;
    if (distance2 < best) {
      best = distance2;
      nearest = rival;
    }
  }
  return best <= CHORD_ORDER_UNITS2 ? rivals[nearest]! : nearestByArc(count, nearest, vertices, frames, frame);
}

/** Their chords are measured. */
function nearestByArc(
  count: number,
  nearestByChord: number,
  vertices: Int32Array,
  frames: Float64Array,
  frame: number,
): number {
  let nearest = rivals[nearestByChord]!;
  const best = rivalDistances2[nearestByChord]!;
  const bound = arcRivalBound(best);
  let others = 0;
  for (let rival = 0; rival < count; rival++) {
    const distance2 = rivalDistances2[rival]!;
    others += Number(distance2 <= bound) & Number(distance2 > best);
  }
  if (others === 0) return nearest;
  let minArc = Number.POSITIVE_INFINITY;
  for (let rival = 0; rival < count; rival++) {
    if (rivalDistances2[rival]! > bound) continue;
    const arc = arcToSegment(vertices, rivals[rival]!, frames, frame);
    if (arc < minArc) {
      minArc = arc;
      nearest = rivals[rival]!;
    }
  }
  return nearest;
}

/** Maximum squared chord of a candidate that can be nearer along the surface. */
export function arcRivalBound(distance2: number): number {
  return distance2 * (1 + 2.5 * SPREAD * distance2);
}

/** Chords do not determine the nearest shore along the surface. */
export function isBeyondChordOrder(distance2: number): boolean {
  return distance2 > CHORD_ORDER_UNITS2;
}
