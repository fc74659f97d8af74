import type { RowSource } from './byte-chunks.ts';
import { type OpenRowsOptions, openRows, type RowFile } from './open-rows.ts';
import type { CsvRow, FaultyRow, JsonRow } from './row.ts';
import { RowFileError } from './row-file-error.ts';

/** An open file whose rows all have the same columns. */
export interface TableFile {
  readonly format: RowFile['format'];
  /** CSV: the names in the first line. NDJSON: the keys of the first row. */
  readonly columns: readonly string[];
  readonly headerLine: number;
  readonly rows: AsyncIterable<CsvRow | FaultyRow>;
  readonly recognized: RowFile['recognized'];
  readonly bytesRead: RowFile['bytesRead'];
  readonly close: RowFile['close'];
}

/**
 * Opens CSV or NDJSON as a table of text cells. In NDJSON, `null` and missing keys are empty cells. New keys, lists and objects are
 * faults of their row.
 *
 * @throws as `openRows`.
 *
 * @example
 * const { columns, rows } = await openTable('policies.ndjson');
 */
export async function openTable(source: RowSource, options: OpenRowsOptions = {}): Promise<TableFile> {
  const file = await openRows(source, options);
  if (file.format === 'csv') return file;
  const rows = file.rows[Symbol.asyncIterator]();
  const { value: first } = await rows.next();
  const value: unknown = first?.value;
  if (first === undefined || !isObject(value)) {
    file.close();
    const why = first?.fault?.message ?? `Line ${first?.line ?? 1} is not an object.`;
    throw new RowFileError(
      'unreadable_header',
      `The first row of ${options.name ?? 'the file'} names the columns: ${why}`,
    );
  }
  const columns = Object.keys(value);
  return {
    format: file.format,
    columns,
    headerLine: first.line,
    rows: cellsOf(first, rows, columns),
    recognized: file.recognized,
    bytesRead: file.bytesRead,
    close: file.close,
  };
}

async function* cellsOf(
  first: JsonRow | FaultyRow,
  rows: AsyncIterator<JsonRow | FaultyRow>,
  columns: readonly string[],
): AsyncGenerator<CsvRow | FaultyRow> {
  const keys = new Set(columns);
  try {
    for (let row: JsonRow | FaultyRow | undefined = first; row !== undefined; ) {
      yield row.fault === undefined ? cellsOfRow(row, columns, keys) : row;
      const next = await rows.next();
      row = next.done ? undefined : next.value;
    }
  } finally {
    await rows.return?.();
  }
}

function cellsOfRow(
  { line, text, value }: JsonRow,
  columns: readonly string[],
  keys: ReadonlySet<string>,
): CsvRow | FaultyRow {
  const fault = (message: string): FaultyRow => ({ line, text, fault: { code: 'malformed_row', message } });
  if (!isObject(value)) return fault(`Line ${line} is not an object.`);
  const unknownKey = Object.keys(value).find((key) => !keys.has(key));
  if (unknownKey !== undefined) {
    const key = JSON.stringify(unknownKey.slice(0, 60));
    return fault(
      `Line ${line} has the key ${key}, which the first row does not have: put every key there, with null if it is empty.`,
    );
  }
  const nested = columns.find((key) => typeof value[key] === 'object' && value[key] !== null);
  if (nested !== undefined) {
    const key = JSON.stringify(nested.slice(0, 60));
    return fault(`Line ${line} has a list or an object at ${key}: write text, a number or null.`);
  }
  return { line, text, cells: columns.map((key) => String(value[key] ?? '').trim()) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
