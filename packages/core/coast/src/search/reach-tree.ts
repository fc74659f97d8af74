/**
 * A k-d tree of stretches (straight lines or single places), each with a reach: the maximum distance of the water from it.
 *
 * One search finds three stretches at once: with the minimum distance d, the minimum of d − reach, and the minimum of d + reach. A node
 * stores its box and its largest and smallest reach, which bound all three. All numbers are in units.
 */
import { FRAME_LENGTH, UNITS_PER_METER, writeFrame } from '../earth/ellipsoid.ts';
import { checkShoreline } from '../shoreline/check-shoreline.ts';
import type { Shoreline, ShorelineAccuracy } from '../shoreline/shoreline.ts';
import { segmentDistance2 } from './segment-distance.ts';

const LEAF_SIZE = 8;
/** Box (minimum x, y, z, maximum x, y, z), largest and smallest reach. */
const NODE_NUMBERS = 8;
const STACK_DEPTH = 64;
const stack = new Int32Array(STACK_DEPTH);
const squareStack = new Float64Array(STACK_DEPTH);
/** Groups of a node are a mask of this many bits; more groups share bits. */
const MASK_BITS = 32;

/** An interval holds in 95 % of cases: less probable water does not widen it. */
const OUTSIDE = 0.05;
const OUT_OF_REACH = -1e12;

/** The stretches of one source with the same layers. */
export interface ReachGroup {
  readonly reachMeters: number;
  /** The probability that they are water. */
  readonly probability: number;
}

export class ReachTree {
  readonly vertices: Int32Array;
  readonly reaches: Float64Array;
  readonly sources: Uint8Array;
  readonly groups: readonly ReachGroup[];
  readonly #groupOf: Uint16Array;
  readonly #masks: Uint32Array;
  readonly #groupDistances: Float64Array;
  readonly #nodes: Float32Array;
  readonly #leaves: number;
  readonly #starts: Uint32Array;

