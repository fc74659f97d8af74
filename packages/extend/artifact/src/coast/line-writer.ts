import { buildCoastIndex, type Shoreline } from '@leeward/coast';
import type { ImageWriter } from '../tables/image-writer.ts';

/** The layers of a segment, as bits, and its accuracy class or group of waters. */
export interface SegmentKind {
  readonly mask: number;
  readonly number: number;
}

/** Lines with the kind of each segment. Kind 0 has no layer; kind n is number n − 1 of the list. */
export interface KindedLines extends Pick<Shoreline, 'positions' | 'lineStarts'> {
  readonly kinds: readonly SegmentKind[];
  readonly kindOf: (vertex: number) => number;
  /** Undefined for waters, which are kept whole and have no sides. */
  readonly shoreline?: Shoreline;
}

/** Words of lines in the header; the kernel uses the last ones. */
const LINES_WORDS = 16;
const MAX_KINDS = 64;
const MAX_RUN = 255;
const LAST_OF_LINE = 128;
const CLOSED = 64;

/**
 * Appends lines as `coast-kernel/shores.ts` reads them. Steps between positions are split into a plane of low and a plane of high bytes, which
 * compresses better than numbers of varying length. @returns the words of the header
 */
export function writeLines(writer: ImageWriter, lines: KindedLines): Uint32Array {
  const { kinds, positions, lineStarts, shoreline } = lines;
  if (kinds.length >= MAX_KINDS) {
    throw new RangeError(`${kinds.length} kinds of segments: the coast kernel holds ${MAX_KINDS - 1}`);
  }
  const stepsPerDegree = stepsOf(positions);
  const steps = new StepWriter(positions, stepsPerDegree, shoreline);
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    writeLine(steps, lines, lineStarts[line]!, lineStarts[line + 1]!);
  }
  const { runs, low, high, wide } = steps;
  const table = [0, 0, ...kinds.flatMap(({ mask, number: of }) => [mask, of])];
  const words = new Uint32Array(LINES_WORDS);
  words.set([
    writer.add(Uint8Array.from(runs)),
    runs.length / 2,
    writer.add(Uint8Array.from(low)),
    writer.add(Uint8Array.from(high)),
    low.length,
    writer.add(Int32Array.from(wide)),
    wide.length,
    writer.add(Uint32Array.from(table)),
    table.length / 2,
    stepsPerDegree,
    shoreline ? 1 : 0,
  ]);
  return words;
}

/** The coarsest power of ten that holds all positions exactly. */
function stepsOf(positions: Float64Array): number {
  for (let steps = 1_000; steps <= 10_000_000; steps *= 10) {
    if (positions.every((degrees) => Math.round(degrees * steps) / steps === degrees)) return steps;
  }
  throw new RangeError('positions are finer than 1e-7 degrees: the coast kernel does not hold them');
}

/** Writes the parts of a line that have a kind. Those of a shore with a segment more on both sides: the side of a vertex depends on both. */
function writeLine(steps: StepWriter, lines: KindedLines, first: number, end: number): void {
  const { positions, kindOf, shoreline } = lines;
  const kinds = Array.from({ length: end - first - 1 }, (_, segment) => kindOf(first + segment));
  const hasKind = (segment: number): boolean => (kinds[segment] ?? 0) !== 0;
  const isKept = (segment: number): boolean =>
    hasKind(segment) || (shoreline !== undefined && (hasKind(segment - 1) || hasKind(segment + 1)));
  const isClosed = shoreline !== undefined && kinds.length > 1 && isSamePlace(positions, first, end - 1);
  for (let from = 0; from < kinds.length; from++) {
    if (!isKept(from)) continue;
    let to = from;
    while (to < kinds.length && isKept(to)) to++;
    const part = kinds.slice(from, to);
    const vertices = Array.from(part, (_, segment) => first + from + segment);
    const isWhole = isClosed && part.length === kinds.length;
    if (!isWhole) vertices.push(first + to);
    if (isClosed && !isWhole && from === 0 && hasKind(0)) {
      vertices.unshift(end - 2);
      part.unshift(0);
    }
    if (isClosed && !isWhole && to === kinds.length && hasKind(to - 1)) {
      vertices.push(first + 1);
      part.push(0);
    }
    steps.write(vertices, part, isWhole);
    from = to;
  }
}

