/**
 * Arranges the lines of a large shoreline in regions: groups of neighbouring lines with a limited number of vertices, so that a part of
 * the coast can be read alone. Lines are split at the median of the widest axis (in earth-centred units), down to single lines.
 *
 * Long lines are cut. Both parts repeat the segment beyond the cut, without a layer: it is never found, but the side of a point at the
 * cut depends on it. Arranged lines stay as they are when they are arranged again.
 */
import { FRAME_LENGTH, RADIANS_PER_DEGREE, writeFrame } from '../earth/ellipsoid.ts';
import type { Shoreline } from '../shoreline/shoreline.ts';

export interface ArrangedLines {
  readonly shoreline: Shoreline;
  /** First line of each region, then the number of lines. */
  readonly regionStarts: readonly number[];
}

/** Vertices of a line, or of a part of it between two cuts. */
interface Part {
  readonly first: number;
  readonly end: number;
  /** Vertices beyond the cuts, or −1. */
  readonly before: number;
  readonly after: number;
}

export function arrangeLines(shoreline: Shoreline, verticesPerRegion: number): ArrangedLines {
  const lines = shoreline.lineStarts.length - 1;
  if (shoreline.layers.length <= verticesPerRegion || lines === 0) return { shoreline, regionStarts: [0, lines] };
  const parts: Part[] = [];
  for (let line = 0; line < lines; line++) cutLine(shoreline, line, verticesPerRegion, parts);
  const sorter = new PartSorter(shoreline, parts);
  sorter.sort(Math.ceil(sorter.vertices / verticesPerRegion));
  return {
    shoreline: copyParts(
      shoreline,
      sorter.order.map((part) => parts[part]!),
    ),
    regionStarts: [...sorter.regionStarts, parts.length],
  };
}

/** Shorter segments next to a cut could become single places when rounded. */
const MIN_DEGREES_AT_CUT = 2e-6;

function cutLine(shoreline: Shoreline, line: number, verticesPerRegion: number, parts: Part[]): void {
  const first = shoreline.lineStarts[line]!;
  const end = shoreline.lineStarts[line + 1]!;
  if (end === first) return;
  const length = Math.ceil(verticesPerRegion / 8);
  const cuts: number[] = [];
  if (end - first > 4 * length) {
    for (let cut = first + length; cut < end - length; cut++) {
      if (degreesBetween(shoreline, cut - 1, cut) < MIN_DEGREES_AT_CUT) continue;
      if (degreesBetween(shoreline, cut, cut + 1) < MIN_DEGREES_AT_CUT) continue;
      cuts.push(cut);
      cut += length - 1;
    }
  }
  const isClosed = cuts.length > 0 && degreesBetween(shoreline, first, end - 1) === 0;
  const last = end - 1;
  let start = first;
  let before = isClosed ? neighbourOf(shoreline, last, first, -1) : -1;
  for (const cut of cuts) {
    parts.push({ first: start, end: cut + 1, before, after: cut + 1 });
    before = cut - 1;
    start = cut;
  }
  parts.push({ first: start, end, before, after: isClosed ? neighbourOf(shoreline, first, last, 1) : -1 });
}

/** The next vertex at another place. */
function neighbourOf(shoreline: Shoreline, vertex: number, last: number, step: 1 | -1): number {
  let neighbour = vertex + step;
  while (neighbour !== last && degreesBetween(shoreline, vertex, neighbour) < MIN_DEGREES_AT_CUT) neighbour += step;
  return neighbour;
}

function degreesBetween({ positions }: Shoreline, one: number, other: number): number {
  const latitude = positions[one * 2 + 1]!;
  const aside = Math.abs(positions[one * 2]! - positions[other * 2]!);
  const eastward = Math.min(aside, 360 - aside) * Math.cos(latitude * RADIANS_PER_DEGREE);
  return Math.max(eastward, Math.abs(latitude - positions[other * 2 + 1]!));
}

class PartSorter {
  readonly order: number[];
  readonly regionStarts: number[] = [];
  readonly vertices: number;
  readonly #weights: Float64Array;
  /** Twice the centre of each part by axis. */
  readonly #centres: readonly Float64Array[];

  constructor(shoreline: Shoreline, parts: readonly Part[]) {
    this.order = parts.map((_, part) => part);
    this.#weights = Float64Array.from(parts, lengthOf);
    this.vertices = this.#weights.reduce((sum, weight) => sum + weight, 0);
    this.#centres = centresOf(shoreline, parts);
  }

  sort(regions: number): void {
    this.#split(0, this.order.length, regions);
  }

