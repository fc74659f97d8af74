import { readFile } from 'node:fs/promises';
import { parquetMetadataAsync, type SchemaElement } from 'hyparquet';
import { createParquetFile } from './parquet-file.ts';
import type { ByteSink } from './status-writer.ts';

/** Concatenates Parquet files with the same columns. Row groups are copied unchanged. */
export async function joinParquet(
  paths: readonly string[],
  schema: readonly SchemaElement[],
  sink: ByteSink,
): Promise<void> {
  const file = createParquetFile(schema, sink);
  for (const path of paths) {
    const bytes = await readFile(path);
    const whole = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    const metadata = await parquetMetadataAsync({
      byteLength: whole.byteLength,
      slice: (from, to) => whole.slice(from, to),
    });
    let from = 4;
    for (const group of metadata.row_groups) {
      const size = Number(group.total_compressed_size);
      file.copyGroup(group, bytes.subarray(from, from + size), from);
      from += size;
    }
  }
  file.end();
}
