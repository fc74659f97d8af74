/** Whole numbers below 2^31 as groups of seven bits, least significant first; `ByteReader` reads them. */
export class ByteWriter {
  private readonly bytes: number[] = [];

  unsigned(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.bytes.push((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.bytes.push(rest);
  }

  /** Zigzag: 0, -1, 1, -2 … as 0, 1, 2, 3 … */
  signed(value: number): void {
    this.unsigned(((value << 1) ^ (value >> 31)) >>> 0);
  }

  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.unsigned(bytes.length);
    for (const byte of bytes) this.bytes.push(byte);
  }

  finish(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(this.bytes);
  }
}
