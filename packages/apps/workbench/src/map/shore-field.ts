/**
 * Distance and side of the nearest shore, on a grid over the picture.
 *
 * Each sample keeps its nearest segment. Samples around a shore compare all segments near them, so they are exact. Two sweeps forward and
 * back offer the others the segments of their neighbours, as in Danielsson's distance transform (1980). That may return the second
 * nearest, which is enough for a distance, but not for a side: behind a narrow island, it is the opposite one. So sides spread from the
 * samples around the shore to all others, without crossing a line.
 *
 * All lengths are in pixels; y grows downward.
 */
export interface Grid {
  readonly columns: number;
  readonly rows: number;
  /** Distance between samples. */
  readonly step: number;
  /** Place of the first sample. */
  readonly left: number;
  readonly top: number;
}

/** `x, y, x, y, …`. The water is on the right. */
export type PixelLine = Float64Array;

/** By row. */
export interface ShoreField {
  /** `FAR` without lines. */
  readonly distances: Float64Array;
  /** 1 on land, −1 in the water, 0 if unknown. */
  readonly sides: Int8Array;
}

/** Finite, so that contours can be interpolated. */
export const FAR = 1e7;

const SWEEPS = 2;
/** Samples around a segment that are exact. */
const NEAR = 2;

/** A grid over a picture and beyond its edges, so that no contour ends within. */
export function gridOver(width: number, height: number, step: number): Grid {
  return {
    columns: Math.ceil(width / step) + 3,
    rows: Math.ceil(height / step) + 3,
    step,
    left: -step,
    top: -step,
  };
}

/** @param closings Lines that separate land from water, without a known side. */
export function shoreField(lines: readonly PixelLine[], closings: readonly PixelLine[], grid: Grid): ShoreField {
  const segments = segmentsOf([...lines, ...closings]);
  const firstClosing = lines.reduce((sum, line) => sum + Math.max(0, line.length / 2 - 1), 0);
  const { columns, step, left, top } = grid;
  const { nearest, best, touched } = nearestSegments(segments, grid);
  const sides = Int8Array.from(nearest, (segment, at) => {
    if (best[at]! > (NEAR * step) ** 2 || segment >= firstClosing) return 0;
    return sideOf(segments, segment, left + (at % columns) * step, top + Math.floor(at / columns) * step);
  });
  spreadSides(sides, touched, grid);
  return { distances: best.map((squared) => Math.min(FAR, Math.sqrt(squared))), sides };
}

/** Gives samples without a side that of the nearest one that no line separates from them. */
function spreadSides(sides: Int8Array, touched: Uint8Array, { columns, rows }: Grid): void {
  const isOpen = (column: number, row: number) =>
    column >= 0 && column < columns && row >= 0 && row < rows && touched[row * columns + column] === 0;
  // Neighbours that disagree are on parts of a shore that the grid is too coarse for.
  const sources = Int32Array.from(sides, (side, at) => {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    if (side === 0 || !isOpen(column, row)) return -1;
    const disagrees = around.some(([x, y]) => isOpen(column + x, row + y) && sides[at + x + y * columns] === -side);
    return disagrees ? -1 : at;
  });
  const squaredTo = (column: number, row: number, source: number) =>
    source < 0
      ? Number.POSITIVE_INFINITY
      : (column - (source % columns)) ** 2 + (row - Math.floor(source / columns)) ** 2;
  const sweep = (isForward: boolean): boolean => {
    let isChanged = false;
    for (let count = 0; count < sources.length; count++) {
      const at = isForward ? count : sources.length - 1 - count;
      if (touched[at] !== 0 || sources[at] === at) continue;
      const [column, row] = [at % columns, Math.floor(at / columns)];
      for (const [x, y] of beside) {
        if (!isOpen(column + x, row + y)) continue;
        const source = sources[at + x + y * columns]!;
        if (squaredTo(column, row, source) >= squaredTo(column, row, sources[at]!)) continue;
        sources[at] = source;
        isChanged = true;
      }
    }
    return isChanged;
  };
  for (let sweeps = 0; sweeps < MAX_SPREADS && [sweep(true), sweep(false)].includes(true); sweeps++);
  for (const [at, source] of sources.entries()) if (source >= 0) sides[at] = sides[source]!;
  // Samples on a closing have that of their neighbours.
  for (const at of sides.keys())
    if (sides[at] === 0 && touched[at] !== 0)
      sides[at] = Math.sign(
        around.reduce(
          (sum, [x, y]) =>
            sum + (isOpen((at % columns) + x, Math.floor(at / columns) + y) ? sides[at + x + y * columns]! : 0),
          0,
        ),
      );
}