  /** Only sorts inside a region, where `regions` is 0. */
  #split(from: number, to: number, regions: number): void {
    const isRegion = regions === 1 || (regions > 1 && to - from === 1);
    if (isRegion) this.regionStarts.push(from);
    if (to - from <= 1) return;
    const below = isRegion ? 0 : regions;
    const axis = this.#widestAxis(from, to);
    const sorted = this.order.slice(from, to).sort((one, other) => this.#compare(one, other, axis));
    sorted.forEach((part, at) => {
      this.order[from + at] = part;
    });
    const middle = below === 0 ? (from + to) >> 1 : this.#shareEnd(from, to, (below >> 1) / below);
    this.#split(from, middle, below >> 1);
    this.#split(middle, to, below - (below >> 1));
  }

  /** Only equal parts are equal, so that the order does not depend on the original one. */
  #compare(one: number, other: number, axis: number): number {
    for (let turn = 0; turn < 3; turn++) {
      const centres = this.#centres[(axis + turn) % 3]!;
      if (centres[one] !== centres[other]) return centres[one]! - centres[other]!;
    }
    return this.#weights[one]! - this.#weights[other]!;
  }

  #widestAxis(from: number, to: number): number {
    let widest = 0;
    let spread = -1;
    this.#centres.forEach((centres, axis) => {
      let min = Number.POSITIVE_INFINITY;
      let max = Number.NEGATIVE_INFINITY;
      for (let at = from; at < to; at++) {
        const centre = centres[this.order[at]!]!;
        if (centre < min) min = centre;
        if (centre > max) max = centre;
      }
      if (max - min > spread) [widest, spread] = [axis, max - min];
    });
    return widest;
  }

  /** The end of the first parts that have a share of the vertices; both sides have a part. */
  #shareEnd(from: number, to: number, share: number): number {
    let total = 0;
    for (let at = from; at < to; at++) total += this.#weights[this.order[at]!]!;
    let sum = 0;
    let end = from;
    while (end < to - 1 && sum < total * share) sum += this.#weights[this.order[end++]!]!;
    return end;
  }
}

function lengthOf({ first, end, before, after }: Part): number {
  return end - first + Number(before >= 0) + Number(after >= 0);
}

function centresOf({ positions }: Shoreline, parts: readonly Part[]): Float64Array[] {
  const centres = [0, 1, 2].map(() => new Float64Array(parts.length));
  const frame = new Float64Array(FRAME_LENGTH);
  const min = new Float64Array(3);
  const max = new Float64Array(3);
  const include = (vertex: number): void => {
    writeFrame(frame, positions[vertex * 2 + 1]!, positions[vertex * 2]!);
    for (let axis = 0; axis < 3; axis++) {
      const value = frame[axis]!;
      if (value < min[axis]!) min[axis] = value;
      if (value > max[axis]!) max[axis] = value;
    }
  };
  parts.forEach(({ first, end, before, after }, part) => {
    min.fill(Number.POSITIVE_INFINITY);
    max.fill(Number.NEGATIVE_INFINITY);
    for (let vertex = first; vertex < end; vertex++) include(vertex);
    if (before >= 0) include(before);
    if (after >= 0) include(after);
    for (let axis = 0; axis < 3; axis++) centres[axis]![part] = min[axis]! + max[axis]!;
  });
  return centres;
}

function copyParts(shoreline: Shoreline, parts: readonly Part[]): Shoreline {
  const count = parts.reduce((sum, part) => sum + lengthOf(part), 0);
  const positions = new Float64Array(count * 2);
  const layers = new Uint16Array(count);
  const shores = new Uint8Array(count);
  const classes = shoreline.classes && new Uint8Array(count);
  const lineStarts = new Uint32Array(parts.length + 1);
  let at = 0;
  const copy = (vertex: number, mask: number): void => {
    positions[at * 2] = shoreline.positions[vertex * 2]!;
    positions[at * 2 + 1] = shoreline.positions[vertex * 2 + 1]!;
    layers[at] = mask;
    shores[at] = shoreline.shores[vertex]!;
    if (classes !== undefined) classes[at] = shoreline.classes![vertex]!;
    at++;
  };
  parts.forEach(({ first, end, before, after }, part) => {
    if (before >= 0) copy(before, 0);
    for (let vertex = first; vertex < end; vertex++) {
      // The segment that starts at the last vertex is in another part.
      copy(vertex, after >= 0 && vertex + 1 === end ? 0 : shoreline.layers[vertex]!);
    }
    if (after >= 0) copy(after, 0);
    lineStarts[part + 1] = at;
  });
  return { ...shoreline, positions, lineStarts, layers, shores, ...(classes && { classes }) };
}
