import { ArtifactError } from './artifact-error.ts';

/** A custom section of a WebAssembly module. */
export interface Section {
  readonly name: string;
  readonly content: Uint8Array;
  /** Position of the byte that starts the section. */
  readonly start: number;
}

const CUSTOM = 0;
const HEADER_BYTES = 8;
const MAX_SECTIONS = 1000;
const MAX_NAME_BYTES = 200;

/**
 * Lists the custom sections of a WebAssembly module, in order.
 *
 * @throws {ArtifactError} `not_an_artifact` if the bytes are not a module, `damaged_artifact` if a section ends beyond the file.
 * @example
 * readSections(bytes).map(({ name }) => name); // ['leeward.manifest', 'leeward.tables', …]
 */
export function readSections(bytes: Uint8Array): readonly Section[] {
  if (!isModule(bytes)) {
    throw new ArtifactError('not_an_artifact', 'This is not an artifact; write one with leeward compile.');
  }
  const cursor = { bytes, at: HEADER_BYTES };
  const sections: Section[] = [];
  for (let count = 0; cursor.at < bytes.length; count++) {
    if (count === MAX_SECTIONS) throw damaged(`it has more than ${MAX_SECTIONS} sections`);
    const start = cursor.at;
    const id = bytes[cursor.at++];
    const size = readSize(cursor);
    const end = cursor.at + size;
    if (end > bytes.length) throw damaged('its last section is cut off');
    if (id === CUSTOM) {
      const length = readSize(cursor);
      if (length > MAX_NAME_BYTES || cursor.at + length > end) throw damaged('the name of a section is too long');
      const name = new TextDecoder().decode(bytes.subarray(cursor.at, cursor.at + length));
      sections.push({ name, content: bytes.subarray(cursor.at + length, end), start });
    }
    cursor.at = end;
  }
  return sections;
}

/** The bytes of a custom section. */
export function sectionBytes(name: string, content: Uint8Array): Uint8Array {
  const nameBytes = new TextEncoder().encode(name);
  const nameSize = sizeBytes(nameBytes.length);
  const size = sizeBytes(nameSize.length + nameBytes.length + content.length);
  return concatBytes([Uint8Array.of(CUSTOM), size, nameSize, nameBytes, content]);
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function damaged(why: string): ArtifactError {
  return new ArtifactError('damaged_artifact', `The artifact is damaged: ${why}. Copy or compile it again.`);
}

function isModule(bytes: Uint8Array): boolean {
  return bytes.length >= HEADER_BYTES && [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0].every((byte, at) => bytes[at] === byte);
}

/** Unsigned LEB128 of up to 32 bits. */
function readSize(cursor: { readonly bytes: Uint8Array; at: number }): number {
  let size = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = cursor.bytes[cursor.at++];
    if (byte === undefined) throw damaged('its last section is cut off');
    size += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return size;
  }
  throw damaged('the size of a section is malformed');
}

function sizeBytes(size: number): Uint8Array {
  const bytes: number[] = [];
  let rest = size;
  do {
    bytes.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest);
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return Uint8Array.from(bytes);
}
