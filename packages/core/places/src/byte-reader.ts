/** LEB128 integers (seven bits a byte, least significant first) and UTF-8 texts of the data recipes. */
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
      if (byte === undefined) throw new Error(`The ZIP table ends at byte ${this.offset}, inside a number.`);
      this.offset += 1;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new Error(`The ZIP table has an invalid number at byte ${this.offset}.`);
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