const beside = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
] as const;
const around = [...beside, [-1, -1], [1, -1], [-1, 1], [1, 1]] as const;
/** Each carries sides around another bend. */
const MAX_SPREADS = 12;

interface Segments {
  /** Both ends: ax, ay, bx, by, …. */
  readonly ends: Float64Array;
  /** The segment before and after in its line; −1 at a loose end. */
  readonly before: Int32Array;
  readonly after: Int32Array;
}

function segmentsOf(lines: readonly PixelLine[]): Segments {
  const count = lines.reduce((sum, line) => sum + Math.max(0, line.length / 2 - 1), 0);
  const ends = new Float64Array(4 * count);
  const before = new Int32Array(count).fill(-1);
  const after = new Int32Array(count).fill(-1);
  let first = 0;
  for (const line of lines) {
    const length = line.length / 2 - 1;
    for (let index = 0; index < length; index++) {
      ends.set(line.subarray(2 * index, 2 * index + 4), 4 * (first + index));
      if (index > 0) before[first + index] = first + index - 1;
      if (index + 1 < length) after[first + index] = first + index + 1;
    }
    first += Math.max(0, length);
  }
  const segments = { ends, before, after };
  joinEnds(segments, before, 0, 2);
  joinEnds(segments, after, 2, 0);
  return segments;
}

/** Joins the ends of lines where another segment goes on: rings, and lines that were cut. */
function joinEnds({ ends }: Segments, next: Int32Array, own: number, other: number): void {
  const loose = new Map<number, number[]>();
  for (let segment = 0; segment < next.length; segment++) {
    const x = ends[4 * segment + own]!;
    if (next[segment] === -1) loose.set(x, [...(loose.get(x) ?? []), segment]);
  }
  for (let segment = 0; segment < next.length; segment++) {
    for (const end of loose.get(ends[4 * segment + other]!) ?? [])
      if (ends[4 * end + own + 1] === ends[4 * segment + other + 1]) next[end] = segment;
  }
}

interface NearestSegments {
  /** −1 without segments. */
  readonly nearest: Int32Array;
  /** Squared distances. */
  readonly best: Float64Array;
  /** 1 if a segment passes. */
  readonly touched: Uint8Array;
}

