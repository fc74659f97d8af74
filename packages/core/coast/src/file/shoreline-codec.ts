import { CoastError } from '../coast-error.ts';
import { checkShoreline } from '../shoreline/check-shoreline.ts';
import type { Shoreline } from '../shoreline/shoreline.ts';
import { checkShorelineHeader } from '../shoreline/shoreline-header.ts';
import { type FileKind, jsonBytes, openSections, readJson, writeSections } from './section-file.ts';
import { VarintReader, VarintWriter } from './varint.ts';

export const SHORELINE_FILE: FileKind = {
  magic: 'LEEWARDS',
  version: 1,
  noun: 'a compact shoreline',
  remedy: 'take the one that came with this release',
};

/** Options of `encodeShoreline`. */
export interface EncodeShorelineOptions {
  /** 1,000 … 10,000,000. At the default a vertex moves by up to 6 cm. @default 1_000_000 */
  readonly stepsPerDegree?: number;
}

/**
 * Packs a shoreline into about four bytes per vertex: positions as differences (varints), layers and shores as run lengths. Equal
 * shorelines have equal bytes, also after decoding.
 * @example
 * writeFileSync('own.shoreline', encodeShoreline(shoreline));
 */
export function encodeShoreline(shoreline: Shoreline, options: EncodeShorelineOptions = {}): Uint8Array<ArrayBuffer> {
  const stepsPerDegree = options.stepsPerDegree ?? 1_000_000;
  if (!(Number.isInteger(stepsPerDegree) && stepsPerDegree >= 1000 && stepsPerDegree <= 10_000_000)) {
    throw new CoastError(
      'invalid_option',
      `stepsPerDegree ${stepsPerDegree}: expected a whole number from 1,000 to 10,000,000`,
    );
  }
  checkShoreline(shoreline);
  const { positions, lineStarts, layers, shores } = shoreline;
  const count = layers.length;

  const lines = new VarintWriter();
  for (let line = 1; line < lineStarts.length; line++) lines.unsigned(lineStarts[line]! - lineStarts[line - 1]!);

  const stretches = new VarintWriter();
  for (let vertex = 0; vertex < count; ) {
    const start = vertex;
    while (vertex < count && layers[vertex] === layers[start] && shores[vertex] === shores[start]) vertex++;
    stretches.unsigned(vertex - start);
    stretches.unsigned(layers[start]!);
    stretches.unsigned(shores[start]!);
  }

  const steps = new VarintWriter(count * 5);
  let longitude = 0;
  let latitude = 0;
  for (let vertex = 0; vertex < count; vertex++) {
    const nextLongitude = Math.round(positions[vertex * 2]! * stepsPerDegree);
    const nextLatitude = Math.round(positions[vertex * 2 + 1]! * stepsPerDegree);
    steps.signed(nextLongitude - longitude);
    steps.signed(nextLatitude - latitude);
    longitude = nextLongitude;
    latitude = nextLatitude;
  }

  const header = { ...checkShorelineHeader(shoreline), stepsPerDegree, vertices: count, lines: lineStarts.length - 1 };
  return writeSections(SHORELINE_FILE, [
    { tag: 'head', bytes: jsonBytes(header) },
    { tag: 'line', bytes: lines.bytes() },
    { tag: 'mark', bytes: stretches.bytes() },
    { tag: 'step', bytes: steps.bytes() },
  ]);
}

/**
 * Unpacks a compact shoreline. @throws CoastError `truncated_file`, `foreign_file`, `unsupported_version` or `corrupt_file`.
 * @example
 * const index = buildCoastIndex(decodeShoreline(bytes));
 */
export function decodeShoreline(bytes: Uint8Array): Shoreline {
  const sections = openSections(SHORELINE_FILE, bytes);
  const parsed: unknown = readJson(sections.take('head'));
  const header = checkShorelineHeader(parsed);
  const { stepsPerDegree, vertices, lines } = parsed as Record<string, unknown>;
  const steps = sections.take('step');
  const lengths = sections.take('line');
  if (!isCount(stepsPerDegree, 10_000_000) || !isCount(vertices, steps.length / 2) || !isCount(lines, lengths.length)) {
    throw new CoastError('corrupt_file', 'a compact shoreline whose header contradicts its numbers');
  }
  const lineStarts = new Uint32Array(lines + 1);
  const lineReader = new VarintReader(lengths);
  for (let line = 0; line < lines; line++) lineStarts[line + 1] = lineStarts[line]! + lineReader.unsigned();

  const layers = new Uint16Array(vertices);
  const shores = new Uint8Array(vertices);
  const stretches = new VarintReader(sections.take('mark'));
  for (let vertex = 0; vertex < vertices; ) {
    const length = stretches.unsigned();
    if (length === 0 || length > vertices - vertex) throw stretches.fault();
    layers.fill(stretches.unsigned(), vertex, vertex + length);
    shores.fill(stretches.unsigned(), vertex, vertex + length);
    vertex += length;
  }
  const positions = new Float64Array(vertices * 2);
  readSteps(new VarintReader(steps), positions, stepsPerDegree);
  const shoreline: Shoreline = { ...header, positions, lineStarts, layers, shores };
  checkShoreline(shoreline);
  return shoreline;
}

function readSteps(reader: VarintReader, positions: Float64Array, stepsPerDegree: number): void {
  let longitude = 0;
  let latitude = 0;
  for (let at = 0; at < positions.length; at += 2) {
    longitude = (longitude + reader.signed()) | 0;
    latitude = (latitude + reader.signed()) | 0;
    positions[at] = longitude / stepsPerDegree;
    positions[at + 1] = latitude / stepsPerDegree;
  }
}

function isCount(value: unknown, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;
}
