import { ParquetWriter } from 'hyparquet-writer';
import type { ExtraColumn } from './extra-columns.ts';
import { eachLongRow, longColumns, writeTermsText } from './long-rows.ts';
import { CREATED_BY, extraColumns, extraData, sinkWriter, textColumn } from './parquet-file.ts';
import type { ByteSink, StatusWriter } from './status-writer.ts';

/** A row group is written at the end of the batch that reaches this number of lines. */
const GROUP_LINES = 1 << 20;

/** Writes the long form as Parquet: the columns of `longColumns`, with codes separated by spaces. */
export function createLongParquet(
  carriers: readonly string[],
  extras: readonly ExtraColumn[],
  sink: ByteSink,
): StatusWriter {
  const file = new ParquetWriter({
    writer: sinkWriter(sink),
    schema: [
      { name: 'root', num_children: longColumns.length + extras.length },
      { name: 'row', type: 'INT64', repetition_type: 'REQUIRED' },
      ...extraColumns(extras),
      ...longColumns.slice(1).map((name) => textColumn(name, 'REQUIRED')),
    ],
    statistics: false,
    createdBy: CREATED_BY,
  });
  let rows: bigint[] = [];
  let own: unknown[][] = extras.map(() => []);
  let texts: string[][] = longColumns.slice(1).map(() => []);
  const flush = () => {
    if (rows.length === 0) return;
    const columns: [string, unknown[]][] = [
      ['row', rows],
      ...extras.map((column, index): [string, unknown[]] => [column.name, extraData(column, own[index]!)]),
      ...longColumns.slice(1).map((name, index): [string, string[]] => [name, texts[index]!]),
    ];
    const columnData = columns.map(([name, data]) => ({ name, data, offsetIndex: false }));
    file.write({ columnData, rowGroupSize: rows.length });
    rows = [];
    own = extras.map(() => []);
    texts = longColumns.slice(1).map(() => []);
  };
  return {
    write(batch) {
      eachLongRow(batch, carriers.length, (row, index, carrier, status, codes, terms) => {
        rows.push(BigInt(row));
        own.forEach((values, column) => void values.push(batch.extras?.[column]?.[index]));
        const bounds = [writeTermsText(terms?.terms), writeTermsText(terms?.possibleTerms)];
        const cells = [carriers[carrier]!, status, codes.join(' '), ...bounds];
        cells.forEach((cell, column) => void texts[column]!.push(cell));
      });
      if (rows.length >= GROUP_LINES) flush();
    },
    async end() {
      flush();
      file.finish();
    },
  };
}
