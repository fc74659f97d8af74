import { FRAME_LENGTH, UNITS_PER_METER, writeFrame } from '../earth/ellipsoid.ts';
import { checkShoreline } from '../shoreline/check-shoreline.ts';
import type { Shoreline } from '../shoreline/shoreline.ts';
import { segmentDistance2 } from './segment-distance.ts';

/** Stretches in a leaf. */
const LEAF_SIZE = 8;
/** A node's numbers: its box (least x, y, z, greatest x, y, z), and the widest and the narrowest reach below it. */
const NODE_NUMBERS = 8;
const STACK_DEPTH = 64;
const stack = new Int32Array(STACK_DEPTH);
const squareStack = new Float64Array(STACK_DEPTH);

/** Straight stretches, each with how far from it the water may lie, in a k-d tree. Numbers are in units. */
export class ReachTree {
  /** Two vertices a stretch, x, y, z each, in the order of the leaves. A place by itself is a stretch of no length. */
  readonly vertices: Int32Array;
  readonly reaches: Float64Array;
  /** Which of the shorelines given a stretch is of. */
  readonly sources: Uint8Array;
  /** Nodes breadth first, as in a heap: the children of `node` are `2 node + 1` and `2 node + 2`. */
  readonly #nodes: Float32Array;
  readonly #leaves: number;
  /** The first stretch of each leaf, and the end of the last. */
  readonly #starts: Uint32Array;

  constructor(shorelines: readonly Shoreline[]) {
    const { vertices, reaches, sources } = stretchesOf(shorelines);
    const count = reaches.length;
    let levels = 0;
    while (LEAF_SIZE << levels < count) levels++;
    this.#leaves = 1 << levels;
    const order = Uint32Array.from({ length: count }, (_, stretch) => stretch);
    split(vertices, order, 0, count, levels);
    this.vertices = new Int32Array(count * 6);
    for (let at = 0; at < count; at++) {
      const from = order[at]! * 6;
      for (let number = 0; number < 6; number++) this.vertices[at * 6 + number] = vertices[from + number]!;
    }
    this.reaches = Float64Array.from(order, (stretch) => reaches[stretch]!);
    this.sources = Uint8Array.from(order, (stretch) => sources[stretch]!);
    this.#starts = Uint32Array.from({ length: this.#leaves + 1 }, (_, leaf) => startOf(leaf, this.#leaves, count));
    this.#nodes = this.#box();
  }

  get count(): number {
    return this.reaches.length;
  }

