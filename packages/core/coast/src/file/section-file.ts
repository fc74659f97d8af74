import { CoastError } from '../coast-error.ts';

/**
 * A file of named sections that are used in place. All numbers are little-endian 32-bit words.
 *
 * - bytes 0–7: magic
 * - 8: version
 * - 12: number of sections
 * - 16: bytes in the file
 * - 20: checksum of all words before the first section, with this field as 0
 * - then for each section: tag (four letters), offset, length in bytes, checksum of its words up to the next section
 *
 * Sections begin at multiples of 64.
 */
const HEADER_BYTES = 24;
const ENTRY_BYTES = 16;
const ALIGNMENT = 64;

/** Offsets fit 31 bits. */
const MAX_BYTES = 2 ** 31 - ALIGNMENT;

export interface FileKind {
  /** Eight ASCII characters. */
  readonly magic: string;
  readonly version: number;
  /** For errors: `a coast index`, and how to get a new one. */
  readonly noun: string;
  readonly remedy: string;
}

export interface Section {
  readonly tag: string;
  readonly bytes: Uint8Array;
}

export function writeSections(kind: FileKind, sections: readonly Section[]): Uint8Array<ArrayBuffer> {
  const first = align(HEADER_BYTES + sections.length * ENTRY_BYTES);
  const total = sections.reduce((sum, section) => sum + align(section.bytes.length), first);
  if (total > MAX_BYTES) {
    throw new CoastError(
      'too_many_vertices',
      `${kind.noun} of ${total} bytes is beyond ${MAX_BYTES}: split the shoreline`,
    );
  }
  const file = new Uint8Array(total);
  const view = new DataView(file.buffer);
  writeAscii(file, 0, kind.magic);
  view.setUint32(8, kind.version, true);
  view.setUint32(12, sections.length, true);
  view.setUint32(16, total, true);
  let offset = first;
  sections.forEach((section, index) => {
    const entry = HEADER_BYTES + index * ENTRY_BYTES;
    const end = offset + align(section.bytes.length);
    file.set(section.bytes, offset);
    writeAscii(file, entry, section.tag);
    view.setUint32(entry + 4, offset, true);
    view.setUint32(entry + 8, section.bytes.length, true);
    view.setUint32(entry + 12, checksumWords(new Int32Array(file.buffer, offset, (end - offset) / 4)), true);
    offset = end;
  });
  view.setUint32(20, checksumWords(new Int32Array(file.buffer, 0, first / 4)), true);
  return file;
}

/** Each section is verified when it is first taken. */
export interface SectionReader {
  /** No copy. Throws `corrupt_file` if the checksum differs. */
  take(tag: string): Uint8Array;
  has(tag: string): boolean;
}

