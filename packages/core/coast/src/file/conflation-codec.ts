import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { CoastError } from '../coast-error.ts';
import { type Conflation, checkConflation } from '../shoreline/conflation.ts';
import { SUPERSEDED_CLASS } from '../shoreline/shoreline.ts';
import { type FileKind, jsonBytes, openSections, readJson, writeSections } from './section-file.ts';
import { VarintReader, VarintWriter } from './varint.ts';

const CONFLATION_FILE: FileKind = {
  magic: 'LEEWARDC',
  version: 1,
  noun: 'a conflation of two shorelines',
  remedy: 'take the one that came with this release',
};

const CLASSES_TAG = { preferred: 'runp', check: 'runc' } as const;
/** So that a run of 256 codes fits 32 bits. */
const MAX_RUN = 1 << 23;
const PARTS = ['preferred', 'check'] as const;

/**
 * Packs a conflation: classes as run lengths. Equal conflations have equal bytes. @throws CoastError `invalid_conflation`.
 * @example
 * writeFileSync('us.conflation', encodeConflation(conflation));
 */
export function encodeConflation(conflation: Conflation): Uint8Array<ArrayBuffer> {
  checkConflation(conflation);
  const { version, attribution, method, probabilities, classes } = conflation;
  const describe = (part: (typeof PARTS)[number]) => {
    const { name, sha256: hash, classes: ofVertices } = conflation[part];
    return { name, sha256: hash, vertices: ofVertices.length };
  };
  const table = classes.map(({ radiusMeters, errorQuantilesMeters }) => ({ radiusMeters, errorQuantilesMeters }));
  const head = {
    version,
    attribution,
    method,
    probabilities,
    classes: table,
    preferred: describe('preferred'),
    check: describe('check'),
  };
  return writeSections(CONFLATION_FILE, [
    { tag: 'head', bytes: jsonBytes(head) },
    ...PARTS.map((part) => ({ tag: CLASSES_TAG[part], bytes: writeRuns(conflation[part].classes, classes.length) })),
  ]);
}

/**
 * Unpacks a conflation and compares it with the compact files of its shorelines. @throws CoastError `mismatched_files` for other
 * shorelines, `invalid_conflation`, or `truncated_file`, `foreign_file`, `unsupported_version` or `corrupt_file`.
 * @example
 * const conflation = decodeConflation(bytes, { preferred: osmBytes, check: gshhgBytes });
 * const osm = openCoastData(osmBytes, 'osm', conflation.preferred.classes);
 */
export function decodeConflation(
  bytes: Uint8Array,
  files: { readonly preferred: Uint8Array; readonly check: Uint8Array },
): Conflation {
  const sections = openSections(CONFLATION_FILE, bytes);
  const head = readJson(sections.take('head')) as Omit<Conflation, 'preferred' | 'check'> &
    Record<(typeof PARTS)[number], { name: string; sha256: string; vertices: number }>;
  const { version, attribution, method, probabilities, classes } = head;
  const partOf = (part: (typeof PARTS)[number]) => {
    const { name, sha256: hash, vertices } = head[part] ?? {};
    const section = sections.take(CLASSES_TAG[part]);
    if (!Number.isInteger(vertices) || vertices < 0 || vertices > 2 ** 31) {
      throw new CoastError('corrupt_file', `${CONFLATION_FILE.noun}: ${part}.vertices is ${String(vertices)}`);
    }
    return { name, sha256: hash, classes: readRuns(section, vertices, classes?.length ?? 0) };
  };
  const table = { version, attribution, method, probabilities, classes };
  const conflation = { ...table, preferred: partOf('preferred'), check: partOf('check') };
  checkConflation(conflation);
  for (const part of PARTS) {
    if (hashOf(files[part]) === conflation[part].sha256) continue;
    throw new CoastError(
      'mismatched_files',
      `the conflation belongs to another file than the ${conflation[part].name} of ${files[part].length} bytes: take all files from one release`,
    );
  }
  return conflation;
}

/** Node's own is ten times as fast in a process that has just started. */
function hashOf(bytes: Uint8Array): string {
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  return crypto === undefined ? bytesToHex(sha256(bytes)) : crypto.createHash('sha256').update(bytes).digest('hex');
}

/** A run is one number, (length − 1) × codes + code; the last code is that of superseded segments. Most runs then have one byte. */
function writeRuns(classes: Uint8Array, count: number): Uint8Array<ArrayBuffer> {
  const runs = new VarintWriter();
  for (let vertex = 0; vertex < classes.length; ) {
    const start = vertex;
    const end = Math.min(classes.length, start + MAX_RUN);
    while (vertex < end && classes[vertex] === classes[start]) vertex++;
    const code = classes[start] === SUPERSEDED_CLASS ? count : classes[start]!;
    runs.unsigned((vertex - start - 1) * (count + 1) + code);
  }
  return runs.bytes();
}

function readRuns(section: Uint8Array, vertices: number, count: number): Uint8Array {
  const classes = new Uint8Array(vertices);
  const runs = new VarintReader(section);
  for (let vertex = 0; vertex < vertices; ) {
    const run = runs.unsigned();
    const code = run % (count + 1);
    const length = (run - code) / (count + 1) + 1;
    if (length > vertices - vertex) throw runs.fault();
    classes.fill(code === count ? SUPERSEDED_CLASS : code, vertex, vertex + length);
    vertex += length;
  }
  return classes;
}
