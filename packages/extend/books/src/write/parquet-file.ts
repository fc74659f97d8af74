import type { ColumnChunk, RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type ExtraColumn, extraText } from './extra-columns.ts';
import type { Page } from './parquet-page.ts';
import type { ByteSink } from './status-writer.ts';

export const CREATED_BY = 'leeward';

export function textColumn(name: string, repetition: 'REQUIRED' | 'OPTIONAL'): SchemaElement {
  return {
    name,
    type: 'BYTE_ARRAY',
    repetition_type: repetition,
    converted_type: 'UTF8',
    logical_type: { type: 'STRING' },
  };
}

const types = { integer: 'INT64', number: 'DOUBLE', boolean: 'BOOLEAN' } as const;

export function extraColumns(extras: readonly ExtraColumn[]): SchemaElement[] {
  return extras.map(({ name, type }) =>
    type === 'text' ? textColumn(name, 'OPTIONAL') : { name, type: types[type], repetition_type: 'OPTIONAL' as const },
  );
}

/** The values of a extras column for hyparquet-writer. */
export function extraData({ type }: ExtraColumn, values: readonly unknown[]): unknown[] {
  return values.map((value) => {
    if (value === null || value === undefined) return undefined;
    if (type === 'text') return extraText(value);
    return type === 'integer' ? BigInt(value as number) : value;
  });
}

export interface EncodedColumn {
  readonly name: string;
  readonly type: 'INT64' | 'BYTE_ARRAY';
  readonly encodings: ('PLAIN' | 'RLE' | 'DELTA_BINARY_PACKED' | 'RLE_DICTIONARY')[];
  readonly dictionary: Page | undefined;
  readonly data: Page;
}

/** Kept columns, and the values of each. */
type ExtraValues = readonly (readonly [ExtraColumn, readonly unknown[]])[];

/** Writes a Parquet file row group by row group. */
export interface ParquetFile {
  /** Kept columns are after the first one. */
  writeGroup(rows: number, columns: readonly EncodedColumn[], extras: ExtraValues): void;
  end(): void;
}

/** A writer of hyparquet-writer that passes its bytes to a sink at each flush. */
export function sinkWriter(sink: ByteSink): ByteWriter & { readonly flush: () => void } {
  const bytes = new ByteWriter(1 << 16);
  const flush = () => {
    if (bytes.index > 0) sink(bytes.getBytes());
    bytes.index = 0;
  };
  return Object.assign(bytes, { flush, finish: flush });
}

type Chunk = Pick<ColumnChunk, 'file_offset'> & { readonly meta_data: NonNullable<ColumnChunk['meta_data']> };

/** Encodes a row group of extras columns by hyparquet-writer, as a separate file. */
function encodeExtras(
  extras: ExtraValues,
  rows: number,
): { readonly columns: readonly Chunk[]; readonly bytes: Uint8Array } {
  const bytes = new ByteWriter(1 << 16);
  const schema = [{ name: 'root', num_children: extras.length }, ...extraColumns(extras.map(([column]) => column))];
  const file = new ParquetWriter({ writer: bytes, schema, statistics: false });
  const columnData = extras.map(([column, values]) => ({
    name: column.name,
    data: extraData(column, values),
    offsetIndex: false,
  }));
  void file.write({ columnData, rowGroupSize: rows });
  return { columns: file.row_groups[0]!.columns as Chunk[], bytes: bytes.getBytes() };
}

function moveChunk({ file_offset, meta_data: meta }: Chunk, by: number): Chunk {
  const { data_page_offset: data, dictionary_page_offset: dictionary } = meta;
  const moved = { ...meta, data_page_offset: data + BigInt(by) };
  return {
    file_offset,
    meta_data: dictionary === undefined ? moved : { ...moved, dictionary_page_offset: dictionary + BigInt(by) },
  };
}

/** Creates a file whose pages are encoded here. hyparquet-writer writes the footer. */
export function createParquetFile(schema: readonly SchemaElement[], sink: ByteSink): ParquetFile {
  const bytes = sinkWriter(sink);
  const file = new ParquetWriter({ writer: bytes, schema: [...schema], createdBy: CREATED_BY });
  const addGroup = (group: RowGroup) => {
    file.row_groups.push(group);
    file.num_rows += group.num_rows;
    bytes.flush();
  };
  return {
    writeGroup(rows, columns, extras) {
      const chunks: Chunk[] = columns.map(({ name, type, encodings, dictionary, data }) => {
        const dictionaryOffset = bytes.offset;
        for (const piece of dictionary ?? []) bytes.appendBytes(piece);
        const dataOffset = bytes.offset;
        for (const piece of data) bytes.appendBytes(piece);
        const size = BigInt(bytes.offset - dictionaryOffset);
        return {
          file_offset: 0n,
          meta_data: {
            type,
            encodings,
            path_in_schema: [name],
            codec: 'UNCOMPRESSED' as const,
            num_values: BigInt(rows),
            total_uncompressed_size: size,
            total_compressed_size: size,
            data_page_offset: BigInt(dataOffset),
            ...(dictionary ? { dictionary_page_offset: BigInt(dictionaryOffset) } : {}),
          },
        };
      });
      if (extras.length > 0) {
        const encoded = encodeExtras(extras, rows);
        chunks.splice(1, 0, ...encoded.columns.map((chunk) => moveChunk(chunk, bytes.offset)));
        bytes.appendBytes(encoded.bytes);
      }
      const size = chunks.reduce((sum, { meta_data }) => sum + meta_data.total_compressed_size, 0n);
      addGroup({ columns: chunks, total_byte_size: size, num_rows: BigInt(rows), total_compressed_size: size });
    },
    end() {
      void file.finish();
    },
  };
}
