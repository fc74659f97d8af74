// The nearest segment of a shore, the side of the shore, and the nearest water of each group.

import { arcMeters, UNITS_PER_METER } from './earth';
import { firstOf, header, Kind, kindAt, LINE_END, Node, Source, Vertex } from './shores';

/** Up to here the chord decides: arcs over equal chords differ by up to 4.5 mm. */
const CHORD_ORDER_UNITS2: f64 = 60000.0 * UNITS_PER_METER * (60000.0 * UNITS_PER_METER);
/** Maximum difference of arcs over equal chords c, by c³, in units. */
const SPREAD: f64 = 2.1e-17 / (UNITS_PER_METER * UNITS_PER_METER);

const nodeStack = memory.data(64 * 4, 4);
const squareStack = memory.data(64 * 8, 8);

/** The point, in units. */
export let px: f64 = 0;
export let py: f64 = 0;
export let pz: f64 = 0;

export function setPoint(x: f64, y: f64, z: f64): void {
  px = x;
  py = y;
  pz = z;
}

// @ts-ignore: decorator
@inline function outside(low: f32, high: f32, at: f64): f64 {
  return max(max(<f64>low - at, at - <f64>high), 0.0);
}

// @ts-ignore: decorator
@inline function boxSquare(node: Node): f64 {
  const x = outside(node.lowX, node.highX, px);
  const y = outside(node.lowY, node.highY, py);
  const z = outside(node.lowZ, node.highZ, pz);
  return x * x + y * y + z * z;
}

// @ts-ignore: decorator
@inline export function nextOf(vertex: Vertex): Vertex {
  return changetype<Vertex>(changetype<usize>(vertex) + offsetof<Vertex>());
}

// @ts-ignore: decorator
@inline function segmentSquare(a: Vertex): f64 {
  const b = nextOf(a);
  const ux = <f64>b.x - <f64>a.x;
  const uy = <f64>b.y - <f64>a.y;
  const uz = <f64>b.z - <f64>a.z;
  const wx = px - <f64>a.x;
  const wy = py - <f64>a.y;
  const wz = pz - <f64>a.z;
  const along = wx * ux + wy * uy + wz * uz;
  const square = wx * wx + wy * wy + wz * wz;
  if (!(along > 0)) return square;
  const length2 = ux * ux + uy * uy + uz * uz;
  if (along < length2) return square - (along * along) / length2;
  const ex = px - <f64>b.x;
  const ey = py - <f64>b.y;
  const ez = pz - <f64>b.z;
  return ex * ex + ey * ey + ez * ez;
}

/** 0 at the start of the segment, 1 at its end. */
function segmentFraction(a: Vertex): f64 {
  const b = nextOf(a);
  const ux = <f64>b.x - <f64>a.x;
  const uy = <f64>b.y - <f64>a.y;
  const uz = <f64>b.z - <f64>a.z;
  const along = (px - <f64>a.x) * ux + (py - <f64>a.y) * uy + (pz - <f64>a.z) * uz;
  const length2 = ux * ux + uy * uy + uz * uz;
  return !(along > 0) ? 0 : along >= length2 ? 1 : along / length2;
}

/** Meters to the point of the segment that is nearest by the chord. */
export function arcTo(a: Vertex): f64 {
  const b = nextOf(a);
  const fraction = segmentFraction(a);
  const x = <f64>a.x + (<f64>b.x - <f64>a.x) * fraction;
  const y = <f64>a.y + (<f64>b.y - <f64>a.y) * fraction;
  const z = <f64>a.z + (<f64>b.z - <f64>a.z) * fraction;
  return arcMeters(px, py, pz, x, y, z);
}

/** Squares of the nearest chord, and of the maximum chord that can have a shorter arc. */
let best: f64 = 0;
let bound: f64 = 0;
let nearest: Vertex = changetype<Vertex>(0);
let minArc: f64 = 0;
let nearestByArc: Vertex = changetype<Vertex>(0);

