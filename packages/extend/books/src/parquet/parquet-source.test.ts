import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RowGroup } from 'hyparquet';
import { ParquetWriter } from 'hyparquet-writer';
import { afterAll, expect, it } from 'vitest';
import { sinkWriter, textColumn } from '../write/parquet-file.ts';
import { openParquet } from './open-parquet.ts';

const folder = mkdtempSync(join(tmpdir(), 'leeward-parquet-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['more bytes than there are', { total_compressed_size: 1n << 50n }],
  ['a place behind the end', { data_page_offset: 1n << 40n }],
  ['a place before the beginning', { data_page_offset: -1000n }],
])('refuses a column that declares %s without allocating memory for it', async (_, claimed) => {
  const path = join(folder, 'claims.parquet');
  const chunks: Uint8Array[] = [];
  const bytes = sinkWriter((chunk) => void chunks.push(Uint8Array.from(chunk)));
  const schema = [{ name: 'root', num_children: 1 }, textColumn('state', 'OPTIONAL')];
  const file = new ParquetWriter({ writer: bytes, schema });
  const column = {
    type: 'BYTE_ARRAY' as const,
    encodings: ['PLAIN' as const],
    path_in_schema: ['state'],
    codec: 'UNCOMPRESSED' as const,
    num_values: 10n,
    total_uncompressed_size: 10n,
    total_compressed_size: 10n,
    data_page_offset: 4n,
    ...claimed,
  };
  const group: RowGroup = {
    columns: [{ file_offset: 0n, meta_data: column }],
    total_byte_size: 10n,
    num_rows: 10n,
  };
  bytes.appendBytes(new Uint8Array(10));
  file.row_groups.push(group);
  file.num_rows += group.num_rows;
  void file.finish();
  writeFileSync(path, Buffer.concat(chunks));
  const source = await openParquet(path, 'claims.parquet');
  const batches = source.batches()[Symbol.asyncIterator]();
  await expect(batches.next()).rejects.toThrow(/column "state", is damaged or cut off: the file ends before it/);
  await source.close();
});
