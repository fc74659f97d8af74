import { homeVocabulary, STATUS_CODES } from '@leeward/engine';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, it } from 'vitest';
import type { EvaluatedBatch } from '../batches/book-evaluator.ts';
import { createStatusWriter, type StatusWriterOptions } from './create-writer.ts';

const GROUP_ROWS = 131_072;
const ELIGIBLE = STATUS_CODES.indexOf('eligible');

/** Evaluated rows of one carrier; the code of row r is `codeOf(r)`, counted from the first row of the book. */
function batchOf(firstRow: number, rows: number, codeOf: (row: number) => number): EvaluatedBatch {
  return {
    firstRow,
    rows,
    codes: Uint8Array.from({ length: rows }, (_, row) => codeOf(firstRow + row)),
    counties: new Int32Array(rows),
    states: new Uint8Array(rows),
    policyTypes: new Uint8Array(rows),
    rejected: new Map(),
    reasons: new Map(),
    terms: new Map(),
    everyType: new Map(),
  };
}

async function createWriter(options: Pick<StatusWriterOptions, 'format' | 'isLong'>) {
  const chunks: Uint8Array[] = [];
  const writer = await createStatusWriter({
    ...options,
    carrierKeys: ['bayou'],
    vocabulary: homeVocabulary,
    sink: (bytes) => void chunks.push(Uint8Array.from(bytes)),
  });
  return { writer, chunks, bytes: () => Buffer.concat(chunks) };
}

it.each(['csv', 'ndjson'] as const)('the long form as %s counts rows on from batch to batch', async (format) => {
  const { writer, bytes } = await createWriter({ format, isLong: true });
  writer.write(batchOf(0, 2, () => ELIGIBLE));
  writer.write(batchOf(2, 2, () => ELIGIBLE));
  await writer.end();
  const lines = bytes().toString().trimEnd().split('\n');
  const numbers =
    format === 'csv'
      ? lines.slice(1).map((line) => Number(line.split(',')[0]))
      : lines.map((line) => (JSON.parse(line) as { row: number }).row);
  expect(numbers).toEqual([1, 2, 3, 4]);
});

it('Parquet begins a row group where one is full, and goes on in the next', async () => {
  const codeOf = (row: number) => 1 + (row % 4);
  const { writer, chunks, bytes } = await createWriter({ format: 'parquet' });
  writer.write(batchOf(0, GROUP_ROWS, codeOf));
  // A full group is written at once.
  expect(chunks.length).toBeGreaterThan(0);
  writer.write(batchOf(GROUP_ROWS, GROUP_ROWS + 5, codeOf));
  await writer.end();
  const file = new Uint8Array(bytes()).buffer;
  expect(parquetMetadata(file).row_groups.map(({ num_rows: rows }) => Number(rows))).toEqual([
    GROUP_ROWS,
    GROUP_ROWS,
    5,
  ]);
  const rowStart = GROUP_ROWS - 2;
  const around = await parquetReadObjects({ file, rowStart, rowEnd: GROUP_ROWS + 2 });
  const last = await parquetReadObjects({ file, rowStart: 2 * GROUP_ROWS, rowEnd: 2 * GROUP_ROWS + 5 });
  for (const { row, bayou } of [...around, ...last])
    expect([row, bayou]).toEqual([row, STATUS_CODES[codeOf(Number(row) - 1)]]);
  expect([...around, ...last].map(({ row }) => Number(row))).toEqual(
    [-1, 0, 1, 2, ...[1, 2, 3, 4, 5].map((row) => GROUP_ROWS + row)].map((row) => GROUP_ROWS + row),
  );
});