/** The first of the nearest segments of a layer within a squared bound, or 0. `hint` is any segment of the layer, or 0. */
export function nearestSegment(source: Source, layer: u32, bound2: f64, hint: Vertex): Vertex {
  best = hint ? min(bound2, segmentSquare(hint)) : bound2;
  bound = rivalBound(best);
  nearest = nearestByArc = changetype<Vertex>(0);
  minArc = Infinity;
  const nodes: usize = source.nodes;
  const firstLeaf = (<u32>1 << source.levels) - 1;
  let top = 0;
  store<u32>(nodeStack, 0);
  store<f64>(squareStack, 0);
  while (top >= 0) {
    let number = load<u32>(nodeStack + top * 4);
    if (load<f64>(squareStack + top-- * 8) > bound) continue;
    for (;;) {
      if ((changetype<Node>(nodes + number * offsetof<Node>()).mask & layer) == 0) break;
      if (number >= firstLeaf) {
        visitLeaf(source, layer, number - firstLeaf);
        break;
      }
      const left = 2 * number + 1;
      const leftSquare = boxSquare(changetype<Node>(nodes + left * offsetof<Node>()));
      const rightSquare = boxSquare(changetype<Node>(nodes + left * offsetof<Node>() + offsetof<Node>()));
      const isLeft = leftSquare <= rightSquare;
      const far = isLeft ? rightSquare : leftSquare;
      if (far <= bound) {
        store<u32>(nodeStack + ++top * 4, isLeft ? left + 1 : left);
        store<f64>(squareStack + top * 8, far);
      }
      if ((isLeft ? leftSquare : rightSquare) > bound) break;
      number = isLeft ? left : left + 1;
    }
  }
  return best > CHORD_ORDER_UNITS2 && nearest ? nearestByArc : nearest;
}

function rivalBound(square: f64): f64 {
  return square > CHORD_ORDER_UNITS2 ? square * (1.0 + 2.5 * SPREAD * square) : square;
}

function visitLeaf(source: Source, layer: u32, leaf: u32): void {
  const end = <usize>source.vertices + firstOf(source, leaf + 1) * offsetof<Vertex>();
  for (let at = <usize>source.vertices + firstOf(source, leaf) * offsetof<Vertex>(); at < end; at += offsetof<Vertex>()) {
    const vertex = changetype<Vertex>(at);
    const kind = vertex.word & 0xff;
    if (kind == LINE_END || (kindAt(source, kind).mask & layer) == 0) continue;
    const square = segmentSquare(vertex);
    if (square > bound) continue;
    if (square < best || (square == best && (!nearest || at < changetype<usize>(nearest)))) {
      best = square;
      bound = rivalBound(square);
      nearest = vertex;
    }
    if (best <= CHORD_ORDER_UNITS2) continue;
    const arc = arcTo(vertex);
    if (arc > minArc || (arc == minArc && at > changetype<usize>(nearestByArc))) continue;
    minArc = arc;
    nearestByArc = vertex;
  }
}

export function kindOf(source: Source, vertex: Vertex): Kind {
  return kindAt(source, vertex.word & 0xff);
}

/** The side, if the water is on the right of the lines: 1 land, −1 water, 0 unknown (at the loose end of a line). */
export function sideOf(vertex: Vertex): i32 {
  const left = leftOf(vertex);
  return left > 0 ? 1 : left < 0 ? -1 : 0;
}

