import { CoastError } from '../coast-error.ts';

/** Whole numbers below 2^32 in one to five bytes of seven bits, low bits first; signed ones zigzag coded (0, -1, 1, -2, …). */
export class VarintWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(expected = 1024) {
    this.#bytes = new Uint8Array(expected + 16);
  }

  unsigned(value: number): void {
    if (this.#length + 5 > this.#bytes.length) {
      const longer = new Uint8Array(this.#bytes.length * 2);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    let remaining = value >>> 0;
    while (remaining > 127) {
      this.#bytes[this.#length++] = (remaining & 127) | 128;
      remaining >>>= 7;
    }
    this.#bytes[this.#length++] = remaining;
  }

  /** Values wrap at 32 bits, and the reader wraps them back: large differences of longitude survive. */
  signed(value: number): void {
    const folded = value | 0;
    this.unsigned((folded << 1) ^ (folded >> 31));
  }

  get length(): number {
    return this.#length;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }
}

export class VarintReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  unsigned(): number {
    const bytes = this.#bytes;
    let byte = this.#next(bytes);
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; shift < 35; shift += 7) {
      byte = this.#next(bytes);
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
    throw this.fault();
  }

  signed(): number {
    const folded = this.unsigned();
    return (folded >>> 1) ^ -(folded & 1);
  }

  #next(bytes: Uint8Array): number {
    if (this.#at >= bytes.length) throw this.fault();
    return bytes[this.#at++]!;
  }

  fault(): CoastError {
    return new CoastError('corrupt_file', `a compact shoreline with an invalid number at byte ${this.#at}`);
  }
}
