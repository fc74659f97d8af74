import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import type { BookSource } from '../source/book-source.ts';
import { codecs } from './codecs.ts';
import type { ParquetFile } from './parquet-file.ts';
import { createParquetSource } from './parquet-source.ts';

/** Opens a Parquet file; `name` is what messages call it. A row group is a slice's unit. Throws a `BookFileError`. */
export async function openParquet(path: string, name: string): Promise<BookSource> {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  const buffer = {
    byteLength: size,
    slice: async (from: number, to = size) => (await readBytes(file, from, new Uint8Array(to - from))).buffer,
  };
  const parquet: ParquetFile = {
    name,
    byteLength: size,
    read: (from, bytes) => readBytes(file, from, bytes),
    close: () => file.close(),
    codecs,
    checksum: crc32,
    async readNested(metadata, column, rowStart, rows) {
      const options = { file: buffer, metadata, columns: [column], rowStart, rowEnd: rowStart + rows };
      return (await parquetReadObjects({ ...options, compressors: codecs })).map((object) => object[column]);
    },
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
    if (bytesRead === 0) throw new RangeError('the file ends before it');
    at += bytesRead;
  }
  return bytes;
}