function leftOf(vertex: Vertex): f64 {
  const fraction = segmentFraction(vertex);
  if (fraction > 0 && fraction < 1) return leftOfSegment(vertex);
  const first = changetype<Vertex>(changetype<usize>(vertex) - (vertex.word >> 8) * offsetof<Vertex>());
  const after = fraction == 0 ? vertex : nextOf(vertex);
  let before = changetype<Vertex>(changetype<usize>(after) - offsetof<Vertex>());
  let next = after;
  if (vertex == first || (after.word & 0xff) == LINE_END) {
    let end = after;
    while ((end.word & 0xff) != LINE_END) end = nextOf(end);
    const isClosed = end.word >> 8 > 2 && end.x == first.x && end.y == first.y && end.z == first.z;
    if (after == first) {
      if (!isClosed) return 0;
      before = changetype<Vertex>(changetype<usize>(end) - offsetof<Vertex>());
    } else if (after == end) {
      if (!isClosed) return 0;
      next = first;
    }
  }
  const ofBefore = leftOfSegment(before);
  const ofNext = leftOfSegment(next);
  if ((ofBefore > 0 && ofNext > 0) || (ofBefore < 0 && ofNext < 0)) return ofBefore;
  // A point whose nearest point is the vertex is on the outside of the turn.
  return -triple(before, <f64>nextOf(next).x - <f64>next.x, <f64>nextOf(next).y - <f64>next.y, <f64>nextOf(next).z - <f64>next.z);
}

function leftOfSegment(a: Vertex): f64 {
  return triple(a, px - <f64>a.x, py - <f64>a.y, pz - <f64>a.z);
}

/** Triple product of the direction of a segment, a vector, and the vertical. */
function triple(a: Vertex, bx: f64, by: f64, bz: f64): f64 {
  const ax = <f64>nextOf(a).x - <f64>a.x;
  const ay = <f64>nextOf(a).y - <f64>a.y;
  const az = <f64>nextOf(a).z - <f64>a.z;
  return (ay * bz - az * by) * px + (az * bx - ax * bz) * py + (ax * by - ay * bx) * pz;
}

/** By group of waters: the distance of the nearest one within a bound, in units, and its first vertex, or 0. */
export const groupDistances = memory.data(32 * 8, 8);
export const groupVertices = memory.data(32 * 4, 4);

/** Lowers `groupDistances`, which hold the bounds. */
export function nearestOfGroups(source: Source): void {
  for (let group: u32 = 0; group < header.groupCount; group++) store<u32>(groupVertices + group * 4, 0);
  const nodes: usize = source.nodes;
  const firstLeaf = (<u32>1 << source.levels) - 1;
  let top = 0;
  store<u32>(nodeStack, 0);
  while (top >= 0) {
    const number = load<u32>(nodeStack + top-- * 4);
    const node = changetype<Node>(nodes + number * offsetof<Node>());
    const farthest = farthestOf(node.mask);
    if (farthest <= 0 || boxSquare(node) >= farthest * farthest) continue;
    if (number >= firstLeaf) {
      const end = <usize>source.vertices + firstOf(source, number - firstLeaf + 1) * offsetof<Vertex>();
      for (let at = <usize>source.vertices + firstOf(source, number - firstLeaf) * offsetof<Vertex>(); at < end; at += offsetof<Vertex>()) {
        const kind = changetype<Vertex>(at).word & 0xff;
        if (kind == LINE_END || kindAt(source, kind).mask == 0) continue;
        const group = kindAt(source, kind).number;
        const distance = Math.sqrt(segmentSquare(changetype<Vertex>(at)));
        if (distance >= load<f64>(groupDistances + group * 8)) continue;
        store<f64>(groupDistances + group * 8, distance);
        store<u32>(groupVertices + group * 4, <u32>at);
      }
      continue;
    }
    const left = 2 * number + 1;
    const leftNode = changetype<Node>(nodes + left * offsetof<Node>());
    const rightNode = changetype<Node>(nodes + left * offsetof<Node>() + offsetof<Node>());
    const isLeft = boxSquare(leftNode) <= boxSquare(rightNode);
    store<u32>(nodeStack + ++top * 4, isLeft ? left + 1 : left);
    store<u32>(nodeStack + ++top * 4, isLeft ? left : left + 1);
  }
}

function farthestOf(mask: u32): f64 {
  let farthest: f64 = 0;
  for (let rest = mask; rest != 0; rest &= rest - 1) farthest = max(farthest, load<f64>(groupDistances + ctz(rest) * 8));
  return farthest;
}