/** Verifies magic, version, length and directory. Copies the bytes only if they are not aligned to 8; they must not change afterwards. */
export function openSections(kind: FileKind, bytes: Uint8Array): SectionReader {
  if (new Uint8Array(new Uint32Array([1]).buffer)[0] !== 1) {
    throw new CoastError(
      'foreign_file',
      `${kind.noun} is little-endian and cannot be used on this machine, which is not`,
    );
  }
  if (bytes.length < HEADER_BYTES) {
    throw new CoastError(
      'truncated_file',
      `${bytes.length} bytes are too few for ${kind.noun}, whose header alone has ${HEADER_BYTES}: ${kind.remedy}`,
    );
  }
  const file = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const magic = readAscii(file, 0, 8);
  if (magic !== kind.magic) {
    throw new CoastError(
      'foreign_file',
      `begins with ${JSON.stringify(magic)}: not ${kind.noun} ("${kind.magic}"): ${kind.remedy}`,
    );
  }
  const version = view.getUint32(8, true);
  if (version !== kind.version) {
    throw new CoastError(
      'unsupported_version',
      `${kind.noun} of version ${version}; this release reads version ${kind.version}: ${kind.remedy}`,
    );
  }
  const total = view.getUint32(16, true);
  if (total > file.length) {
    throw new CoastError(
      'truncated_file',
      `${kind.noun} of ${total} bytes is cut short to ${file.length}. Copy it again, or ${kind.remedy}`,
    );
  }
  const corrupt = (what: string): CoastError =>
    new CoastError('corrupt_file', `${kind.noun} is damaged: ${what}. Copy it again, or ${kind.remedy}`);
  if (total !== file.length) throw corrupt(`it has ${file.length} bytes, its header states ${total}`);
  const count = view.getUint32(12, true);
  const first = align(HEADER_BYTES + count * ENTRY_BYTES);
  if (count > 1024 || first > total) throw corrupt(`a directory of ${count} sections`);
  const head = new Int32Array(first / 4);
  new Uint8Array(head.buffer).set(file.subarray(0, first));
  head[5] = 0;
  if (checksumWords(head) !== view.getUint32(20, true)) throw corrupt('its header does not match its checksum');

  const entries = new Map<
    string,
    { offset: number; length: number; end: number; checksum: number; verified: boolean }
  >();
  let next = first;
  for (let index = 0; index < count; index++) {
    const entry = HEADER_BYTES + index * ENTRY_BYTES;
    const offset = view.getUint32(entry + 4, true);
    const length = view.getUint32(entry + 8, true);
    const end = offset + align(length);
    if (offset !== next || end > total) throw corrupt('its sections do not follow one another');
    const checksum = view.getUint32(entry + 12, true);
    entries.set(readAscii(file, entry, 4), { offset, length, end, checksum, verified: false });
    next = end;
  }
  if (next !== total) throw corrupt('some bytes are outside all sections');
  return {
    has: (tag) => entries.has(tag),
    take(tag) {
      const entry = entries.get(tag);
      if (entry === undefined) throw corrupt(`it has no section ${tag}`);
      if (!entry.verified) {
        const words = new Int32Array(file.buffer, file.byteOffset + entry.offset, (entry.end - entry.offset) / 4);
        if (checksumWords(words) !== entry.checksum) throw corrupt(`section ${tag} does not match its checksum`);
        entry.verified = true;
      }
      return new Uint8Array(file.buffer, file.byteOffset + entry.offset, entry.length);
    },
  };
}

export function jsonBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** Copies first: browsers cannot decode text from shared memory. */
export function readJson(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(new Uint8Array(bytes)));
}

function align(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

function writeAscii(file: Uint8Array, offset: number, text: string): void {
  for (let index = 0; index < text.length; index++) file[offset + index] = text.charCodeAt(index);
}

function readAscii(file: Uint8Array, offset: number, length: number): string {
  let text = '';
  for (let index = 0; index < length; index++) text += String.fromCharCode(file[offset + index]!);
  return text;
}

const MULTIPLIER = 0x9e3779b1 | 0;

/**
 * A 32-bit checksum in eight independent lanes. Each step is one-to-one in lane and word, so a change within one word is always
 * detected; other changes are missed with a probability of 2^-32. Reads 2 GB a second.
 */
function checksumWords(words: Int32Array, from = 0, to: number = words.length): number {
  let a = 1;
  let b = 2;
  let c = 3;
  let d = 4;
  let e = 5;
  let f = 6;
  let g = 7;
  let h = 8;
  let at = from;
  for (const end = to - 7; at < end; at += 8) {
    a = step(a, words[at]!);
    b = step(b, words[at + 1]!);
    c = step(c, words[at + 2]!);
    d = step(d, words[at + 3]!);
    e = step(e, words[at + 4]!);
    f = step(f, words[at + 5]!);
    g = step(g, words[at + 6]!);
    h = step(h, words[at + 7]!);
  }
  let sum = to - from;
  for (; at < to; at++) sum = step(sum, words[at]!);
  sum = step(step(step(step(sum, a), b), c), d);
  sum = step(step(step(step(sum, e), f), g), h);
  sum ^= sum >>> 15;
  return Math.imul(sum, MULTIPLIER) >>> 0;
}

function step(lane: number, word: number): number {
  const product = Math.imul(lane ^ word, MULTIPLIER);
  return (product << 13) | (product >>> 19);
}
