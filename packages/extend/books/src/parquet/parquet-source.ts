import type { ColumnMetaData } from 'hyparquet';
import { BookFileError } from '../source/book-file-error.ts';
import { type BatchOptions, type BookSlice, type BookSource, ROWS_A_BATCH, rowsWithin } from '../source/book-source.ts';
import { BYTES_A_VALUE, createInflation, TooLargeError } from '../source/inflation.ts';
import { type RawBatch, type RawColumn, sliceColumn } from '../source/raw-batch.ts';
import { unreadTypes } from '../source/unread-types.ts';
import { type ParquetFile, readMetadata } from './parquet-file.ts';
import { readFlatColumn, readPages } from './read-column.ts';
import { toRequestValue } from './request-value.ts';
import { unreadType } from './unread-type.ts';

/**
 * Reads the rows of a Parquet file. The unit of slices is a row group.
 *
 * @throws {BookFileError} if the file cannot be read.
 *
 * @example
 * const book = await createParquetSource(file);
 */
export async function createParquetSource(file: ParquetFile): Promise<BookSource> {
  const { name, byteLength } = file;
  const { metadata, tree } = await readMetadata(file);
  const groups = metadata.row_groups.map((group) => ({ group, rows: Number(group.num_rows) }));
  const firstRows: number[] = [];
  for (const [index] of groups.entries())
    firstRows.push(index === 0 ? 0 : firstRows[index - 1]! + groups[index - 1]!.rows);

  /** The bytes of the column that is being decoded. */
  let buffer: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  const chunksOf = (unit: number, column: string): readonly ColumnMetaData[] =>
    groups[unit]!.group.columns.flatMap(({ meta_data }) =>
      meta_data?.path_in_schema[0] === column ? [meta_data] : [],
    );

  async function readChunk(chunk: ColumnMetaData): Promise<Uint8Array> {
    const begin = Number(chunk.dictionary_page_offset || chunk.data_page_offset);
    const from = Math.min(begin, Number(chunk.data_page_offset));
    const size = Number(chunk.total_compressed_size);
    if (!(from >= 0 && size >= 0 && from + size <= byteLength)) throw new RangeError('the file ends before it');
    if (buffer.length < size) buffer = new Uint8Array(2 * size);
    return file.read(from, buffer.subarray(0, size));
  }

  /** Adds up the memory of the used columns of a row group. */
  function inflationOf(unit: number, wanted: readonly string[]): (bytes: number) => void {
    const sizes = wanted.flatMap((column) =>
      chunksOf(unit, column).map((chunk) => Number(chunk.total_compressed_size)),
    );
    return createInflation(
      Math.min(
        byteLength,
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
    reusable: RawColumn | undefined,
  ): Promise<{ readonly read: RawColumn; readonly bytes: number }> {
    const { rows } = groups[unit]!;
    const node = tree.children.find(({ element }) => element.name === column)!;
    const chunks = chunksOf(unit, column);
    const [chunk] = chunks;
    try {
      if (!chunk) throw new RangeError('it does not exist');
      const typeName = unreadType(node);
      if (typeName !== undefined) throw unreadTypes([{ name: column, typeName }], name);
      const isNested = node.children.length > 0 || node.element.repetition_type === 'REPEATED';
      if (isNested && !file.readNested)
        throw new BookFileError(`${name}: column ${JSON.stringify(column)} is a list or a group. ${file.wayOut}`);
      const unknown = chunks.find(({ codec }) => codec !== 'UNCOMPRESSED' && !file.codecs[codec]);
      if (unknown)
        throw new BookFileError(
          `${name}: column ${JSON.stringify(column)} is packed by ${unknown.codec}, which is not supported. ${file.wayOut}`,
        );
      charge(rows * BYTES_A_VALUE);
      if (file.readNested && isNested) {
        for (const each of chunks) readPages(await readChunk(each), charge, file.checksum);
        const values = (await file.readNested(metadata, column, firstRows[unit]!, rows)).map((value) =>
          toRequestValue(value, node.element),
        );
        return { read: { kind: 'values', values }, bytes: Number(chunk.total_compressed_size) };
      }
      const bytes = await readChunk(chunk);
      return {
        read: readFlatColumn(bytes, chunk, [tree, node], { rows, charge, known: reusable, file }),
        bytes: bytes.length,
      };
    } catch (error) {
      if (error instanceof BookFileError) throw error;
      const last = firstRows[unit]! + rows;
      const where = `${name}: row group ${unit + 1} of ${groups.length} (rows ${firstRows[unit]! + 1} to ${last}), column ${JSON.stringify(column)}`;
      const { message } = error as Error;
      if (error instanceof TooLargeError)
        throw new BookFileError(`${where}, is too large: ${message}. Write smaller row groups.`);
      throw new BookFileError(`${where}, is damaged or cut off: ${message}. ${file.wayOut}`);
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
