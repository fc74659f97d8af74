/**
 * A k-d tree whose leaves are runs of up to eight consecutive segments with equal layers, without superseded ones. Nodes are split at the median of the widest
 * axis and stored depth first: the left child follows its parent. A node has its box in units (float32, rounded outward).
 * `links[node * 8 + 6]` is the right child, or ~first vertex of a run; `links[node * 8 + 7]` is the mask of all layers in the node, and for a run also
 * its number of segments in the high half.
 */
import type { EarthLines } from '../shoreline/earth-lines.ts';
import { SUPERSEDED_CLASS } from '../shoreline/shoreline.ts';

/** Eight consecutive segments share nine vertices and fit a small box. */
const SEGMENTS_PER_RUN = 8;

export const NODE_WORDS = 8;

export interface RunTree {
  readonly boxes: Float32Array;
  readonly links: Int32Array;
}

interface Runs {
  readonly starts: Int32Array;
  readonly counts: Uint8Array;
  /** Exact minimum and maximum x, y, z. */
  readonly boxes: Int32Array;
}

function cutRuns({ vertices, layers, classes }: EarthLines): Runs {
  let count = 0;
  const isSearched = (vertex: number): boolean => layers[vertex] !== 0 && classes[vertex] !== SUPERSEDED_CLASS;
  const lengthAt = (vertex: number): number => {
    const mask = layers[vertex]!;
    let length = 1;
    while (length < SEGMENTS_PER_RUN && layers[vertex + length] === mask && isSearched(vertex + length)) length++;
    return length;
  };
  for (let vertex = 0; vertex < layers.length; ) {
    if (!isSearched(vertex)) vertex++;
    else {
      vertex += lengthAt(vertex);
      count++;
    }
  }
  const runs: Runs = { starts: new Int32Array(count), counts: new Uint8Array(count), boxes: new Int32Array(count * 6) };
  for (let vertex = 0, run = 0; vertex < layers.length; ) {
    if (!isSearched(vertex)) {
      vertex++;
      continue;
    }
    const length = lengthAt(vertex);
    runs.starts[run] = vertex;
    runs.counts[run] = length;
    for (let axis = 0; axis < 3; axis++) {
      let low = vertices[vertex * 3 + axis]!;
      let high = low;
      for (let step = 1; step <= length; step++) {
        const value = vertices[(vertex + step) * 3 + axis]!;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      runs.boxes[run * 6 + axis] = low;
      runs.boxes[run * 6 + 3 + axis] = high;
    }
    vertex += length;
    run++;
  }
  return runs;
}

/** Equal lines have equal bytes. */
export function buildRunTree(lines: EarthLines): RunTree {
  const runs = cutRuns(lines);
  const count = runs.starts.length;
  const order = Int32Array.from({ length: count }, (_, index) => index);
  const keys = new Float64Array(count);
  const buffer = new ArrayBuffer(Math.max(0, 2 * count - 1) * NODE_WORDS * 4);
  const boxes = new Float32Array(buffer);
  const links = new Int32Array(buffer);
  let used = 0;

  const build = (from: number, to: number): number => {
    const node = used++;
    const base = node * NODE_WORDS;
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (let at = from; at < to; at++) {
      const run = order[at]! * 6;
      for (let axis = 0; axis < 3; axis++) {
        if (runs.boxes[run + axis]! < box[axis]!) box[axis] = runs.boxes[run + axis]!;
        if (runs.boxes[run + 3 + axis]! > box[3 + axis]!) box[3 + axis] = runs.boxes[run + 3 + axis]!;
      }
    }
    for (let axis = 0; axis < 3; axis++) {
      boxes[base + axis] = roundedDown(box[axis]!);
      boxes[base + 3 + axis] = -roundedDown(-box[3 + axis]!);
    }
    if (to - from === 1) {
      const run = order[from]!;
      const start = runs.starts[run]!;
      links[base + 6] = ~start;
      links[base + 7] = (runs.counts[run]! << 16) | lines.layers[start]!;
      return links[base + 7]! & 0xffff;
    }
    let axis = 0;
    if (box[4]! - box[1]! > box[3]! - box[0]!) axis = 1;
    if (box[5]! - box[2]! > box[3 + axis]! - box[axis]!) axis = 2;
    for (let at = from; at < to; at++) {
      const run = order[at]! * 6;
      keys[at] = runs.boxes[run + axis]! + runs.boxes[run + 3 + axis]!;
    }
    const middle = (from + to) >> 1;
    select(order, keys, from, to - 1, middle);
    const left = build(from, middle);
    links[base + 6] = used;
    const mask = left | build(middle, to);
    links[base + 7] = mask;
    return mask;
  };
  if (count > 0) build(0, count);
  return { boxes, links };
}

function roundedDown(value: number): number {
  const rounded = Math.fround(value);
  return rounded <= value ? rounded : Math.fround(rounded - Math.abs(rounded) * 2 ** -23);
}

function select(order: Int32Array, keys: Float64Array, left: number, right: number, middle: number): void {
  while (right > left) {
    const pivot = keys[(left + right) >> 1]!;
    let low = left;
    let high = right;
    while (low <= high) {
      while (keys[low]! < pivot) low++;
      while (keys[high]! > pivot) high--;
      if (low > high) break;
      const key = keys[low]!;
      keys[low] = keys[high]!;
      keys[high] = key;
      const item = order[low]!;
      order[low] = order[high]!;
      order[high] = item;
      low++;
      high--;
    }
    if (middle <= high) right = high;
    else if (middle >= low) left = low;
    else return;
  }
}