  #box(): Float32Array {
    const nodes = new Float32Array(NODE_NUMBERS * (2 * this.#leaves - 1));
    for (let node = 2 * this.#leaves - 2; node >= 0; node--) {
      const base = node * NODE_NUMBERS;
      nodes.set([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity, -Infinity, Infinity], base);
      if (node < this.#leaves - 1) {
        for (const child of [2 * node + 1, 2 * node + 2]) widen(nodes, base, nodes, child * NODE_NUMBERS);
        continue;
      }
      const leaf = node - this.#leaves + 1;
      for (let at = this.#starts[leaf]!; at < this.#starts[leaf + 1]!; at++) {
        const reach = this.reaches[at]!;
        for (let axis = 0; axis < 3; axis++) {
          const [one, other] = [this.vertices[at * 6 + axis]!, this.vertices[at * 6 + 3 + axis]!];
          nodes[base + axis] = Math.min(nodes[base + axis]!, Math.min(one, other) - ROUNDING);
          nodes[base + 3 + axis] = Math.max(nodes[base + 3 + axis]!, Math.max(one, other) + ROUNDING);
        }
        nodes[base + 6] = Math.max(nodes[base + 6]!, reach);
        nodes[base + 7] = Math.min(nodes[base + 7]!, reach);
      }
    }
    return nodes;
  }

  /**
   * Finds, from a point and what is known so far, the least distance, the least distance less reach (`min`) and the least distance
   * plus reach (`max`), and which stretch has each. A `min` of zero or less is not lowered further. Not re-entrant.
   */
  search(px: number, py: number, pz: number, found: ReachSearch): void {
    if (this.count === 0) return;
    const nodes = this.#nodes;
    const firstLeaf = this.#leaves - 1;
    let top = 0;
    stack[0] = 0;
    squareStack[0] = boxDistance2(nodes, 0, px, py, pz);
    while (top >= 0) {
      let node = stack[top]!;
      if (squareStack[top--]! >= usefulSquare(found, nodes, node * NODE_NUMBERS)) continue;
      for (;;) {
        if (node >= firstLeaf) {
          this.#searchLeaf(node - firstLeaf, px, py, pz, found);
          break;
        }
        const left = 2 * node + 1;
        const left2 = boxDistance2(nodes, left * NODE_NUMBERS, px, py, pz);
        const right2 = boxDistance2(nodes, (left + 1) * NODE_NUMBERS, px, py, pz);
        const isLeftNear = left2 <= right2;
        const far = isLeftNear ? left + 1 : left;
        const far2 = isLeftNear ? right2 : left2;
        if (far2 < usefulSquare(found, nodes, far * NODE_NUMBERS)) {
          stack[++top] = far;
          squareStack[top] = far2;
        }
        node = isLeftNear ? left : left + 1;
        if ((isLeftNear ? left2 : right2) >= usefulSquare(found, nodes, node * NODE_NUMBERS)) break;
      }
    }
  }

  #searchLeaf(leaf: number, px: number, py: number, pz: number, found: ReachSearch): void {
    const { vertices, reaches } = this;
    const end = this.#starts[leaf + 1]!;
    for (let at = this.#starts[leaf]!; at < end; at++) {
      const reach = reaches[at]!;
      const square = segmentDistance2(vertices, at * 2, px, py, pz);
      if (square >= squareOf(Math.max(leastUseful(found) + reach, found.distance, found.max - reach))) continue;
      const distance = Math.sqrt(square);
      if (found.min > 0 && distance - reach < found.min) {
        found.min = distance - reach;
        found.minBy = at;
      }
      if (distance < found.distance) {
        found.distance = distance;
        found.distanceBy = at;
      }
      if (distance + reach < found.max) {
        found.max = distance + reach;
        found.maxBy = at;
      }
    }
  }
}

/** The square of the distance from which on nothing below a node changes what is found: its widest reach lowers min, its narrowest max. */
function usefulSquare(found: ReachSearch, nodes: Float32Array, base: number): number {
  return squareOf(Math.max(leastUseful(found) + nodes[base + 6]!, found.distance, found.max - nodes[base + 7]!));
}

/** What a distance less reach has to beat: nothing does, once min is zero. */
function leastUseful({ min }: ReachSearch): number {
  return min > 0 ? min : Number.NEGATIVE_INFINITY;
}

function squareOf(distance: number): number {
  return distance > 0 ? distance * distance : 0;
}

/**
 * What is searched for, in units, each with the stretch that has it: −1 where nothing beats what was known. What is not searched for
 * begins at minus infinity.
 */
export class ReachSearch {
  distance = 0;
  min = 0;
  max = 0;
  distanceBy = -1;
  minBy = -1;
  maxBy = -1;
}

/** Boxes are float32, whose last digit is 128 units at an earth radius of 1.6e9: rounded outward by that. */
const ROUNDING = 128;

interface Stretches {
  readonly vertices: Int32Array;
  readonly reaches: Float64Array;
  readonly sources: Uint8Array;
}

function stretchesOf(shorelines: readonly Shoreline[]): Stretches {
  shorelines.forEach(checkShoreline);
  const count = shorelines.reduce((sum, { layers, lineStarts }) => sum + layers.length - (lineStarts.length - 1), 0);
  const vertices = new Int32Array(count * 6);
  const reaches = new Float64Array(count);
  const sources = new Uint8Array(count);
  const frame = new Float64Array(FRAME_LENGTH);
  let stretch = 0;
  shorelines.forEach(({ positions, lineStarts, layers, accuracy }, source) => {
    const reachOf = rememberedReach(accuracy.radiusMeters);
    for (let line = 0; line + 1 < lineStarts.length; line++) {
      for (let vertex = lineStarts[line]!; vertex + 1 < lineStarts[line + 1]!; vertex++) {
        for (let end = 0; end <= 1; end++) {
          writeFrame(frame, positions[(vertex + end) * 2 + 1]!, positions[(vertex + end) * 2]!);
          for (let axis = 0; axis < 3; axis++) vertices[stretch * 6 + end * 3 + axis] = Math.round(frame[axis]!);
        }
        reaches[stretch] = reachOf(layers[vertex]!);
        sources[stretch++] = source;
      }
    }
  });
  return { vertices, reaches: reaches.subarray(0, stretch), sources };
}

