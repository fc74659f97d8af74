import { LandMask } from './land-mask.ts';
import { isClosed, type LineSet } from './line-set.ts';
import { SegmentGrid } from './segment-grid.ts';

/** Missing in the outlines: west, south, east, north. Everything inside is American. */
const FAR_ISLANDS = [
  [-179, 18, -154, 29],
  [144, 13, 147, 21],
  [-171.2, -14.7, -168, -14],
  [-171.2, -11.2, -170.9, -10.9],
  [-146.6, 59.3, -146.1, 59.6],
] as const;

/**
 * 1 at vertices inside the outline of the United States, or nearer to it than to any other country's. A small ring belongs to one
 * country; on a long line, a run under 3 km between two others is noise.
 */
export function americanVertices(lines: LineSet, unitedStates: LineSet, others: LineSet): Uint8Array {
  const ours = new SegmentGrid(unitedStates, 0.1);
  const theirs = new SegmentGrid(others, 0.1);
  const insideOurs = new LandMask(unitedStates);
  const insideTheirs = new LandMask(others);
  const owned = new Uint8Array(lines.positions.length / 2);
  const reach = 60_000;
  const isFar = (longitude: number, latitude: number): boolean =>
    FAR_ISLANDS.some(([w, s, e, n]) => longitude > w && longitude < e && latitude > s && latitude < n);
  const cells = cellsAround(unitedStates);
  for (let vertex = 0; vertex < owned.length; vertex++) {
    const longitude = lines.positions[2 * vertex]!;
    const latitude = lines.positions[2 * vertex + 1]!;
    if (!cells.has(cellOf(longitude, latitude)) && !isFar(longitude, latitude)) continue;
    const inOurs = insideOurs.contains(longitude, latitude);
    const inTheirs = insideTheirs.contains(longitude, latitude);
    if (inOurs !== inTheirs) {
      owned[vertex] = inOurs ? 1 : 0;
      continue;
    }
    if (isFar(longitude, latitude)) {
      owned[vertex] = 1;
      continue;
    }
    const toOurs = ours.nearest(longitude, latitude, reach).distanceMeters;
    if (toOurs === Number.POSITIVE_INFINITY) continue;
    if (toOurs < theirs.nearest(longitude, latitude, Math.min(reach, toOurs)).distanceMeters) owned[vertex] = 1;
  }
  for (let line = 0; line + 1 < lines.lineStarts.length; line++) {
    const first = lines.lineStarts[line]!;
    const end = lines.lineStarts[line + 1]!;
    if (isClosed(lines, line) && lengthMeters(lines, first, end) < 60_000) settleRing(owned, first, end);
    else settleRuns(lines, owned, first, end);
  }
  return owned;
}

function cellOf(longitude: number, latitude: number): number {
  return Math.floor(latitude + 90) * 400 + Math.floor(longitude + 180);
}

/** Cells of 1° with outlines, and those within 60 km, at 75° of latitude too. */
function cellsAround({ positions }: LineSet): Set<number> {
  const cells = new Set<number>();
  for (let i = 0; i < positions.length; i += 2)
    for (let north = -1; north <= 1; north++)
      for (let east = -3; east <= 3; east++)
        cells.add(cellOf(((positions[i]! + 540 + east) % 360) - 180, positions[i + 1]! + north));
  return cells;
}

function settleRing(owned: Uint8Array, first: number, end: number): void {
  let votes = 0;
  for (let v = first; v < end; v++) votes += owned[v]!;
  owned.fill(2 * votes > end - first ? 1 : 0, first, end);
}

function settleRuns(lines: LineSet, owned: Uint8Array, first: number, end: number): void {
  let start = first;
  while (start < end) {
    let stop = start;
    while (stop < end && owned[stop] === owned[start]) stop++;
    if (start > first && stop < end && lengthMeters(lines, start, stop + 1) < 3_000)
      owned.fill(1 - owned[start]!, start, stop);
    start = stop;
  }
}

function lengthMeters(lines: LineSet, first: number, end: number): number {
  const p = lines.positions;
  let sum = 0;
  for (let v = first; v + 1 < end; v++) {
    const cosine = Math.cos(p[2 * v + 1]! * (Math.PI / 180));
    sum += Math.hypot((p[2 * v + 2]! - p[2 * v]!) * cosine, p[2 * v + 3]! - p[2 * v + 1]!);
  }
  return sum * 111_195;
}