function isSamePlace(positions: Float64Array, one: number, other: number): boolean {
  return positions[one * 2] === positions[other * 2] && positions[one * 2 + 1] === positions[other * 2 + 1];
}

class StepWriter {
  readonly runs: number[] = [];
  readonly low: number[] = [];
  readonly high: number[] = [];
  readonly wide: number[] = [];
  readonly #positions: Float64Array;
  readonly #stepsPerDegree: number;
  readonly #shoreline: Shoreline | undefined;
  readonly #last: [number, number] = [0, 0];

  constructor(positions: Float64Array, stepsPerDegree: number, shoreline: Shoreline | undefined) {
    this.#positions = positions;
    this.#stepsPerDegree = stepsPerDegree;
    this.#shoreline = shoreline;
  }

  /** @param isClosed leaves the last vertex out, which is the first one. */
  write(vertices: readonly number[], kinds: readonly number[], isClosed: boolean): void {
    const start = this.#stepsAt(vertices[0]!);
    vertices.forEach((vertex, at) => {
      const next = this.#stepsAt(vertex);
      for (const axis of [0, 1] as const) {
        this.#step(next[axis] - this.#last[axis]);
        this.#last[axis] = next[axis];
      }
      if (at > 0) this.#longChord(vertices[at - 1]!, vertex);
    });
    if (isClosed) {
      this.#longChord(vertices.at(-1)!, vertices[0]!);
      [this.#last[0], this.#last[1]] = start;
    }
    for (let from = 0; from < kinds.length; ) {
      let to = from;
      while (to < kinds.length && kinds[to] === kinds[from] && to - from < MAX_RUN) to++;
      const end = to < kinds.length ? 0 : LAST_OF_LINE | (isClosed ? CLOSED : 0);
      this.runs.push(kinds[from]! | end, to - from);
      from = to;
    }
  }

  #stepsAt(vertex: number): [number, number] {
    const at = (axis: number) => Math.round(this.#positions[vertex * 2 + axis]! * this.#stepsPerDegree);
    return [at(0), at(1)];
  }

  /** A zigzag of 16 bits, or 0xffff and a wide number. */
  #step(step: number): void {
    const word = step < 0 ? -2 * step - 1 : 2 * step;
    const isWide = word >= 0xffff;
    this.low.push(isWide ? 0xff : word & 0xff);
    this.high.push(isWide ? 0xff : word >> 8);
    if (isWide) this.wide.push(step);
  }

  /** Writes the vertices on a long geodesic, because the kernel has only the chord. */
  #longChord(from: number, to: number): void {
    if (this.#shoreline === undefined) return;
    const at = (vertex: number, axis: number) => this.#positions[vertex * 2 + axis]!;
    const aside = Math.max(Math.abs(at(from, 0) - at(to, 0)), Math.abs(at(from, 1) - at(to, 1)));
    if (aside < MIN_LONG_DEGREES) return;
    const { vertices } = buildCoastIndex({
      ...this.#shoreline,
      positions: Float64Array.of(at(from, 0), at(from, 1), at(to, 0), at(to, 1)),
      lineStarts: Uint32Array.of(0, 2),
      layers: Uint16Array.of(1, 0),
      shores: new Uint8Array(2),
    }).lines;
    const ends = [0, 1, 2].map((axis) => vertices.at(axis - 3)! - vertices[axis]!);
    if (Math.hypot(...ends) <= MAX_PLANE_UNITS) return;
    this.wide.push(vertices.length / 3 - 1, ...vertices.subarray(3, -3));
  }
}

/** At the equator 17 km. */
const MIN_LONG_DEGREES = 0.15;
/** 20 km in 1/256 m: up to here the plane of chord and vertical is within 0.1 mm of the geodesic. */
const MAX_PLANE_UNITS = 20_000 * 256;
