/**
 * A k-d tree whose leaves are runs of up to eight consecutive segments with equal layers, without superseded ones. Nodes are split at the median of the widest
 * axis and stored depth first: the left child follows its parent. A node has its box in units (float32, rounded outward).
 * `links[node * 8 + 6]` is the right child, or ~first vertex of a run; `links[node * 8 + 7]` has the layers that any run of the node has in its low half. Its high half has the number of
 * segments of a run, or the layers that all runs of the node have.
 *
 * The tree of a `RegionalShore` has reserved nodes for each region. The first one is the root of the region. Until the region is opened
 * its link is ~(`MAX_VERTICES` + region), and its box and mask may be too large.
 */
import { type EarthLines, MAX_VERTICES } from '../shoreline/earth-lines.ts';
import type { LayerSelection } from '../shoreline/layer-selection.ts';
import { SUPERSEDED_CLASS } from '../shoreline/shoreline.ts';

/** Eight consecutive segments share nine vertices and fit a small box. */
const SEGMENTS_PER_RUN = 8;

export const NODE_WORDS = 8;

export interface RunTree {
  readonly boxes: Float32Array;
  readonly links: Int32Array;
  readonly regions: TreeRegions | undefined;
}

/** Regions of a tree that is not complete yet. */
export interface TreeRegions {
  /** Reads a region and replaces its node by the tree of its runs. */
  open(region: number): void;
  /** Undefined if the region must be opened first. */
  hasRun(region: number, selection: LayerSelection): boolean | undefined;
}

/** Links below belong to regions that are not open. */
export const REGION_LINK = -MAX_VERTICES;

export function linkOfRegion(region: number): number {
  return REGION_LINK - 1 - region;
}

export function regionOfLink(link: number): number {
  return REGION_LINK - 1 - link;
}

interface Runs {
  readonly starts: Int32Array;
  readonly counts: Uint8Array;
  /** Exact minimum and maximum x, y, z. */
  readonly boxes: Int32Array;
}

