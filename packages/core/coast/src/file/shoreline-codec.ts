/**
 * A compact shoreline has four sections: its header, the vertices of each line, layers and shores as run lengths, and positions as
 * differences. A large one has a list of its regions, each with its place in the other sections, so that it can be read alone. Its lines
 * have the section `ring` instead of `line`: twice the number of vertices, plus 1 if the last vertex is the first one and omitted.
 */
import { CoastError } from '../coast-error.ts';
import { checkShoreline } from '../shoreline/check-shoreline.ts';
import { createEarthLines } from '../shoreline/earth-lines.ts';
import type { Shoreline, ShorelineHeader } from '../shoreline/shoreline.ts';
import { checkShorelineHeader } from '../shoreline/shoreline-header.ts';
import { arrangeLines } from './arrange-lines.ts';
import { type FileKind, jsonBytes, openSections, readJson, writeSections } from './section-file.ts';
import { readRegions, type ShorelineRegion, shapeOf, writeRegions } from './shoreline-region.ts';
import { VarintReader, VarintWriter } from './varint.ts';

export const SHORELINE_FILE: FileKind = {
  magic: 'LEEWARDS',
  version: 1,
  noun: 'a compact shoreline',
  remedy: 'take the one that came with this release',
};

/** Smaller shorelines are indexed in a few hundredths of a second. */
const MIN_VERTICES_FOR_REGIONS = 65_536;

/** Options of `encodeShoreline`. */
export interface EncodeShorelineOptions {
  /** 1,000 … 10,000,000. At the default a vertex moves by up to 6 cm. @default 1_000_000 */
  readonly stepsPerDegree?: number;
  /**
   * Size of a region, 32 or more. With more vertices than that, neighbouring lines are grouped in regions that are read when a point first
   * needs them, and long lines are cut; both change the order of the lines. @default 2_048 for more than 65,536 vertices
   */
  readonly verticesPerRegion?: number;
}

/**
 * Packs a shoreline into about four bytes per vertex. Equal shorelines have equal bytes, also after decoding. Classes are not written.
 * @example
 * writeFileSync('own.shoreline', encodeShoreline(shoreline));
 */
export function encodeShoreline(shoreline: Shoreline, options: EncodeShorelineOptions = {}): Uint8Array<ArrayBuffer> {
  const stepsPerDegree = options.stepsPerDegree ?? 1_000_000;
  if (!isStepsPerDegree(stepsPerDegree)) {
    throw new CoastError(
      'invalid_option',
      `stepsPerDegree ${stepsPerDegree}: expected a whole number from 1,000 to 10,000,000`,
    );
  }
  const isLarge = shoreline.layers.length > MIN_VERTICES_FOR_REGIONS;
  const verticesPerRegion = options.verticesPerRegion ?? (isLarge ? 2_048 : shoreline.layers.length + 32);
  if (!(Number.isInteger(verticesPerRegion) && verticesPerRegion >= 32)) {
    throw new CoastError('invalid_option', `verticesPerRegion ${verticesPerRegion}: expected a whole number from 32`);
  }
  checkShoreline(shoreline);
  const positions = shoreline.positions.map((degrees) => Math.round(degrees * stepsPerDegree) / stepsPerDegree);
  const arranged = arrangeLines({ ...shoreline, positions }, verticesPerRegion);
  const { layers, lineStarts } = arranged.shoreline;
  const hasRegions = arranged.regionStarts.length > 2;
  const writer = new LineWriter(arranged.shoreline, stepsPerDegree, hasRegions);
  const regions: ShorelineRegion[] = [];
  for (let region = 0; region + 1 < arranged.regionStarts.length; region++) {
    regions.push(writer.write(arranged.regionStarts[region]!, arranged.regionStarts[region + 1]!));
  }
  const header = {
    ...checkShorelineHeader(shoreline),
    stepsPerDegree,
    vertices: layers.length,
    lines: lineStarts.length - 1,
  };
  return writeSections(SHORELINE_FILE, [
    { tag: 'head', bytes: jsonBytes(header) },
    { tag: hasRegions ? 'ring' : 'line', bytes: writer.lines.bytes() },
    { tag: 'mark', bytes: writer.marks.bytes() },
    { tag: 'step', bytes: writer.steps.bytes() },
    ...(hasRegions ? [{ tag: 'regi', bytes: writeRegions(regions) }] : []),
  ]);
}

class LineWriter {
  readonly lines = new VarintWriter();
  readonly marks = new VarintWriter();
  readonly steps: VarintWriter;
  readonly #shoreline: Shoreline;
  readonly #stepsPerDegree: number;
  readonly #hasRings: boolean;
  #longitude = 0;
  #latitude = 0;

  constructor(shoreline: Shoreline, stepsPerDegree: number, hasRings: boolean) {
    this.#shoreline = shoreline;
    this.#stepsPerDegree = stepsPerDegree;
    this.#hasRings = hasRings;
    this.steps = new VarintWriter(shoreline.layers.length * 5);
  }

