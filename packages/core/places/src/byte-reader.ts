/** Reads what the recipe's writer wrote: whole numbers in groups of seven bits, least first, and texts. */
export class ByteReader {
  private readonly bytes: Uint8Array;
  private offset = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  unsigned(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.bytes[this.offset];
      if (byte === undefined) throw new Error(`The ZIP table ends at byte ${this.offset}, within a number.`);
      this.offset += 1;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new Error(`The ZIP table holds no number at byte ${this.offset}.`);
  }

  signed(): number {
    const value = this.unsigned();
    return (value >>> 1) ^ -(value & 1);
  }

  text(): string {
    const length = this.unsigned();
    const start = this.offset;
    this.offset += length;
    return new TextDecoder().decode(this.bytes.subarray(start, this.offset));
  }
}