function cutRuns({ vertices, layers, classes }: EarthLines, from: number, to: number): Runs {
  // A run has at least one segment.
  const starts = new Int32Array(to - from);
  const counts = new Uint8Array(to - from);
  let count = 0;
  for (let vertex = from; vertex < to; ) {
    const mask = layers[vertex]!;
    if (mask === 0 || classes[vertex] === SUPERSEDED_CLASS) {
      vertex++;
      continue;
    }
    const max = vertex + SEGMENTS_PER_RUN;
    let end = vertex + 1;
    while (end < max && layers[end] === mask && classes[end] !== SUPERSEDED_CLASS) end++;
    starts[count] = vertex;
    counts[count++] = end - vertex;
    vertex = end;
  }
  const boxes = new Int32Array(count * 6);
  for (let run = 0; run < count; run++) {
    const start = starts[run]!;
    const last = start + counts[run]!;
    for (let axis = 0; axis < 3; axis++) {
      let low = vertices[start * 3 + axis]!;
      let high = low;
      for (let vertex = start + 1; vertex <= last; vertex++) {
        const value = vertices[vertex * 3 + axis]!;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      boxes[run * 6 + axis] = low;
      boxes[run * 6 + 3 + axis] = high;
    }
  }
  return { starts: starts.subarray(0, count), counts: counts.subarray(0, count), boxes };
}

/** Equal lines have equal bytes. */
export function buildRunTree(lines: EarthLines): RunTree {
  const runs = cutRuns(lines, 0, lines.layers.length);
  const tree = createTree(Math.max(0, 2 * runs.starts.length - 1), undefined);
  if (runs.starts.length > 0) buildRuns(runs, lines.layers, tree, 0);
  return tree;
}

/** Upper bound of the number of nodes for segments in stretches of equal layers. */
export function maxNodes(segments: number, stretches: number): number {
  return 2 * (Math.floor(segments / SEGMENTS_PER_RUN) + stretches) - 1;
}

/** Builds the tree of some vertices at a node. Without a run the node has no layers. */
export function growRunTree(lines: EarthLines, from: number, to: number, tree: RunTree, node: number): void {
  const runs = cutRuns(lines, from, to);
  if (runs.starts.length > 0) buildRuns(runs, lines.layers, tree, node);
  else {
    tree.links[node * NODE_WORDS + 6] = ~from;
    tree.links[node * NODE_WORDS + 7] = 0;
  }
}

export function createTree(nodes: number, regions: TreeRegions | undefined): RunTree {
  const buffer = new ArrayBuffer(nodes * NODE_WORDS * 4);
  return { boxes: new Float32Array(buffer), links: new Int32Array(buffer), regions };
}

function buildRuns({ starts, counts, boxes }: Runs, layers: Uint16Array, tree: RunTree, node: number): void {
  buildNodes(boxes, tree, node, (run, base) => {
    const start = starts[run]!;
    tree.links[base + 6] = ~start;
    tree.links[base + 7] = (counts[run]! << 16) | layers[start]!;
    return 1;
  });
}

/** Beyond all coordinates. */
const EARTH_UNITS = 2 ** 31;

const ANY_LAYERS = 0xffff;
const ALL_LAYERS = ~ANY_LAYERS;

/** The word of a node with these masks. */
export function layersOfAll(masks: readonly number[]): number {
  let [all, any] = [ANY_LAYERS, 0];
  for (const mask of masks) {
    all &= mask;
    any |= mask;
  }
  return (all << 16) | any;
}

/** @param writeLeaf writes links and mask of an item, and returns the number of nodes it takes. */
export function buildNodes(
  itemBoxes: Int32Array,
  { boxes, links }: RunTree,
  node: number,
  writeLeaf: (item: number, base: number) => number,
): void {
  const count = itemBoxes.length / 6;
  const order = new Int32Array(count);
  for (let item = 0; item < count; item++) order[item] = item;
  const keys = new Float64Array(count);
  let used = node;
  const build = (from: number, to: number): number => {
    const base = used * NODE_WORDS;
    let [minX, minY, minZ] = [EARTH_UNITS, EARTH_UNITS, EARTH_UNITS];
    let [maxX, maxY, maxZ] = [-EARTH_UNITS, -EARTH_UNITS, -EARTH_UNITS];
    for (let at = from; at < to; at++) {
      const item = order[at]! * 6;
      if (itemBoxes[item]! < minX) minX = itemBoxes[item]!;
      if (itemBoxes[item + 1]! < minY) minY = itemBoxes[item + 1]!;
      if (itemBoxes[item + 2]! < minZ) minZ = itemBoxes[item + 2]!;
      if (itemBoxes[item + 3]! > maxX) maxX = itemBoxes[item + 3]!;
      if (itemBoxes[item + 4]! > maxY) maxY = itemBoxes[item + 4]!;
      if (itemBoxes[item + 5]! > maxZ) maxZ = itemBoxes[item + 5]!;
    }
    boxes[base] = roundedDown(minX);
    boxes[base + 1] = roundedDown(minY);
    boxes[base + 2] = roundedDown(minZ);
    boxes[base + 3] = -roundedDown(-maxX);
    boxes[base + 4] = -roundedDown(-maxY);
    boxes[base + 5] = -roundedDown(-maxZ);
    if (to - from === 1) {
      used += writeLeaf(order[from]!, base);
      const word = links[base + 7]!;
      const isRun = links[base + 6]! >= REGION_LINK;
      return isRun ? layersOfAll([word & 0xffff]) : word;
    }
    used++;
    let axis = 0;
    let widest = maxX - minX;
    if (maxY - minY > widest) {
      axis = 1;
      widest = maxY - minY;
    }
    if (maxZ - minZ > widest) axis = 2;
    for (let at = from; at < to; at++) {
      const item = order[at]! * 6;
      keys[at] = itemBoxes[item + axis]! + itemBoxes[item + 3 + axis]!;
    }
    const middle = (from + to) >> 1;
    select(order, keys, from, to - 1, middle);
    const left = build(from, middle);
    links[base + 6] = used;
    const right = build(middle, to);
    links[base + 7] = (left & right & ALL_LAYERS) | ((left | right) & ANY_LAYERS);
    return links[base + 7]!;
  };
  build(0, count);
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
