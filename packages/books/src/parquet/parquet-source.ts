import { type FileHandle, open } from 'node:fs/promises';
import {
  type ColumnMetaData,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet';
import { BookFileError } from '../source/book-file-error.ts';
import { type BatchOptions, type BookSlice, type BookSource, ROWS_A_BATCH, rowsWithin } from '../source/book-source.ts';
import { BYTES_A_VALUE, createInflation, TooLargeError } from '../source/inflation.ts';
import { type RawBatch, type RawColumn, sliceColumn } from '../source/raw-batch.ts';
import { codecs } from './codecs.ts';
import { readFlatColumn, readPages } from './read-column.ts';
import { toRequestValue } from './request-value.ts';

/** Opens a Parquet file; `name` is what messages call it. A row group is a slice's unit. Throws a `BookFileError`. */
export async function openParquet(path: string, name: string): Promise<BookSource> {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  const buffer = {
    byteLength: size,
    slice: async (from: number, to = size) => arrayBufferOf(await readBytes(file, from, new Uint8Array(to - from))),
  };
  let metadata: FileMetaData;
  try {
    metadata = await parquetMetadataAsync(buffer);
  } catch (error) {
    await file.close();
    throw new BookFileError(`${name} is no Parquet, or is cut off: ${(error as Error).message}.`);
  }
  const tree = parquetSchema(metadata);
  const groups = metadata.row_groups.map((group) => ({ group, rows: Number(group.num_rows) }));
  const firstRows: number[] = [];
  for (const [index] of groups.entries())
    firstRows.push(index === 0 ? 0 : firstRows[index - 1]! + groups[index - 1]!.rows);

  /** Where a column stands while it is decoded. */
  let room = new Uint8Array(0);

  const chunksOf = (unit: number, column: string): readonly ColumnMetaData[] =>
    groups[unit]!.group.columns.flatMap(({ meta_data }) =>
      meta_data?.path_in_schema[0] === column ? [meta_data] : [],
    );

  async function readChunk(chunk: ColumnMetaData): Promise<Uint8Array> {
    const begin = Number(chunk.dictionary_page_offset || chunk.data_page_offset);
    const from = Math.min(begin, Number(chunk.data_page_offset));
    const size = Number(chunk.total_compressed_size);
    if (!(from >= 0 && size >= 0 && from + size <= buffer.byteLength)) throw new RangeError('the file ends before it');
    if (room.length < size) room = new Uint8Array(2 * size);
    return readBytes(file, from, room.subarray(0, size));
  }

  /** Counts the memory that the wanted columns of a row group take together. */
  function inflationOf(unit: number, wanted: readonly string[]): (bytes: number) => void {
    const sizes = wanted.flatMap((column) =>
      chunksOf(unit, column).map((chunk) => Number(chunk.total_compressed_size)),
    );
    return createInflation(
      Math.min(
        buffer.byteLength,
        Math.max(
          0,
          sizes.reduce((sum, bytes) => sum + bytes, 0),
        ),
      ),
    );
  }

  async function readColumn(
    unit: number,
    column: string,
    charge: (bytes: number) => void,
    known: RawColumn | undefined,
  ): Promise<{ readonly read: RawColumn; readonly bytes: number }> {
    const { rows } = groups[unit]!;
    const node = tree.children.find(({ element }) => element.name === column)!;
    const chunks = chunksOf(unit, column);
    const [chunk] = chunks;
    try {
      if (!chunk) throw new RangeError('it is not there');
      charge(rows * BYTES_A_VALUE);
      if (node.children.length > 0 || node.element.repetition_type === 'REPEATED') {
        for (const each of chunks) readPages(await readChunk(each), charge);
        const from = firstRows[unit]!;
        const options = {
          file: buffer,
          metadata,
          columns: [column],
          rowStart: from,
          rowEnd: from + rows,
          compressors: codecs,
        };
        const objects = await parquetReadObjects(options);
        const values = objects.map((object) => toRequestValue(object[column], node.element));
        return { read: { kind: 'values', values }, bytes: Number(chunk.total_compressed_size) };
      }
      const bytes = await readChunk(chunk);
      return { read: readFlatColumn(bytes, chunk, [tree, node], rows, charge, known), bytes: bytes.length };
    } catch (error) {
      const last = firstRows[unit]! + rows;
      const where = `${name}: row group ${unit + 1} of ${groups.length} (rows ${firstRows[unit]! + 1} to ${last}), column ${JSON.stringify(column)}`;
      const { message } = error as Error;
      if (error instanceof TooLargeError)
        throw new BookFileError(`${where}, is too large: ${message}. Write smaller row groups.`);
      throw new BookFileError(`${where}, is damaged or cut off: ${message}. Write the file anew.`);
    }
  }

  const names = tree.children.map(({ element }) => element.name);
  return {
    format: 'parquet',
    names,
    async slices() {
      return groups.map(({ rows }, unit): BookSlice => {
        const firstRow = firstRows[unit]!;
        return { from: unit, to: unit + 1, unitFirstRow: firstRow, firstRow, rows };
      });
    },
    async *batches({ slice, isWanted = () => true, onBytes }: BatchOptions = {}): AsyncGenerator<RawBatch> {
      const before = new Map<string, RawColumn>();
      for (let unit = slice?.from ?? 0; unit < (slice?.to ?? groups.length); unit++) {
        const { rows } = groups[unit]!;
        const columns: (RawColumn | undefined)[] = [];
        const charge = inflationOf(unit, names.filter(isWanted));
        for (const column of names) {
          if (!isWanted(column)) {
            columns.push(undefined);
            continue;
          }
          const { read, bytes } = await readColumn(unit, column, charge, before.get(column));
          before.set(column, read);
          columns.push(read);
          onBytes?.(bytes);
        }
        const [begin, end] = rowsWithin(slice, firstRows[unit]!, rows);
        for (let from = begin; from < end; from += ROWS_A_BATCH) {
          const to = Math.min(end, from + ROWS_A_BATCH);
          const cut = columns.map((column) => column && sliceColumn(column, from, to));
          yield { firstRow: firstRows[unit]! + from, rows: to - from, names, columns: cut, unread: [] };
        }
      }
    },
    close: () => file.close(),
  };
}

async function readBytes(file: FileHandle, from: number, bytes: Uint8Array): Promise<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, from + at);
    if (bytesRead === 0) throw new RangeError('the file ends before it');
    at += bytesRead;
  }
  return bytes;
}

function arrayBufferOf(bytes: Uint8Array): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}
