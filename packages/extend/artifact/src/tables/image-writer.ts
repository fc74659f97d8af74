/** Bytes of the header of a table image. */
export const HEADER_BYTES = 128;
const ALIGNMENT = 16;

/** Writes the arrays of a table image. Equal arrays are written once, so that dates, policy types and groups share what they can. */
export class ImageWriter {
  #bytes = new Uint8Array(1 << 20);
  #length = HEADER_BYTES;
  readonly #byHash = new Map<number, { readonly offset: number; readonly length: number }[]>();

  /** Returns the offset of the array, from the start of the image. */
  add(array: ArrayBufferView): number {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const hash = hashOf(bytes);
    const alike = this.#byHash.get(hash) ?? [];
    for (const { offset, length } of alike)
      if (length === bytes.length && isEqual(bytes, this.#bytes.subarray(offset, offset + length))) return offset;
    const offset = this.#length;
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, offset);
    alike.push({ offset, length: bytes.length });
    this.#byHash.set(hash, alike);
    return offset;
  }

  /** Writes the header and returns the image. */
  finish(header: Uint32Array): Uint8Array {
    const image = this.#bytes.slice(0, this.#length);
    image.set(new Uint8Array(header.buffer, header.byteOffset, header.byteLength));
    return image;
  }

  get length(): number {
    return this.#length;
  }

  #reserve(bytes: number): void {
    const end = Math.ceil((this.#length + bytes) / ALIGNMENT) * ALIGNMENT;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.#bytes.length, end));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#length = end;
  }
}

/** FNV-1a, eight bytes at a time where possible. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x81_1c_9d_c5 ^ bytes.length;
  for (let index = 0; index < bytes.length; index++) hash = Math.imul(hash ^ bytes[index]!, 0x01_00_01_93);
  return hash;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