/** The reach of stretches of some layers, in units: that of the most accurate. There are few selections of layers, and many stretches. */
function rememberedReach(radiusMeters: readonly number[]): (layers: number) => number {
  const known = new Map<number, number>();
  return (layers) => {
    let reach = known.get(layers);
    if (reach === undefined) {
      const radii = radiusMeters.filter((_, layer) => (layers & (1 << layer)) !== 0);
      reach = Math.min(...radii) * UNITS_PER_METER;
      known.set(layers, reach);
    }
    return reach;
  };
}

/** Twice the middle of a stretch along an axis. */
function middle(vertices: Int32Array, stretch: number, axis: number): number {
  return vertices[stretch * 6 + axis]! + vertices[stretch * 6 + 3 + axis]!;
}

/** Orders stretches so that each half, of each half …, lies on one side of the median along its widest axis. */
function split(vertices: Int32Array, order: Uint32Array, from: number, to: number, levels: number): void {
  if (levels === 0) return;
  let widest = 0;
  let spread = -1;
  for (let axis = 0; axis < 3; axis++) {
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let at = from; at < to; at++) {
      const value = middle(vertices, order[at]!, axis);
      if (value < least) least = value;
      if (value > most) most = value;
    }
    if (most - least > spread) [widest, spread] = [axis, most - least];
  }
  const half = from + ((to - from) >> 1);
  select(vertices, order, from, to - 1, half, widest);
  split(vertices, order, from, half, levels - 1);
  split(vertices, order, half, to, levels - 1);
}

/** Hoare's selection: puts what belongs at `wanted` there, nothing greater before it and nothing less behind. */
function select(
  vertices: Int32Array,
  order: Uint32Array,
  left: number,
  right: number,
  wanted: number,
  axis: number,
): void {
  let [first, last] = [left, right];
  while (first < last) {
    const pivot = middle(vertices, order[(first + last) >> 1]!, axis);
    let [low, high] = [first, last];
    while (low <= high) {
      while (middle(vertices, order[low]!, axis) < pivot) low++;
      while (middle(vertices, order[high]!, axis) > pivot) high--;
      if (low > high) break;
      const swapped = order[low]!;
      order[low++] = order[high]!;
      order[high--] = swapped;
    }
    if (wanted <= high) last = high;
    else if (wanted >= low) first = low;
    else return;
  }
}

/** Where a leaf begins when `count` is halved until there are as many `leaves`, the first half never the greater. */
function startOf(leaf: number, leaves: number, count: number): number {
  let [start, length] = [0, count];
  if (leaf === leaves) return count;
  for (let size = leaves; size > 1; size >>= 1) {
    const half = length >> 1;
    const isRight = (leaf & (size >> 1)) !== 0;
    start += isRight ? half : 0;
    length = isRight ? length - half : half;
  }
  return start;
}

function widen(nodes: Float32Array, base: number, by: ArrayLike<number>, from: number): void {
  for (let axis = 0; axis < 3; axis++) {
    nodes[base + axis] = Math.min(nodes[base + axis]!, by[from + axis]!);
    nodes[base + 3 + axis] = Math.max(nodes[base + 3 + axis]!, by[from + 3 + axis]!);
  }
  nodes[base + 6] = Math.max(nodes[base + 6]!, by[from + 6]!);
  nodes[base + 7] = Math.min(nodes[base + 7]!, by[from + 7]!);
}

/** The square of the distance from a point to a node's box. */
function boxDistance2(nodes: Float32Array, base: number, px: number, py: number, pz: number): number {
  let sum = 0;
  let gap = nodes[base]! - px;
  if (gap > 0) sum = gap * gap;
  gap = px - nodes[base + 3]!;
  if (gap > 0) sum = gap * gap;
  gap = nodes[base + 1]! - py;
  if (gap > 0) sum += gap * gap;
  gap = py - nodes[base + 4]!;
  if (gap > 0) sum += gap * gap;
  gap = nodes[base + 2]! - pz;
  if (gap > 0) sum += gap * gap;
  gap = pz - nodes[base + 5]!;
  if (gap > 0) sum += gap * gap;
  return sum;
}
