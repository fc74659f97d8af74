import { BookFileError, type RawBatch, type RawColumn, toRequestValue } from '@leeward/books/judge';
import type { FileMetaData } from 'hyparquet';
import { readColumn } from 'hyparquet/src/column.js';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { parquetMetadataAsync, parquetSchema } from 'hyparquet/src/metadata.js';
import { BATCH_ROWS } from './columns.ts';

/** A row group is held as a whole: what is larger is for the command line. */
const MAX_GROUP_BYTES = 512 << 20;

/** The rows of a Parquet file that is plain or packed by Snappy, a row group at a time. Columns of lists and of groups are left out. Throws a `BookFileError`. */
export async function* parquetBatches(file: File, onRead: (bytes: number) => void): AsyncGenerator<RawBatch> {
  const slice = (from: number, to?: number) => file.slice(from, to).arrayBuffer();
  let metadata: FileMetaData;
  try {
    metadata = await parquetMetadataAsync({ byteLength: file.size, slice });
  } catch (error) {
    throw new BookFileError(`${file.name} is no Parquet, or is cut off: ${(error as Error).message}.`);
  }
  const tree = parquetSchema(metadata);
  const flat = tree.children.filter(
    ({ children, element }) => children.length === 0 && element.repetition_type !== 'REPEATED',
  );
  const names = flat.map(({ element }) => element.name);
  let firstRow = 0;
  let read = 0;
  for (const [index, group] of metadata.row_groups.entries()) {
    const rows = Number(group.num_rows);
    const columns: (RawColumn | undefined)[] = [];
    for (const node of flat) {
      const { name } = node.element;
      const meta = group.columns.find(({ meta_data }) => meta_data?.path_in_schema[0] === name)?.meta_data;
      const size = Number(meta?.total_compressed_size ?? 0);
      if (meta === undefined || name.startsWith('x_')) {
        columns.push(undefined);
        continue;
      }
      try {
        if (size > MAX_GROUP_BYTES) throw new RangeError('its row group is too large for a page');
        const from = Math.min(
          Number(meta.dictionary_page_offset || meta.data_page_offset),
          Number(meta.data_page_offset),
        );
        const view = new DataView(await slice(from, from + size));
        const decoder = {
          ...meta,
          pathInSchema: meta.path_in_schema,
          element: node.element,
          schemaPath: [tree, node],
          parsers: DEFAULT_PARSERS,
        };
        const range = { groupStart: 0, groupRows: rows, selectStart: 0, selectEnd: rows };
        const values: unknown[] = [];
        for (const chunk of readColumn({ view, offset: 0 }, range, decoder).data)
          for (const value of chunk as Iterable<unknown>) values.push(toRequestValue(value, node.element));
        if (values.length !== rows) throw new RangeError(`it has ${values.length} values for ${rows} rows`);
        columns.push({ kind: 'values', values });
      } catch (error) {
        throw new BookFileError(
          `${file.name}: row group ${index + 1}, column ${JSON.stringify(name)} cannot be read: ${(error as Error).message}. Judge it with leeward book run, or write it packed by Snappy.`,
        );
      }
      read += size;
      onRead(read);
    }
    for (let from = 0; from < rows; from += BATCH_ROWS) {
      const to = Math.min(rows, from + BATCH_ROWS);
      const cut = columns.map((column) =>
        column?.kind === 'values' ? { kind: 'values' as const, values: column.values.slice(from, to) } : undefined,
      );
      yield { firstRow: firstRow + from, rows: to - from, names, columns: cut, unread: [] };
    }
    firstRow += rows;
  }
}
