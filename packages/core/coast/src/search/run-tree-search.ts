import type { LayerSelection } from '../shoreline/layer-selection.ts';
import { NODE_WORDS, REGION_LINK, type RunTree, regionOfLink } from './run-tree.ts';
import { segmentDistance2 } from './segment-distance.ts';

const STACK_DEPTH = 64;
const nodeStack = new Int32Array(STACK_DEPTH);
const distanceStack = new Float64Array(STACK_DEPTH);

function boxDistance2(boxes: Float32Array, base: number, px: number, py: number, pz: number): number {
  let sum = 0;
  let gap = boxes[base]! - px;
  if (gap > 0) sum = gap * gap;
  gap = px - boxes[base + 3]!;
  if (gap > 0) sum = gap * gap;
  gap = boxes[base + 1]! - py;
  if (gap > 0) sum += gap * gap;
  gap = py - boxes[base + 4]!;
  if (gap > 0) sum += gap * gap;
  gap = boxes[base + 2]! - pz;
  if (gap > 0) sum += gap * gap;
  gap = pz - boxes[base + 5]!;
  if (gap > 0) sum += gap * gap;
  return sum;
}

/** Nearest box first; `visit` returns the new bound. Not re-entrant. */
function visitRuns(
  tree: RunTree,
  selection: LayerSelection,
  px: number,
  py: number,
  pz: number,
  bound2: number,
  visit: (start: number, count: number, bound2: number) => number,
): void {
  const { boxes, links } = tree;
  if (links.length === 0) return;
  let bound = bound2;
  let top = 0;
  nodeStack[0] = 0;
  distanceStack[0] = boxDistance2(boxes, 0, px, py, pz);
  while (top >= 0) {
    let base = nodeStack[top]! * NODE_WORDS;
    if (distanceStack[top--]! > bound) continue;
    for (;;) {
      const below = links[base + 7]!;
      if ((below & selection.any) === 0) break;
      const link = links[base + 6]!;
      if (link < 0) {
        if (link < REGION_LINK) {
          if (((below >>> 16) & selection.none) !== 0) break;
          tree.regions!.open(regionOfLink(link));
          continue;
        }
        if ((below & selection.none) === 0) bound = visit(~link, below >>> 16, bound);
        break;
      }
      if (((below >>> 16) & selection.none) !== 0) break;
      const left = base + NODE_WORDS;
      const right = link * NODE_WORDS;
      const leftDistance = boxDistance2(boxes, left, px, py, pz);
      const rightDistance = boxDistance2(boxes, right, px, py, pz);
      const near = leftDistance <= rightDistance;
      const far = near ? rightDistance : leftDistance;
      if (far <= bound) {
        nodeStack[++top] = (near ? right : left) / NODE_WORDS;
        distanceStack[top] = far;
      }
      if ((near ? leftDistance : rightDistance) > bound) break;
      base = near ? left : right;
    }
  }
}

/** First vertex, or -1, and squared distance in units. */
export interface NearestSegment {
  vertex: number;
  distance2: number;
}

/** Within `bound2`. Separate from `visitRuns`, because a call per run would take longer than the search. Not re-entrant. */
export function nearestInTree(
  tree: RunTree,
  vertices: Int32Array,
  { any, none }: LayerSelection,
  px: number,
  py: number,
  pz: number,
  out: NearestSegment,
  bound2: number = Number.POSITIVE_INFINITY,
): void {
  const { boxes, links } = tree;
  let nearest = -1;
  let best = bound2;
  let top = links.length === 0 ? -1 : 0;
  nodeStack[0] = 0;
  distanceStack[0] = 0;
  while (top >= 0) {
    let base = nodeStack[top]! * NODE_WORDS;
    if (distanceStack[top--]! > best) continue;
    for (;;) {
      const below = links[base + 7]!;
      if ((below & any) === 0) break;
      const link = links[base + 6]!;
      if (link < 0) {
        if (link < REGION_LINK) {
          if (((below >>> 16) & none) !== 0) break;
          tree.regions!.open(regionOfLink(link));
          continue;
        }
        if ((below & none) !== 0) break;
        const end = ~link + (below >>> 16);
        for (let vertex = ~link; vertex < end; vertex++) {
          const distance2 = segmentDistance2(vertices, vertex, px, py, pz);
          // The first of equally near segments wins, as among candidates.
          if (distance2 < best || (distance2 === best && (nearest < 0 || vertex < nearest))) {
            best = distance2;
            nearest = vertex;
          }
        }
        break;
      }
      if (((below >>> 16) & none) !== 0) break;
      const left = base + NODE_WORDS;
      const right = link * NODE_WORDS;
      const leftDistance = boxDistance2(boxes, left, px, py, pz);
      const rightDistance = boxDistance2(boxes, right, px, py, pz);
      if (leftDistance <= rightDistance) {
        if (rightDistance <= best) {
          nodeStack[++top] = link;
          distanceStack[top] = rightDistance;
        }
        if (leftDistance > best) break;
        base = left;
      } else {
        if (leftDistance <= best) {
          nodeStack[++top] = left / NODE_WORDS;
          distanceStack[top] = leftDistance;
        }
        if (rightDistance > best) break;
        base = right;
      }
    }
  }
  out.vertex = nearest;
  out.distance2 = best;
}

