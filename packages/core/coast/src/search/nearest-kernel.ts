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

/** Shores nearer than this are ordered by the chord alone: arcs over equal chords differ by 4.5 mm at most there. */
const CHORD_ORDER_UNITS2 = (60_000 * UNITS_PER_METER) ** 2;
/** By how much arcs over equal chords c can differ, in units, over c³ in units (see METRIC_SPREAD_PER_SQUARE_METER). */
const SPREAD = 2.1e-17 / (UNITS_PER_METER * UNITS_PER_METER);

/**
 * Squares of distances are sifted as whole numbers of 2^28 square units, (64 m)²: 31 bits reach to 2,966 km, and the candidates of
 * a tile lie within 2,000 km and its width.
 */
const SIFTED_PER_UNIT2 = 2 ** -28;
/** By how much less than at its nearer end the square of the distance can be within a segment: the quarter of its length's. */
const WITHIN_SEGMENT = Math.ceil(((1.02 * MAX_SEGMENT_METERS * UNITS_PER_METER) / 2) ** 2 * SIFTED_PER_UNIT2);
/** What rounding takes away, twice, and one more. */
const ROUNDED_AWAY = 3;
/** See `arcRivalBound`, in whole numbers of the sieve. */
const SIFTED_SPREAD = (2.5 * SPREAD) / SIFTED_PER_UNIT2;

/** The candidates of a point, sifted as far as their vertices tell: the square at the nearer end, and the segment. */
const nearerEnds = new Int32Array(MAX_LIST_LENGTH);
const segments = new Int32Array(MAX_LIST_LENGTH);
/** Those that can be the nearest, and the squares of their distances. */
const rivals = new Int32Array(MAX_LIST_LENGTH);
const rivalDistances2 = new Float64Array(MAX_LIST_LENGTH);

/** The entry of the smallest cell that holds a point: see `CandidateTree`. Never a block. */
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
 * The segment nearest to a frame's point among the candidates of an entry, as its first vertex; of equally near ones the first.
 *
 * First all vertices are measured, without a branch: which of them is nearer is as good as random, and to guess wrong
 * costs more than to measure. A few segments are left, and settled exactly. The point's frame begins at `frame`.
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
  let least = 0x7fffffff;
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
      const below = (nearer - least) | 0;
      least = (least + (below & (below >> 31))) | 0;
    }
    if ((item & 1) === 1) break;
    item = pool[next++]!;
  }
  const bound = (least + WITHIN_SEGMENT + ROUNDED_AWAY + (((least + 1) * (least + 1) * SIFTED_SPREAD) | 0)) | 0;
  let left = 0;
  for (let candidate = 0; candidate < count; candidate++) {
    rivals[left] = segments[candidate]!;
    left += (nearerEnds[candidate]! - bound) >>> 31;
  }
  return left === 1 ? rivals[0]! : nearestRival(left, vertices, frames, frame);
}

/** The nearest of the first `count` rivals: by the chord, and where chords are nearly equal and the shore is far, by the arc. */
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

/** Of rivals whose chords are measured, the nearest along the surface. */
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
  let shortest = Number.POSITIVE_INFINITY;
  for (let rival = 0; rival < count; rival++) {
    if (rivalDistances2[rival]! > bound) continue;
    const arc = arcToSegment(vertices, rivals[rival]!, frames, frame);
    if (arc < shortest) {
      shortest = arc;
      nearest = rivals[rival]!;
    }
  }
  return nearest;
}

/** The square of the chord in units up to which a candidate may be nearer along the surface than one at `distance2`. */
export function arcRivalBound(distance2: number): number {
  return distance2 * (1 + 2.5 * SPREAD * distance2);
}

/** True where chords do not settle which of several shores is nearest along the surface. */
export function isBeyondChordOrder(distance2: number): boolean {
  return distance2 > CHORD_ORDER_UNITS2;
}
