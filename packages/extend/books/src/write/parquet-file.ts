import type { RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
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

export interface EncodedColumn {
  readonly name: string;
  readonly type: 'INT64' | 'BYTE_ARRAY';
  readonly encodings: ('PLAIN' | 'RLE' | 'DELTA_BINARY_PACKED' | 'RLE_DICTIONARY')[];
  readonly dictionary: Page | undefined;
  readonly data: Page;
}

/** Writes a Parquet file row group by row group. */
export interface ParquetFile {
  writeGroup(rows: number, columns: readonly EncodedColumn[]): void;
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
    writeGroup(rows, columns) {
      const chunks = columns.map(({ name, type, encodings, dictionary, data }) => {
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
      const size = chunks.reduce((sum, { meta_data }) => sum + meta_data.total_compressed_size, 0n);
      addGroup({ columns: chunks, total_byte_size: size, num_rows: BigInt(rows), total_compressed_size: size });
    },
    end() {
      void file.finish();
    },
  };
}
