import { type FileHandle, open } from 'node:fs/promises';
import { brotliDecompressSync, crc32, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Compressors } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { BookSource } from '../source/book-source.ts';
import { DamageError } from '../source/damage.ts';
import type { ParquetFile } from './parquet-file.ts';
import { createParquetSource } from './parquet-source.ts';

/** Node's codecs are several times as fast as hyparquet's. They stop at the declared size of a page. */
const unpackers: Compressors = {
  ...compressors,
  GZIP: (bytes, size) => gunzipSync(bytes, { maxOutputLength: size }),
  BROTLI: (bytes, size) => brotliDecompressSync(bytes, { maxOutputLength: size }),
  ZSTD: (bytes, size) => zstdDecompressSync(bytes, { maxOutputLength: size }),
};

/** Decompresses pages. A page with only missing values may declare zero bytes and have no compressed data. */
const codecs: Compressors = Object.fromEntries(
  Object.entries(unpackers).map(([codec, unpack]) => [
    codec,
    (bytes: Uint8Array, size: number) => (size === 0 ? new Uint8Array(0) : unpack(bytes, size)),
  ]),
);

/** Opens a Parquet file; messages contain `name`. The unit of slices is a row group. Throws a `BookFileError`. */
export async function openParquet(path: string, name: string): Promise<BookSource> {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  const parquet: ParquetFile = {
    name,
    byteLength: size,
    read: (from, bytes) => readBytes(file, from, bytes),
    close: () => file.close(),
    codecs,
    checksum: crc32,
    wayOut: 'Write the file anew.',
  };
  try {
    return await createParquetSource(parquet);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readBytes(
  file: FileHandle,
  from: number,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, from + at);
    if (bytesRead === 0) throw new DamageError('the file ends before it');
    at += bytesRead;
  }
  return bytes;
}
