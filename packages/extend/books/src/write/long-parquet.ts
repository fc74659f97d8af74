import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { eachLongRow } from './long-rows.ts';
import { CREATED_BY, textColumn } from './parquet-file.ts';
import type { ByteSink, StatusWriter } from './status-writer.ts';

/** Lines from which a row group is written, at the end of a batch. */
const GROUP_LINES = 1 << 20;

/** Columns of the long form. */
export const longSchema: SchemaElement[] = [
  { name: 'root', num_children: 4 },
  { name: 'row', type: 'INT64', repetition_type: 'REQUIRED' },
  textColumn('carrier_key', 'REQUIRED'),
  textColumn('status', 'REQUIRED'),
  textColumn('codes', 'REQUIRED'),
];

/** The long form as Parquet: `row`, `carrier_key`, `status` and `codes`, the codes with a space between them. */
export function createLongParquet(carriers: readonly string[], sink: ByteSink): StatusWriter {
  const bytes = new ByteWriter(1 << 16);
  const handOn = () => {
    sink(new Uint8Array(bytes.buffer, 0, bytes.index));
    bytes.index = 0;
  };
  const file = new ParquetWriter({
    writer: Object.assign(bytes, { flush: handOn, finish: handOn }),
    schema: longSchema,
    statistics: false,
    createdBy: CREATED_BY,
  });
  let [rows, keys, statuses, why]: [bigint[], string[], string[], string[]] = [[], [], [], []];
  const flush = () => {
    if (rows.length === 0) return;
    const columns = { row: rows, carrier_key: keys, status: statuses, codes: why };
    // Without places of pages behind the groups, so that groups of several files are put together as they stand.
    const columnData = Object.entries(columns).map(([name, data]) => ({ name, data, offsetIndex: false }));
    file.write({ columnData, rowGroupSize: rows.length });
    [rows, keys, statuses, why] = [[], [], [], []];
  };
  return {
    write(batch) {
      eachLongRow(batch, carriers.length, (row, carrier, status, codes) => {
        rows.push(BigInt(row));
        keys.push(carriers[carrier]!);
        statuses.push(status);
        why.push(codes.join(' '));
      });
      if (rows.length >= GROUP_LINES) flush();
    },
    async end() {
      flush();
      file.finish();
    },
  };
}
