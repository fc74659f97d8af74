import { DamageError } from '../source/damage.ts';

/** Maximum padding of the last run: usually to the next 8 values, DuckDB to 256. */
const MAX_FILLING = 256;

/** Throws if a run ends far after the values of its page: then the page's levels, which give the number of values, are wrong. */
function expectRun(length: number, left: number): void {
  if (length - left >= MAX_FILLING) throw new DamageError('a run of a page goes on behind its values');
}

/**
 * Decodes Parquet's hybrid of run lengths and packed bits: `count` numbers of `width` bits (0 to 24) into `out`. Throws a `DamageError`
 * if the bytes end too early. Returns the position after them.
 */
export function readHybrid(bytes: Uint8Array, from: number, width: number, out: Int32Array, count: number): number {
  if (width > 24) throw new DamageError(`numbers of ${width} bits, 24 at most are known`);
  const mask = (1 << width) - 1;
  let at = from;
  let done = 0;
  while (done < count) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      if (at >= bytes.length || shift > 28) throw new DamageError('the page ends within its numbers');
      const byte = bytes[at++]!;
      header |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    expectRun(header & 1 ? (header >>> 1) * 8 : header >>> 1, count - done);
    if (header & 1) {
      const values = Math.min((header >>> 1) * 8, count - done);
      if (at + ((values * width + 7) >> 3) > bytes.length) throw new DamageError('the page ends within its numbers');
      unpack(bytes, at, width, mask, out, done, values);
      at += (header >>> 1) * width;
      done += values;
    } else {
      const values = Math.min(header >>> 1, count - done);
      if (values === 0 && header >>> 1 === 0) throw new DamageError('a run of no length');
      const end = at + ((width + 7) >> 3);
      if (end > bytes.length) throw new DamageError('the page ends within its numbers');
      let value = 0;
      for (let shift = 0; at < end; shift += 8) value |= bytes[at++]! << shift;
      out.fill(value, done, done + values);
      done += values;
    }
  }
  return at;
}

/** Numbers of up to 24 bits, each read from the four bytes that contain it; the last ones byte by byte. */
function unpack(
  bytes: Uint8Array,
  from: number,
  width: number,
  mask: number,
  out: Int32Array,
  first: number,
  count: number,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = first + count;
  let index = first;
  let bit = 8 * from;
  for (const last = 8 * (bytes.length - 4); index < end && bit <= last; index++, bit += width)
    out[index] = (view.getUint32(bit >> 3, true) >>> (bit & 7)) & mask;
  for (; index < end; index++, bit += width) {
    let value = 0;
    for (let byte = bit >> 3, shift = 0; shift < (bit & 7) + width; byte++, shift += 8) value |= bytes[byte]! << shift;
    out[index] = (value >>> (bit & 7)) & mask;
  }
}

/** Decodes levels of one bit (1 for a value) into a byte each. Returns the number of values. */
export function readLevels(bytes: Uint8Array, out: Uint8Array, count: number): number {
  let at = 0;
  let done = 0;
  let present = 0;
  while (done < count) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      if (at >= bytes.length || shift > 28) throw new DamageError('the page ends within its levels');
      const byte = bytes[at++]!;
      header |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    const length = header & 1 ? (header >>> 1) * 8 : header >>> 1;
    expectRun(length, count - done);
    const values = Math.min(length, count - done);
    if (header >>> 1 === 0) throw new DamageError('a run of no length');
    if (header & 1) {
      if (at + ((values + 7) >> 3) > bytes.length) throw new DamageError('the page ends within its levels');
      present += unpackBits(bytes, at, out, done, values);
      at += header >>> 1;
    } else {
      if (at >= bytes.length) throw new DamageError('the page ends within its levels');
      const level = bytes[at++]! & 1;
      out.fill(level, done, done + values);
      present += level * values;
    }
    done += values;
  }
  if (at < bytes.length) throw new DamageError('the levels of a page go on behind its values');
  return present;
}

function unpackBits(bytes: Uint8Array, from: number, out: Uint8Array, first: number, count: number): number {
  let present = 0;
  for (let index = 0; index < count; index++) {
    const level = (bytes[from + (index >> 3)]! >> (index & 7)) & 1;
    out[first + index] = level;
    present += level;
  }
  return present;
}
