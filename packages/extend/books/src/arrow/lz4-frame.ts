import { DamageError } from '../source/damage.ts';

/**
 * Decompresses an LZ4 frame (lz4_Frame_format.md 1.6.4), Arrow's buffer compression, into exactly `size` bytes. Throws a `DamageError`
 * for an invalid frame or another size. Skips checksums, which Arrow's writers omit.
 */
export function unpackLz4Frame(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out = new Uint8Array(size);
  if (view.getUint32(0, true) !== MAGIC) throw new DamageError('a buffer is not an LZ4 frame');
  const flags = view.getUint8(4);
  if (flags >> 6 !== 1 || (flags & HAS_DICTIONARY) !== 0)
    throw new DamageError('a frame of LZ4 is of an unknown version');
  let at = 7 + (flags & HAS_SIZE ? 8 : 0);
  let to = 0;
  for (;;) {
    const head = view.getUint32(at, true);
    at += 4;
    if (head === 0) break;
    const length = head & ~IS_PLAIN;
    const end = at + length;
    if (end > bytes.length) throw new DamageError('a block of LZ4 reaches beyond its buffer');
    if ((head & IS_PLAIN) === 0) to = unpackBlock(bytes, at, end, out, to);
    else {
      expectFit(to, length, out);
      out.set(bytes.subarray(at, end), to);
      to += length;
    }
    at = end + (flags & HAS_BLOCK_CHECKSUMS ? 4 : 0);
  }
  if (to !== size) throw new DamageError(`a buffer declares ${size} bytes but has ${to}`);
  return out;
}

const MAGIC = 0x184d2204;
const HAS_DICTIONARY = 1;
const HAS_SIZE = 8;
const HAS_BLOCK_CHECKSUMS = 16;
const IS_PLAIN = 0x8000_0000 | 0;
/** Minimum length of a match. Encoded lengths are relative to it. */
const MIN_MATCH = 4;

/** Decompresses a block to `out` from `to` on; its matches may refer to earlier blocks. Returns the end position. */
function unpackBlock(bytes: Uint8Array, from: number, end: number, out: Uint8Array, to: number): number {
  let at = from;
  const longLength = (begin: number): number => {
    let length = begin;
    for (let byte = 255; byte === 255; length += byte) {
      if (at >= end) throw new DamageError('a block of LZ4 ends within a length');
      byte = bytes[at++]!;
    }
    return length;
  };
  while (at < end) {
    const token = bytes[at++]!;
    const literals = token >> 4 === 15 ? longLength(15) : token >> 4;
    if (at + literals > end) throw new DamageError('a block of LZ4 ends within its bytes');
    expectFit(to, literals, out);
    // For few bytes, a loop is faster.
    if (literals > 16) out.set(bytes.subarray(at, at + literals), to);
    else for (let index = 0; index < literals; index++) out[to + index] = bytes[at + index]!;
    at += literals;
    to += literals;
    if (at === end) break;
    if (at + 2 > end) throw new DamageError('a block of LZ4 ends within a match');
    const offset = bytes[at]! | (bytes[at + 1]! << 8);
    at += 2;
    const length = MIN_MATCH + ((token & 15) === 15 ? longLength(15) : token & 15);
    if (offset === 0 || offset > to) throw new DamageError('a match of LZ4 lies before its frame');
    expectFit(to, length, out);
    if (offset >= length) out.copyWithin(to, to - offset, to - offset + length);
    else for (let index = 0; index < length; index++) out[to + index] = out[to + index - offset]!;
    to += length;
  }
  return to;
}

function expectFit(to: number, length: number, out: Uint8Array): void {
  if (to + length > out.length) throw new DamageError('a buffer has more bytes than it declares');
}
