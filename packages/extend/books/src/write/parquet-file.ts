import type { FileMetaData, RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import type { Page } from './parquet-page.ts';
import type { ByteSink } from './status-writer.ts';

const MAGIC = Buffer.from('PAR1', 'latin1');
export const CREATED_BY = 'leeward';

/** A column of text, as a schema has it. */
export function textColumn(name: string, repetition: 'REQUIRED' | 'OPTIONAL'): SchemaElement {
  return {
    name,
    type: 'BYTE_ARRAY',
    repetition_type: repetition,
    converted_type: 'UTF8',
    logical_type: { type: 'STRING' },
  };
}

/** A column of a row group, its pages ready. */
export interface WrittenColumn {
  readonly name: string;
  readonly type: 'INT64' | 'BYTE_ARRAY';
  readonly encodings: ('PLAIN' | 'RLE' | 'DELTA_BINARY_PACKED' | 'RLE_DICTIONARY')[];
  readonly dictionary: Page | undefined;
  readonly data: Page;
}

/** A Parquet file that is written row group by row group. */
export interface ParquetFile {
  writeGroup(rows: number, columns: readonly WrittenColumn[]): void;
  /** A row group of another file of the same columns, as it stands there from `from` on. */
  copyGroup(group: RowGroup, bytes: Uint8Array, from: number): void;
  end(): void;
}

export function createParquetFile(schema: readonly SchemaElement[], sink: ByteSink): ParquetFile {
  let offset = 0;
  let rows = 0n;
  const groups: RowGroup[] = [];
  /** What is handed on at once: a file is written with few calls, in room that is used again. */
  let room = new Uint8Array(1 << 16);
  let held = 0;
  const put = (bytes: Uint8Array) => {
    if (held + bytes.length > room.length) {
      const wider = new Uint8Array(2 * (held + bytes.length));
      wider.set(room.subarray(0, held));
      room = wider;
    }
    room.set(bytes, held);
    held += bytes.length;
    offset += bytes.length;
  };
  const handOn = () => {
    if (held > 0) sink(room.subarray(0, held));
    held = 0;
  };
  put(MAGIC);
  return {
    writeGroup(groupRows, columns) {
      const written = columns.map(({ name, type, encodings, dictionary, data }) => {
        const dictionaryOffset = offset;
        dictionary?.forEach(put);
        const dataOffset = offset;
        data.forEach(put);
        const size = BigInt(offset - dictionaryOffset);
        return {
          file_offset: 0n,
          meta_data: {
            type,
            encodings,
            path_in_schema: [name],
            codec: 'UNCOMPRESSED' as const,
            num_values: BigInt(groupRows),
            total_uncompressed_size: size,
            total_compressed_size: size,
            data_page_offset: BigInt(dataOffset),
            ...(dictionary ? { dictionary_page_offset: BigInt(dictionaryOffset) } : {}),
          },
        };
      });
      const bytes = written.reduce((sum, { meta_data }) => sum + meta_data.total_compressed_size, 0n);
      groups.push({
        columns: written,
        total_byte_size: bytes,
        num_rows: BigInt(groupRows),
        total_compressed_size: bytes,
      });
      rows += BigInt(groupRows);
      handOn();
    },
    copyGroup(group, bytes, from) {
      const shift = BigInt(offset - from);
      handOn();
      sink(bytes);
      offset += bytes.length;
      const columns = group.columns.map((column) => {
        const meta = column.meta_data!;
        const { dictionary_page_offset: dictionary } = meta;
        return {
          file_offset: 0n,
          meta_data: {
            ...meta,
            data_page_offset: meta.data_page_offset + shift,
            ...(dictionary === undefined ? {} : { dictionary_page_offset: dictionary + shift }),
          },
        };
      });
      groups.push({ ...group, columns });
      rows += group.num_rows;
    },
    end() {
      const writer = new ByteWriter();
      const metadata: Omit<FileMetaData, 'metadata_length'> = {
        version: 2,
        created_by: CREATED_BY,
        schema: [...schema],
        num_rows: rows,
        row_groups: groups,
      };
      writeMetadata(writer, metadata as FileMetaData);
      put(writer.getBytes());
      put(MAGIC);
      handOn();
    },
  };
}
