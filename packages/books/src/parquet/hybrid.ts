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
  let held = 0;
  let bits = 0;
  const end = first + count;
  for (let index = first; index < end; index++) {
    while (bits < width) {
      held |= bytes[at++]! << bits;
      bits += 8;
    }
    out[index] = held & mask;
    held >>>= width;
    bits -= width;
  }
}
