/**
 * Decodes Parquet's hybrid of run lengths and packed bits: `count` numbers of `width` bits (0 to 24) into `out`. Throws a
 * `RangeError` where the bytes end before the numbers do.
 */
export function readHybrid(bytes: Uint8Array, from: number, width: number, out: Int32Array, count: number): void {
  if (width > 24) throw new RangeError(`numbers of ${width} bits, 24 at most are known`);
  const mask = (1 << width) - 1;
  let at = from;
  let done = 0;
  while (done < count) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      if (at >= bytes.length || shift > 28) throw new RangeError('the page ends within its numbers');
      const byte = bytes[at++]!;
      header |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if (header & 1) {
      const values = Math.min((header >>> 1) * 8, count - done);
      if (at + ((values * width + 7) >> 3) > bytes.length) throw new RangeError('the page ends within its numbers');
      unpack(bytes, at, width, mask, out, done, values);
      at += (header >>> 1) * width;
      done += values;
    } else {
      const values = Math.min(header >>> 1, count - done);
      if (values === 0 && header >>> 1 === 0) throw new RangeError('a run of no length');
      const end = at + ((width + 7) >> 3);
      if (end > bytes.length) throw new RangeError('the page ends within its numbers');
      let value = 0;
      for (let shift = 0; at < end; shift += 8) value |= bytes[at++]! << shift;
      out.fill(value, done, done + values);
      done += values;
    }
  }
}

/** Numbers that fill whole bytes together are read so; those of one bit, which tell what is missing, at once. */
function unpack(
  bytes: Uint8Array,
  from: number,
  width: number,
  mask: number,
  out: Int32Array,
  first: number,
  count: number,
): void {
  let at = from;
  const end = first + count;
  let index = first;
  if (width === 1) {
    for (; index + 8 <= end; index += 8) {
      const byte = bytes[at++]!;
      out[index] = byte & 1;
      out[index + 1] = (byte >> 1) & 1;
      out[index + 2] = (byte >> 2) & 1;
      out[index + 3] = (byte >> 3) & 1;
      out[index + 4] = (byte >> 4) & 1;
      out[index + 5] = (byte >> 5) & 1;
      out[index + 6] = (byte >> 6) & 1;
      out[index + 7] = byte >> 7;
    }
  } else if (width === 8) {
    for (; index < end; index++) out[index] = bytes[at++]!;
  }
  let held = 0;
  let bits = 0;
  for (; index < end; index++) {
    while (bits < width) {
      held |= bytes[at++]! << bits;
      bits += 8;
    }
    out[index] = held & mask;
    held >>>= width;
    bits -= width;
  }
}
