import { CoastError } from '../coast-error.ts';

/** Whole numbers below 2^32 in one to five bytes, seven bits each, low bits first; signed ones folded (0, -1, 1, -2, …). */
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
    let rest = value >>> 0;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Magnitudes up to 2^31: the difference of two longitudes of ten million steps a degree wraps round, and back when read. */
  signed(value: number): void {
    const folded = value | 0;
    this.unsigned((folded << 1) ^ (folded >> 31));
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
    return new CoastError('corrupt_file', `a compact shoreline whose numbers end or run over at byte ${this.#at}`);
  }
}
