import type { SchemaElement } from 'hyparquet';
import { ParquetWriter } from 'hyparquet-writer';
import { eachLongRow } from './long-rows.ts';
import { CREATED_BY, sinkWriter, textColumn } from './parquet-file.ts';
import type { ByteSink, StatusWriter } from './status-writer.ts';

/** A row group is written at the end of the batch that reaches this number of lines. */
const GROUP_LINES = 1 << 20;

export const longSchema: SchemaElement[] = [
  { name: 'root', num_children: 4 },
  { name: 'row', type: 'INT64', repetition_type: 'REQUIRED' },
  textColumn('carrier_key', 'REQUIRED'),
  textColumn('status', 'REQUIRED'),
  textColumn('codes', 'REQUIRED'),
];

/** Writes the long form as Parquet: `row`, `carrier_key`, `status` and `codes`, separated by spaces. */
export function createLongParquet(carriers: readonly string[], sink: ByteSink): StatusWriter {
  const file = new ParquetWriter({
    writer: sinkWriter(sink),
    schema: longSchema,
    statistics: false,
    createdBy: CREATED_BY,
  });
  let [rows, keys, statuses, reasons]: [bigint[], string[], string[], string[]] = [[], [], [], []];
  const flush = () => {
    if (rows.length === 0) return;
    const columns = { row: rows, carrier_key: keys, status: statuses, codes: reasons };
    // `joinParquet` copies row groups: no indexes may follow them.
    const columnData = Object.entries(columns).map(([name, data]) => ({ name, data, offsetIndex: false }));
    file.write({ columnData, rowGroupSize: rows.length });
    [rows, keys, statuses, reasons] = [[], [], [], []];
  };
  return {
    write(batch) {
      eachLongRow(batch, carriers.length, (row, carrier, status, codes) => {
        rows.push(BigInt(row));
        keys.push(carriers[carrier]!);
        statuses.push(status);
        reasons.push(codes.join(' '));
      });
      if (rows.length >= GROUP_LINES) flush();
    },
    async end() {
      flush();
      file.finish();
    },
  };
}