export function segmentsWithin(
  tree: RunTree,
  vertices: Int32Array,
  selection: LayerSelection,
  px: number,
  py: number,
  pz: number,
  bound2: number,
): number[] {
  const within: number[] = [];
  visitRuns(tree, selection, px, py, pz, bound2, (start, count, bound) => {
    for (let vertex = start; vertex < start + count; vertex++) {
      if (segmentDistance2(vertices, vertex, px, py, pz) <= bound2) within.push(vertex);
    }
    return bound;
  });
  return within;
}

/** Squared distance of the `count`th nearest accepted segment, or of the farthest. */
export function nearestRunsInTree(
  tree: RunTree,
  vertices: Int32Array,
  selection: LayerSelection,
  px: number,
  py: number,
  pz: number,
  count: number,
): number {
  const nearest: number[] = [];
  visitRuns(tree, selection, px, py, pz, Number.POSITIVE_INFINITY, (start, length) => {
    for (let vertex = start; vertex < start + length; vertex++) {
      const distance2 = segmentDistance2(vertices, vertex, px, py, pz);
      if (nearest.length === count && distance2 >= nearest[count - 1]!) continue;
      let at = nearest.length === count ? count - 1 : nearest.length;
      for (; at > 0 && nearest[at - 1]! > distance2; at--) nearest[at] = nearest[at - 1]!;
      nearest[at] = distance2;
    }
    return nearest.length === count ? nearest[count - 1]! : Number.POSITIVE_INFINITY;
  });
  return nearest.at(-1) ?? 0;
}

export function runsWhere(
  tree: RunTree,
  selection: LayerSelection,
  keep: (boxes: Float32Array, base: number) => boolean,
  take: (base: number) => void,
): void {
  const { boxes, links } = tree;
  if (links.length === 0) return;
  const stack = [0];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const base = node * NODE_WORDS;
    if (!canHaveRun(links, base, selection) || !keep(boxes, base)) continue;
    const link = links[base + 6]!;
    if (link >= 0) stack.push(link, node + 1);
    else if (link < REGION_LINK) {
      tree.regions!.open(regionOfLink(link));
      stack.push(node);
    } else take(base);
  }
}

/** For a run: is accepted. */
function canHaveRun(links: Int32Array, base: number, { any, none }: LayerSelection): boolean {
  const below = links[base + 7]!;
  const link = links[base + 6]!;
  const isRun = link < 0 && link >= REGION_LINK;
  return (below & any) !== 0 && ((isRun ? below : below >>> 16) & none) === 0;
}

/** Opens regions only if all other nodes are without a run. */
export function hasRun(tree: RunTree, selection: LayerSelection): boolean {
  const { links, regions } = tree;
  const stack = links.length === 0 ? [] : [0];
  const unclear: number[] = [];
  for (;;) {
    const node = stack.pop();
    if (node === undefined) {
      const closed = unclear.pop();
      if (closed === undefined) return false;
      regions!.open(regionOfLink(links[closed * NODE_WORDS + 6]!));
      stack.push(closed);
      continue;
    }
    const base = node * NODE_WORDS;
    if (!canHaveRun(links, base, selection)) continue;
    const link = links[base + 6]!;
    if (link >= 0) stack.push(link, node + 1);
    else if (link >= REGION_LINK) return true;
    else {
      const answer = regions!.hasRun(regionOfLink(link), selection);
      if (answer === true) return true;
      if (answer === undefined) unclear.push(node);
    }
  }
}
