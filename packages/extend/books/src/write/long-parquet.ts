import type { SchemaElement } from 'hyparquet';
import { ParquetWriter } from 'hyparquet-writer';
import { eachLongRow, longColumns, writeTermsText } from './long-rows.ts';
import { CREATED_BY, sinkWriter, textColumn } from './parquet-file.ts';
import type { ByteSink, StatusWriter } from './status-writer.ts';

/** A row group is written at the end of the batch that reaches this number of lines. */
const GROUP_LINES = 1 << 20;

export const longSchema: SchemaElement[] = [
  { name: 'root', num_children: longColumns.length },
  { name: 'row', type: 'INT64', repetition_type: 'REQUIRED' },
  ...longColumns.slice(1).map((name) => textColumn(name, 'REQUIRED')),
];

/** Writes the long form as Parquet: the columns of `longColumns`, with codes separated by spaces. */
export function createLongParquet(carriers: readonly string[], sink: ByteSink): StatusWriter {
  const file = new ParquetWriter({
    writer: sinkWriter(sink),
    schema: longSchema,
    statistics: false,
    createdBy: CREATED_BY,
  });
  let rows: bigint[] = [];
  let texts: string[][] = longColumns.slice(1).map(() => []);
  const flush = () => {
    if (rows.length === 0) return;
    const columns: [string, bigint[] | string[]][] = [
      ['row', rows],
      ...longColumns.slice(1).map((name, index): [string, string[]] => [name, texts[index]!]),
    ];
    const columnData = columns.map(([name, data]) => ({ name, data, offsetIndex: false }));
    file.write({ columnData, rowGroupSize: rows.length });
    rows = [];
    texts = longColumns.slice(1).map(() => []);
  };
  return {
    write(batch) {
      eachLongRow(batch, carriers.length, (row, carrier, status, codes, terms) => {
        rows.push(BigInt(row));
        const own = [writeTermsText(terms?.terms), writeTermsText(terms?.possibleTerms)];
        const cells = [carriers[carrier]!, status, codes.join(' '), ...own];
        cells.forEach((cell, index) => void texts[index]!.push(cell));
      });
      if (rows.length >= GROUP_LINES) flush();
    },
    async end() {
      flush();
      file.finish();
    },
  };
}