  constructor(shorelines: readonly Shoreline[]) {
    const { vertices, reaches, sources, groups, groupOf } = stretchesOf(shorelines);
    const count = reaches.length;
    let levels = 0;
    while (LEAF_SIZE << levels < count) levels++;
    this.#leaves = 1 << levels;
    const order = sortStretches(vertices, count, levels);
    this.vertices = new Int32Array(count * 6);
    this.reaches = new Float64Array(count);
    this.sources = new Uint8Array(count);
    this.groups = groups;
    this.#groupOf = new Uint16Array(count);
    this.#groupDistances = new Float64Array(groups.length);
    for (let at = 0; at < count; at++) {
      const stretch = order[at]!;
      const from = stretch * 6;
      for (let number = 0; number < 6; number++) this.vertices[at * 6 + number] = vertices[from + number]!;
      this.reaches[at] = reaches[stretch]!;
      this.sources[at] = sources[stretch]!;
      this.#groupOf[at] = groupOf[stretch]!;
    }
    this.#starts = new Uint32Array(this.#leaves + 1);
    for (let leaf = 0; leaf <= this.#leaves; leaf++) this.#starts[leaf] = startOf(leaf, this.#leaves, count);
    this.#masks = this.#mask();
    this.#nodes = this.#box();
  }

  get count(): number {
    return this.reaches.length;
  }

  #mask(): Uint32Array {
    const masks = new Uint32Array(2 * this.#leaves - 1);
    for (let node = masks.length - 1; node >= 0; node--) {
      const leaf = node - this.#leaves + 1;
      if (leaf < 0) masks[node] = masks[2 * node + 1]! | masks[2 * node + 2]!;
      else
        for (let at = this.#starts[leaf]!; at < this.#starts[leaf + 1]!; at++)
          masks[node]! |= maskOf(this.#groupOf[at]!);
    }
    return masks;
  }

  #box(): Float32Array {
    const { vertices, reaches } = this;
    const nodes = new Float32Array(NODE_NUMBERS * (2 * this.#leaves - 1));
    for (let node = 2 * this.#leaves - 2; node >= 0; node--) {
      const base = node * NODE_NUMBERS;
      for (let axis = 0; axis < 3; axis++) {
        nodes[base + axis] = Number.POSITIVE_INFINITY;
        nodes[base + 3 + axis] = Number.NEGATIVE_INFINITY;
      }
      nodes[base + 6] = Number.NEGATIVE_INFINITY;
      nodes[base + 7] = Number.POSITIVE_INFINITY;
      if (node < this.#leaves - 1) {
        widen(nodes, base, (2 * node + 1) * NODE_NUMBERS);
        widen(nodes, base, (2 * node + 2) * NODE_NUMBERS);
        continue;
      }
      const leaf = node - this.#leaves + 1;
      const end = this.#starts[leaf + 1]!;
      for (let at = this.#starts[leaf]!; at < end; at++) {
        for (let axis = 0; axis < 3; axis++) {
          const one = vertices[at * 6 + axis]!;
          const other = vertices[at * 6 + 3 + axis]!;
          nodes[base + axis] = Math.min(nodes[base + axis]!, Math.min(one, other) - ROUNDING);
          nodes[base + 3 + axis] = Math.max(nodes[base + 3 + axis]!, Math.max(one, other) + ROUNDING);
        }
        nodes[base + 6] = Math.max(nodes[base + 6]!, reaches[at]!);
        nodes[base + 7] = Math.min(nodes[base + 7]!, reaches[at]!);
      }
    }
    return nodes;
  }

  /** Improves `state`. Does not lower a `min` of zero or less. Not re-entrant. */
  search(px: number, py: number, pz: number, state: ReachSearch): void {
    if (this.count === 0) return;
    const nodes = this.#nodes;
    const firstLeaf = this.#leaves - 1;
    let top = 0;
    stack[0] = 0;
    squareStack[0] = boxDistance2(nodes, 0, px, py, pz);
    while (top >= 0) {
      let node = stack[top]!;
      if (squareStack[top--]! >= usefulSquare(state, nodes, node * NODE_NUMBERS)) continue;
      for (;;) {
        if (node >= firstLeaf) {
          this.#searchLeaf(node - firstLeaf, px, py, pz, state);
          break;
        }
        const left = 2 * node + 1;
        const left2 = boxDistance2(nodes, left * NODE_NUMBERS, px, py, pz);
        const right2 = boxDistance2(nodes, (left + 1) * NODE_NUMBERS, px, py, pz);
        const isLeftNear = left2 <= right2;
        const far = isLeftNear ? left + 1 : left;
        const far2 = isLeftNear ? right2 : left2;
        if (far2 < usefulSquare(state, nodes, far * NODE_NUMBERS)) {
          stack[++top] = far;
          squareStack[top] = far2;
        }
        node = isLeftNear ? left : left + 1;
        if ((isLeftNear ? left2 : right2) >= usefulSquare(state, nodes, node * NODE_NUMBERS)) break;
      }
    }
  }

  /** The distance of the nearest stretch of each group, or `bound`, in units. Valid until the next call. */
  nearestOfGroups(px: number, py: number, pz: number, bound: number): Float64Array {
    const distances = this.#groupDistances.fill(bound);
    if (this.count === 0) return distances;
    const firstLeaf = this.#leaves - 1;
    let top = 0;
    stack[0] = 0;
    while (top >= 0) {
      const node = stack[top--]!;
      const square = boxDistance2(this.#nodes, node * NODE_NUMBERS, px, py, pz);
      if (square >= squareOf(this.#farthestOf(this.#masks[node]!))) continue;
      if (node >= firstLeaf) {
        const end = this.#starts[node - firstLeaf + 1]!;
        for (let at = this.#starts[node - firstLeaf]!; at < end; at++) {
          const group = this.#groupOf[at]!;
          const distance = Math.sqrt(segmentDistance2(this.vertices, at * 2, px, py, pz));
          if (distance < distances[group]!) distances[group] = distance;
        }
        continue;
      }
      const left = 2 * node + 1;
      const left2 = boxDistance2(this.#nodes, left * NODE_NUMBERS, px, py, pz);
      const isLeftNear = left2 <= boxDistance2(this.#nodes, (left + 1) * NODE_NUMBERS, px, py, pz);
      stack[++top] = isLeftNear ? left + 1 : left;
      stack[++top] = isLeftNear ? left : left + 1;
    }
    return distances;
  }

  /** The largest distance of the groups of a mask. */
  #farthestOf(mask: number): number {
    let farthest = 0;
    for (let group = 0; group < this.#groupDistances.length; group++) {
      if ((mask & maskOf(group)) !== 0) farthest = Math.max(farthest, this.#groupDistances[group]!);
    }
    return farthest;
  }

  #searchLeaf(leaf: number, px: number, py: number, pz: number, state: ReachSearch): void {
    const { vertices, reaches } = this;
    const end = this.#starts[leaf + 1]!;
    for (let at = this.#starts[leaf]!; at < end; at++) {
      const reach = reaches[at]!;
      const square = segmentDistance2(vertices, at * 2, px, py, pz);
      if (square >= squareOf(Math.max(usefulMin(state) + reach, state.distance, state.max - reach))) continue;
      const distance = Math.sqrt(square);
      if (state.min > 0 && distance - reach < state.min) {
        state.min = distance - reach;
        state.minBy = at;
      }
      if (distance < state.distance) {
        state.distance = distance;
        state.distanceBy = at;
      }
      if (distance + reach < state.max) {
        state.max = distance + reach;
        state.maxBy = at;
      }
    }
  }
}

/** Beyond this squared distance a node cannot improve the state. */
function usefulSquare(state: ReachSearch, nodes: Float32Array, base: number): number {
  return squareOf(Math.max(usefulMin(state) + nodes[base + 6]!, state.distance, state.max - nodes[base + 7]!));
}

/** A minimum of zero cannot be lowered. */
function usefulMin({ min }: ReachSearch): number {
  return min > 0 ? min : Number.NEGATIVE_INFINITY;
}

function squareOf(distance: number): number {
  return distance > 0 ? distance * distance : 0;
}

/** In units. Set the bounds before a search; minus infinity switches a part off. `…By` is the stretch that improved a bound, or −1. */
export class ReachSearch {
  distance = 0;
  min = 0;
  max = 0;
  distanceBy = -1;
  minBy = -1;
  maxBy = -1;
}

/** The last digit of a float32 at an earth radius of 1.6e9 units; boxes are enlarged by it. */
const ROUNDING = 128;

interface Stretches {
  readonly vertices: Int32Array;
  readonly reaches: Float64Array;
  readonly sources: Uint8Array;
  readonly groups: readonly ReachGroup[];
  readonly groupOf: Uint16Array;
}

function stretchesOf(shorelines: readonly Shoreline[]): Stretches {
  shorelines.forEach(checkShoreline);
  const count = shorelines.reduce((sum, { layers, lineStarts }) => sum + layers.length - (lineStarts.length - 1), 0);
  const vertices = new Int32Array(count * 6);
  const reaches = new Float64Array(count);
  const sources = new Uint8Array(count);
  const frame = new Float64Array(FRAME_LENGTH);
  const groups: ReachGroup[] = [];
  const groupOf = new Uint16Array(count);
  let stretch = 0;
  shorelines.forEach(({ positions, lineStarts, layers, accuracy }, source) => {
    const groupOfLayers = cachedGroup(accuracy, groups);
    for (let line = 0; line + 1 < lineStarts.length; line++) {
      const end = lineStarts[line + 1]!;
      let isEnd = false;
      for (let vertex = lineStarts[line]!; vertex < end; vertex++) {
        writeFrame(frame, positions[vertex * 2 + 1]!, positions[vertex * 2]!);
        // Segments without a layer are skipped.
        const isStart = vertex + 1 < end && layers[vertex] !== 0;
        for (let axis = 0; axis < 3; axis++) {
          const value = Math.round(frame[axis]!);
          if (isEnd) vertices[stretch * 6 - 3 + axis] = value;
          if (isStart) vertices[stretch * 6 + axis] = value;
        }
        isEnd = isStart;
        if (!isStart) continue;
        const group = groupOfLayers(layers[vertex]!);
        groupOf[stretch] = group;
        const { reachMeters, probability } = groups[group]!;
        reaches[stretch] = probability > OUTSIDE ? reachMeters * UNITS_PER_METER : OUT_OF_REACH;
        sources[stretch++] = source;
      }
    }
  });
  return { vertices, reaches: reaches.subarray(0, stretch), sources, groups, groupOf };
}

/** By mask of layers: the smallest radius of them, and the largest probability. Adds groups to the list. */
function cachedGroup(
  { radiusMeters, probabilities }: ShorelineAccuracy,
  groups: ReachGroup[],
): (layers: number) => number {
  const cache = new Map<number, number>();
  return (layers) => {
    let group = cache.get(layers);
    if (group === undefined) {
      const ofLayers = (numbers: readonly number[]) => numbers.filter((_, layer) => (layers & (1 << layer)) !== 0);
      group = groups.length;
      groups.push({
        reachMeters: Math.min(...ofLayers(radiusMeters)),
        probability: probabilities === undefined ? 1 : Math.max(0, ...ofLayers(probabilities)),
      });
      cache.set(layers, group);
    }
    return group;
  };
}

function maskOf(group: number): number {
  return 1 << (group % MASK_BITS);
}

/** Halves at the median of the widest axis. */
function sortStretches(vertices: Int32Array, count: number, levels: number): Uint32Array {
  const order = new Uint32Array(count);
  const middles = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  for (let stretch = 0; stretch < count; stretch++) {
    order[stretch] = stretch;
    for (let axis = 0; axis < 3; axis++) {
      middles[axis]![stretch] = vertices[stretch * 6 + axis]! + vertices[stretch * 6 + 3 + axis]!;
    }
  }
  split(middles, order, 0, count, levels);
  return order;
}

function split(middles: readonly Float64Array[], order: Uint32Array, from: number, to: number, levels: number): void {
  if (levels === 0) return;
  let widest = middles[0]!;
  let spread = -1;
  for (const values of middles) {
    let min = Number.POSITIVE_INFINITY;
    let max = Number.NEGATIVE_INFINITY;
    for (let at = from; at < to; at++) {
      const value = values[order[at]!]!;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    if (max - min > spread) {
      widest = values;
      spread = max - min;
    }
  }
  const half = from + ((to - from) >> 1);
  select(widest, order, from, to - 1, half);
  split(middles, order, from, half, levels - 1);
  split(middles, order, half, to, levels - 1);
}

function select(values: Float64Array, order: Uint32Array, left: number, right: number, target: number): void {
  let first = left;
  let last = right;
  while (first < last) {
    const pivot = values[order[(first + last) >> 1]!]!;
    let low = first;
    let high = last;
    while (low <= high) {
      while (values[order[low]!]! < pivot) low++;
      while (values[order[high]!]! > pivot) high--;
      if (low > high) break;
      const swapped = order[low]!;
      order[low++] = order[high]!;
      order[high--] = swapped;
    }
    if (target <= high) last = high;
    else if (target >= low) first = low;
    else return;
  }
}

/** The first half is never the larger one. */
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

function widen(nodes: Float32Array, base: number, from: number): void {
  for (let axis = 0; axis < 3; axis++) {
    nodes[base + axis] = Math.min(nodes[base + axis]!, nodes[from + axis]!);
    nodes[base + 3 + axis] = Math.max(nodes[base + 3 + axis]!, nodes[from + 3 + axis]!);
  }
  nodes[base + 6] = Math.max(nodes[base + 6]!, nodes[from + 6]!);
  nodes[base + 7] = Math.min(nodes[base + 7]!, nodes[from + 7]!);
}

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
