import { createParquetSource, type RawBatch } from '@leeward/books/evaluate';
import { snappyUncompress } from 'hyparquet';

/** A row group is held in memory as a whole. */
const MAX_COLUMN_BYTES = 512 << 20;

/** Reads the used columns of a plain or Snappy Parquet file, one row group at a time. Throws a `BookFileError`. */
export async function* parquetBatches(
  file: File,
  isWanted: (column: string) => boolean,
  onRead: (bytes: number) => void,
): AsyncGenerator<RawBatch> {
  const source = await createParquetSource({
    name: file.name,
    byteLength: file.size,
    async read(from, bytes) {
      if (bytes.length > MAX_COLUMN_BYTES) throw new RangeError('its row group is too large for a page');
      const read = new Uint8Array(await file.slice(from, from + bytes.length).arrayBuffer());
      if (read.length < bytes.length) throw new RangeError('the file ends before it');
      bytes.set(read);
      return bytes;
    },
    close: async () => {},
    codecs: { SNAPPY: unpackSnappy },
    wayOut: 'Evaluate it with leeward book run, or save it as plain columns with Snappy.',
  });
  let read = 0;
  yield* source.batches({
    isWanted,
    onBytes(bytes) {
      read += bytes;
      onRead(read);
    },
  });
}

function unpackSnappy(bytes: Uint8Array, size: number): Uint8Array {
  const unpacked = new Uint8Array(size);
  // A page of missing values may be empty.
  if (size > 0) snappyUncompress(bytes, unpacked);
  return unpacked;
}