  write(fromLine: number, toLine: number): ShorelineRegion {
    const { lineStarts, layers, shores } = this.#shoreline;
    const [first, end] = [lineStarts[fromLine]!, lineStarts[toLine]!];
    const before = [this.lines.length, this.marks.length, this.steps.length] as const;
    const origin = [this.#longitude, this.#latitude] as const;
    for (let line = fromLine; line < toLine; line++) this.#writeLine(lineStarts[line]!, lineStarts[line + 1]!);
    for (let vertex = first; vertex < end; ) {
      const start = vertex;
      while (vertex < end && layers[vertex] === layers[start] && shores[vertex] === shores[start]) vertex++;
      this.marks.unsigned(vertex - start);
      this.marks.unsigned(layers[start]!);
      this.marks.unsigned(shores[start]!);
    }
    return {
      lines: toLine - fromLine,
      vertices: end - first,
      bytes: [this.lines.length - before[0], this.marks.length - before[1], this.steps.length - before[2]],
      origin,
      ...shapeOf(createEarthLines(partOf(this.#shoreline, fromLine, toLine))),
    };
  }

  #writeLine(first: number, end: number): void {
    const { positions } = this.#shoreline;
    const last = end - 1;
    const isRing =
      this.#hasRings &&
      first < last &&
      positions[first * 2] === positions[last * 2] &&
      positions[first * 2 + 1] === positions[last * 2 + 1];
    this.lines.unsigned(this.#hasRings ? (end - first) * 2 + Number(isRing) : end - first);
    for (let vertex = first; vertex < end; vertex++) {
      const longitude = Math.round(positions[vertex * 2]! * this.#stepsPerDegree);
      const latitude = Math.round(positions[vertex * 2 + 1]! * this.#stepsPerDegree);
      if (!(isRing && vertex === last)) {
        this.steps.signed(longitude - this.#longitude);
        this.steps.signed(latitude - this.#latitude);
      }
      this.#longitude = longitude;
      this.#latitude = latitude;
    }
  }
}

function partOf(shoreline: Shoreline, fromLine: number, toLine: number): Shoreline {
  const { positions, lineStarts, layers, shores } = shoreline;
  const [first, end] = [lineStarts[fromLine]!, lineStarts[toLine]!];
  return {
    ...shoreline,
    positions: positions.subarray(first * 2, end * 2),
    layers: layers.subarray(first, end),
    shores: shores.subarray(first, end),
    lineStarts: lineStarts.slice(fromLine, toLine + 1).map((start) => start - first),
  };
}

/**
 * Unpacks a compact shoreline. @throws CoastError `truncated_file`, `foreign_file`, `unsupported_version` or `corrupt_file`.
 * @example
 * const index = buildCoastIndex(decodeShoreline(bytes));
 */
export function decodeShoreline(bytes: Uint8Array): Shoreline {
  return new CompactShoreline(bytes).read();
}

interface LineArrays {
  readonly positions: Float64Array;
  readonly lineStarts: Uint32Array;
  readonly layers: Uint16Array;
  readonly shores: Uint8Array;
}

/** First line and vertex of a region, and where its lines, marks and steps begin. */
interface RegionStart {
  readonly line: number;
  readonly vertex: number;
  readonly bytes: readonly [number, number, number];
}

/** Reads all lines, or those of a region. The bytes must not change. */
export class CompactShoreline {
  readonly header: ShorelineHeader;
  readonly vertices: number;
  readonly lines: number;
  /** Empty for small shorelines. */
  readonly regions: readonly ShorelineRegion[];
  readonly #starts: readonly RegionStart[];
  readonly #stepsPerDegree: number;
  readonly #hasRings: boolean;
  readonly #sections: readonly [Uint8Array, Uint8Array, Uint8Array];

  /** Verifies the checksums of all sections. */
  constructor(bytes: Uint8Array) {
    const sections = openSections(SHORELINE_FILE, bytes);
    const parsed: unknown = readJson(sections.take('head'));
    this.header = checkShorelineHeader(parsed);
    const { stepsPerDegree, vertices, lines } = parsed as Record<string, unknown>;
    this.#hasRings = sections.has('ring');
    this.#sections = [sections.take(this.#hasRings ? 'ring' : 'line'), sections.take('mark'), sections.take('step')];
    const [lengths, , steps] = this.#sections;
    const areLines = isCount(lines, lengths.length);
    if (!(isStepsPerDegree(stepsPerDegree) && areLines && isCount(vertices, steps.length / 2 + lines))) {
      throw contradiction('its header');
    }
    this.#stepsPerDegree = stepsPerDegree;
    this.vertices = vertices;
    this.lines = lines;
    this.regions = sections.has('regi') ? readRegions(sections.take('regi')) : [];
    this.#starts = this.#startsOf();
  }

  /** First vertex in the file. */
  firstVertexOf(region: number): number {
    return this.#starts[region]!.vertex;
  }

  #startsOf(): RegionStart[] {
    const starts: RegionStart[] = [{ line: 0, vertex: 0, bytes: [0, 0, 0] }];
    for (const { lines, vertices, bytes } of this.regions) {
      const { line, vertex, bytes: before } = starts.at(-1)!;
      const [ofLines, ofMarks, ofSteps] = bytes;
      starts.push({
        line: line + lines,
        vertex: vertex + vertices,
        bytes: [before[0] + ofLines, before[1] + ofMarks, before[2] + ofSteps],
      });
    }
    const { line, vertex, bytes } = starts.at(-1)!;
    const isWhole = bytes.every((end, section) => end === this.#sections[section]!.length);
    if (this.regions.length > 0 && !(line === this.lines && vertex === this.vertices && isWhole)) {
      throw contradiction('its regions');
    }
    return starts;
  }

  read(): Shoreline {
    const arrays = createArrays(this.lines, this.vertices);
    if (this.regions.length === 0) {
      const whole = { lines: this.lines, vertices: this.vertices, origin: [0, 0] };
      this.#readInto(arrays, 0, 0, whole, this.#sections);
    }
    this.regions.forEach((region, number) => {
      const { line, vertex } = this.#starts[number]!;
      this.#readInto(arrays, line, vertex, region, this.#sectionsOf(number));
    });
    return this.#checked(arrays);
  }

  readRegion(number: number): Shoreline {
    const region = this.regions[number]!;
    const arrays = createArrays(region.lines, region.vertices);
    this.#readInto(arrays, 0, 0, region, this.#sectionsOf(number));
    return this.#checked(arrays);
  }

  #checked(arrays: LineArrays): Shoreline {
    const shoreline = { ...this.header, ...arrays };
    checkShoreline(shoreline);
    return shoreline;
  }

  #sectionsOf(region: number): Uint8Array[] {
    const { bytes: from } = this.#starts[region]!;
    const { bytes: to } = this.#starts[region + 1]!;
    return this.#sections.map((section, at) => section.subarray(from[at]!, to[at]!));
  }

  #readInto(
    { positions, lineStarts, layers, shores }: LineArrays,
    firstLine: number,
    firstVertex: number,
    { lines, vertices, origin }: { lines: number; vertices: number; origin: readonly number[] },
    [lengths, marks, steps]: readonly Uint8Array[],
  ): void {
    const markReader = new VarintReader(marks!);
    const end = firstVertex + vertices;
    for (let vertex = firstVertex; vertex < end; ) {
      const length = markReader.unsigned();
      if (length === 0 || length > end - vertex) throw markReader.fault();
      layers.fill(markReader.unsigned(), vertex, vertex + length);
      shores.fill(markReader.unsigned(), vertex, vertex + length);
      vertex += length;
    }
    const lineReader = new VarintReader(lengths!);
    const stepReader = new VarintReader(steps!);
    let longitude = origin[0]!;
    let latitude = origin[1]!;
    let first = firstVertex;
    for (let line = firstLine; line < firstLine + lines; line++) {
      lineStarts[line] = first;
      const word = lineReader.unsigned();
      const next = first + (this.#hasRings ? word >>> 1 : word);
      const isRing = this.#hasRings && (word & 1) === 1;
      if (next > end || (isRing && next < first + 2)) throw lineReader.fault();
      const drawnEnd = isRing ? next - 1 : next;
      for (let at = first * 2; at < drawnEnd * 2; at += 2) {
        longitude = (longitude + stepReader.signed()) | 0;
        latitude = (latitude + stepReader.signed()) | 0;
        positions[at] = longitude / this.#stepsPerDegree;
        positions[at + 1] = latitude / this.#stepsPerDegree;
      }
      if (isRing) {
        positions.copyWithin(drawnEnd * 2, first * 2, first * 2 + 2);
        longitude = Math.round(positions[first * 2]! * this.#stepsPerDegree);
        latitude = Math.round(positions[first * 2 + 1]! * this.#stepsPerDegree);
      }
      first = next;
    }
    lineStarts[firstLine + lines] = first;
    if (!(lineReader.isAtEnd && markReader.isAtEnd && stepReader.isAtEnd) || first !== end) {
      throw contradiction('its lines');
    }
  }
}

function createArrays(lines: number, vertices: number): LineArrays {
  return {
    positions: new Float64Array(vertices * 2),
    lineStarts: new Uint32Array(lines + 1),
    layers: new Uint16Array(vertices),
    shores: new Uint8Array(vertices),
  };
}

function contradiction(part: string): CoastError {
  return new CoastError('corrupt_file', `a compact shoreline: ${part} and its numbers contradict each other`);
}

function isStepsPerDegree(value: unknown): value is number {
  return isCount(value, 10_000_000) && value >= 1000;
}

function isCount(value: unknown, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;
}
