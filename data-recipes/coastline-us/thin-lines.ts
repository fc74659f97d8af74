import { isClosed, type LineSet, LineSetBuilder } from './line-set.ts';

const METERS_PER_DEGREE = 111_195;

/**
 * Removes vertices within their tolerance of the line (Douglas and Peucker). `toleranceMeters` is per vertex: a far neighbour's shore
 * needs less accuracy. A ring keeps three corners.
 */
export function thinLines(lines: LineSet, toleranceMeters: (vertex: number) => number): LineSet {
  const kept = keptVertices(lines, toleranceMeters);
  const thinned = new LineSetBuilder();
  for (let line = 0; line + 1 < lines.lineStarts.length; line++) {
    for (let v = lines.lineStarts[line]!; v < lines.lineStarts[line + 1]!; v++)
      if (kept[v] === 1) thinned.addVertex(lines.positions[2 * v]!, lines.positions[2 * v + 1]!);
    thinned.endLine();
  }
  return thinned.finish();
}

export function keptVertices(lines: LineSet, toleranceMeters: (vertex: number) => number): Uint8Array {
  const kept = new Uint8Array(lines.positions.length / 2);
  for (let line = 0; line + 1 < lines.lineStarts.length; line++) {
    const first = lines.lineStarts[line]!;
    const last = lines.lineStarts[line + 1]! - 1;
    kept[first] = 1;
    kept[last] = 1;
    if (!isClosed(lines, line)) {
      keepBetween(lines, first, last, toleranceMeters, kept);
      continue;
    }
    // A ring has no chord: cut it at the vertex farthest from its start, and keep a third corner.
    const far = farthest(lines, first, last, first, first, () => 1).vertex;
    const third = farthest(lines, first, last, first, far, () => 1).vertex;
    kept[far] = 1;
    kept[third] = 1;
    const corners = [first, Math.min(far, third), Math.max(far, third), last];
    for (let i = 0; i < 3; i++) keepBetween(lines, corners[i]!, corners[i + 1]!, toleranceMeters, kept);
  }
  return kept;
}

function keepBetween(
  lines: LineSet,
  first: number,
  last: number,
  tolerance: (vertex: number) => number,
  kept: Uint8Array,
): void {
  const pending = [first, last];
  while (pending.length > 0) {
    const end = pending.pop()!;
    const start = pending.pop()!;
    if (end - start < 2) continue;
    const { vertex, excess } = farthest(lines, start, end, start, end, tolerance);
    if (excess <= 1) continue;
    kept[vertex] = 1;
    pending.push(start, vertex, vertex, end);
  }
}

/** Vertex strictly between with the maximum distance from the chord a–b, in units of its tolerance. */
function farthest(
  lines: LineSet,
  start: number,
  end: number,
  a: number,
  b: number,
  tolerance: (vertex: number) => number,
): { vertex: number; excess: number } {
  const p = lines.positions;
  const scale = METERS_PER_DEGREE * Math.cos(p[2 * a + 1]! * (Math.PI / 180));
  const dx = (p[2 * b]! - p[2 * a]!) * scale;
  const dy = (p[2 * b + 1]! - p[2 * a + 1]!) * METERS_PER_DEGREE;
  const lengthSquared = dx * dx + dy * dy;
  let vertex = start + 1;
  let excess = -1;
  for (let v = start + 1; v < end; v++) {
    const x = (p[2 * v]! - p[2 * a]!) * scale;
    const y = (p[2 * v + 1]! - p[2 * a + 1]!) * METERS_PER_DEGREE;
    const t = lengthSquared === 0 ? 0 : Math.min(1, Math.max(0, (x * dx + y * dy) / lengthSquared));
    const strays = Math.hypot(x - t * dx, y - t * dy) / tolerance(v);
    if (strays > excess) {
      excess = strays;
      vertex = v;
    }
  }
  return { vertex, excess };
}