function nearestSegments(segments: Segments, { columns, rows, step, left, top }: Grid): NearestSegments {
  const nearest = new Int32Array(columns * rows).fill(-1);
  const best = new Float64Array(columns * rows).fill(Number.POSITIVE_INFINITY);
  const touched = new Uint8Array(columns * rows);
  const offer = (column: number, row: number, segment: number) => {
    const at = row * columns + column;
    if (nearest[at] === segment) return;
    const squared = squaredDistance(segments, segment, left + column * step, top + row * step);
    if (squared >= best[at]!) return;
    best[at] = squared;
    nearest[at] = segment;
  };
  const clamp = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
  const { ends } = segments;
  for (let segment = 0; 4 * segment < ends.length; segment++) {
    const [ax, ay, bx, by] = ends.subarray(4 * segment, 4 * segment + 4) as unknown as [number, number, number, number];
    const parts = Math.min(4 * (columns + rows), Math.ceil(Math.max(Math.abs(bx - ax), Math.abs(by - ay)) / step)) || 1;
    let last = -1;
    for (let part = 0; part <= parts; part++) {
      const column = Math.round((ax + ((bx - ax) * part) / parts - left) / step);
      const row = Math.round((ay + ((by - ay) * part) / parts - top) / step);
      // A segment beyond the picture starts at its edge.
      const at = clamp(row, rows) * columns + clamp(column, columns);
      if (at === last) continue;
      last = at;
      if (column < 0 || column >= columns || row < 0 || row >= rows) {
        offer(at % columns, Math.floor(at / columns), segment);
        continue;
      }
      touched[at] = 1;
      for (let y = Math.max(0, row - NEAR); y <= Math.min(rows - 1, row + NEAR); y++)
        for (let x = Math.max(0, column - NEAR); x <= Math.min(columns - 1, column + NEAR); x++) offer(x, y, segment);
    }
  }
  const take = (column: number, row: number, fromColumn: number, fromRow: number) => {
    if (fromColumn < 0 || fromColumn >= columns || fromRow < 0 || fromRow >= rows) return;
    const segment = nearest[fromRow * columns + fromColumn]!;
    if (segment >= 0) offer(column, row, segment);
  };
  for (let sweep = 0; sweep < 2 * SWEEPS; sweep++) {
    const forward = sweep % 2 === 0 ? 1 : -1;
    for (let y = 0; y < rows; y++) {
      const row = forward === 1 ? y : rows - 1 - y;
      for (let column = 0; column < columns; column++)
        for (const side of [-1, 0, 1]) take(column, row, column + side, row - forward);
      for (let x = 1; x < columns; x++) {
        take(x, row, x - 1, row);
        take(columns - 1 - x, row, columns - x, row);
      }
    }
  }
  return { nearest, best, touched };
}

/** Place of the nearest point along a segment, 0 to 1. */
function fractionOf({ ends }: Segments, segment: number, x: number, y: number): number {
  const at = 4 * segment;
  const dx = ends[at + 2]! - ends[at]!;
  const dy = ends[at + 3]! - ends[at + 1]!;
  const length = dx * dx + dy * dy;
  if (length === 0) return 0;
  return Math.max(0, Math.min(1, ((x - ends[at]!) * dx + (y - ends[at + 1]!) * dy) / length));
}

function squaredDistance(segments: Segments, segment: number, x: number, y: number): number {
  const { ends } = segments;
  const at = 4 * segment;
  const fraction = fractionOf(segments, segment, x, y);
  const dx = x - ends[at]! - fraction * (ends[at + 2]! - ends[at]!);
  const dy = y - ends[at + 1]! - fraction * (ends[at + 3]! - ends[at + 1]!);
  return dx * dx + dy * dy;
}

/**
 * 1 on land, −1 in the water, 0 beyond the loose end of a line. If a vertex is nearest, the mean of the normals of both its segments decides
 * (Bærentzen and Aanæs, 2005).
 */
function sideOf(segments: Segments, segment: number, x: number, y: number): -1 | 0 | 1 {
  const { ends, before, after } = segments;
  const fraction = fractionOf(segments, segment, x, y);
  const isVertex = fraction === 0 || fraction === 1;
  const other = fraction === 0 ? before[segment]! : after[segment]!;
  if (isVertex && other < 0) return 0;
  let [nx, ny] = [0, 0];
  for (const each of isVertex ? [segment, other] : [segment]) {
    const dx = ends[4 * each + 2]! - ends[4 * each]!;
    const dy = ends[4 * each + 3]! - ends[4 * each + 1]!;
    const length = Math.hypot(dx, dy) || 1;
    nx -= dy / length;
    ny += dx / length;
  }
  const end = 4 * segment + (fraction === 1 ? 2 : 0);
  const right = nx * (x - ends[end]!) + ny * (y - ends[end + 1]!);
  return right > 0 ? -1 : right < 0 ? 1 : 0;
}
