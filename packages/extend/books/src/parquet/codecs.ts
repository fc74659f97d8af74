import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Compressors } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

/** Uses Node's codecs where they exist: they are several times as fast. They stop at the declared size of a page. */
const unpackers: Compressors = {
  ...compressors,
  GZIP: (bytes, size) => gunzipSync(bytes, { maxOutputLength: size }),
  BROTLI: (bytes, size) => brotliDecompressSync(bytes, { maxOutputLength: size }),
  ZSTD: (bytes, size) => zstdDecompressSync(bytes, { maxOutputLength: size }),
};

/** Decompresses pages. A page of missing values only may declare zero bytes and hold no compressed data. */
export const codecs: Compressors = Object.fromEntries(
  Object.entries(unpackers).map(([codec, unpack]) => [
    codec,
    (bytes: Uint8Array, size: number) => (size === 0 ? new Uint8Array(0) : unpack(bytes, size)),
  ]),
);
