/**
 * Finds two edges that cross, by halving space.
 *
 * Edges are divided at the middle of their boxes until few are left, which are compared in pairs. Neighbouring polygons may share
 * edges and corners: only edges that cross properly count. The work is bounded: entangled edges, such as a tight spiral of long ones,
 * cannot be divided.
 */

/** Numbers of one edge: two positions. */
const EDGE = 4;
const FEW_EDGES = 12;
const MAX_DEPTH = 40;

export type Crossing =
  | { readonly kind: 'none' }
  | { readonly kind: 'crossing'; readonly x: number; readonly y: number }
  | { readonly kind: 'too complex' };

/**
 * @param edges four numbers each: the longitudes and latitudes of both ends
 * @param budget pairs that may be compared; reduced by those compared
 */
export function findCrossing(edges: Float64Array, budget: { pairs: number }): Crossing {
  const all = Int32Array.from({ length: edges.length / EDGE }, (_, index) => index);
  return search(edges, all, 0, budget);
}

function search(edges: Float64Array, some: Int32Array, depth: number, budget: { pairs: number }): Crossing {
  if (some.length <= FEW_EDGES || depth >= MAX_DEPTH) return compareAll(edges, some, budget);
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const index of some) {
    const at = index * EDGE;
    west = Math.min(west, edges[at]!, edges[at + 2]!);
    east = Math.max(east, edges[at]!, edges[at + 2]!);
    south = Math.min(south, edges[at + 1]!, edges[at + 3]!);
    north = Math.max(north, edges[at + 1]!, edges[at + 3]!);
  }
  const first = east - west >= north - south ? 0 : 1;
  for (const side of [first, 1 - first]) {
    const middle = medianOf(edges, some, side);
    const low = some.filter(
      (index) => Math.min(edges[index * EDGE + side]!, edges[index * EDGE + side + 2]!) <= middle,
    );
    const high = some.filter(
      (index) => Math.max(edges[index * EDGE + side]!, edges[index * EDGE + side + 2]!) >= middle,
    );
    // Long edges are on both sides: halving must make progress.
    if (low.length + high.length > 1.5 * some.length || Math.max(low.length, high.length) === some.length) continue;
    const crossing = search(edges, low, depth + 1, budget);
    return crossing.kind === 'none' ? search(edges, high, depth + 1, budget) : crossing;
  }
  return compareAll(edges, some, budget);
}

const MAX_SAMPLES = 64;

/** The median of the middles of some edges, about. */
function medianOf(edges: Float64Array, some: Int32Array, side: number): number {
  const step = Math.ceil(some.length / MAX_SAMPLES);
  const middles = Float64Array.from({ length: Math.ceil(some.length / step) }, (_, sample) => {
    const at = some[sample * step]! * EDGE + side;
    return (edges[at]! + edges[at + 2]!) / 2;
  });
  middles.sort();
  return middles[middles.length >> 1]!;
}

function compareAll(edges: Float64Array, some: Int32Array, budget: { pairs: number }): Crossing {
  for (let first = 1; first < some.length; first++) {
    budget.pairs -= first;
    if (budget.pairs < 0) return { kind: 'too complex' };
    const a = some[first]! * EDGE;
    const [ax, ay, bx, by] = [edges[a]!, edges[a + 1]!, edges[a + 2]!, edges[a + 3]!];
    for (let second = 0; second < first; second++) {
      const c = some[second]! * EDGE;
      const [cx, cy, dx, dy] = [edges[c]!, edges[c + 1]!, edges[c + 2]!, edges[c + 3]!];
      if (Math.max(cx, dx) < Math.min(ax, bx) || Math.min(cx, dx) > Math.max(ax, bx)) continue;
      if (Math.max(cy, dy) < Math.min(ay, by) || Math.min(cy, dy) > Math.max(ay, by)) continue;
      const [fromC, fromD] = [turn(ax, ay, bx, by, cx, cy), turn(ax, ay, bx, by, dx, dy)];
      if (fromC * fromD >= 0) continue;
      if (turn(cx, cy, dx, dy, ax, ay) * turn(cx, cy, dx, dy, bx, by) >= 0) continue;
      const part = fromC / (fromC - fromD);
      return { kind: 'crossing', x: cx + part * (dx - cx), y: cy + part * (dy - cy) };
    }
  }
  return { kind: 'none' };
}

/** Distance in degrees, about a centimeter, within which an end of an edge touches the other edge instead of crossing it. */
const TOUCHES_DEGREES = 1e-7;

/** Positive for a left turn from a to b to c, negative for a right turn, 0 if c touches the line from a to b. */
function turn(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const cross = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  return Math.abs(cross) <= TOUCHES_DEGREES * Math.hypot(bx - ax, by - ay) ? 0 : cross;
}
