import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Compressors } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

/** Node's own where it has one, which is several times as fast. No page comes out longer than it says it is. */
const unpackers: Compressors = {
  ...compressors,
  GZIP: (bytes, size) => gunzipSync(bytes, { maxOutputLength: size }),
  BROTLI: (bytes, size) => brotliDecompressSync(bytes, { maxOutputLength: size }),
  ZSTD: (bytes, size) => zstdDecompressSync(bytes, { maxOutputLength: size }),
};

/** Unpacks pages. One that says it has no bytes, of values that are all missing, may have none to unpack either. */
export const codecs: Compressors = Object.fromEntries(
  Object.entries(unpackers).map(([codec, unpack]) => [
    codec,
    (bytes: Uint8Array, size: number) => (size === 0 ? new Uint8Array(0) : unpack(bytes, size)),
  ]),
);
