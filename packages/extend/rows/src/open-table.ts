import type { RowSource } from './byte-chunks.ts';
import { type OpenRowsOptions, openRows, type RowFile } from './open-rows.ts';
import type { CsvRow, FaultyRow, JsonRow } from './row.ts';
import { RowFileError } from './row-file-error.ts';

/** A file of rows that all have the same columns, whatever its format. */
export interface TableFile {
  readonly format: RowFile['format'];
  /** CSV: the names in the first line. NDJSON: the keys of the first row, which must be an object. */
  readonly columns: readonly string[];
  readonly headerLine: number;
  readonly rows: AsyncIterable<CsvRow | FaultyRow>;
  readonly recognized: RowFile['recognized'];
  readonly bytesRead: RowFile['bytesRead'];
  readonly close: RowFile['close'];
}

/**
 * Opens CSV or NDJSON as a table of cells of text. In NDJSON the first object's keys are the columns; `null` and a key left out
 * are empty cells; a key that the first object lacks, and a list or an object in a cell, is a fault of its row.
 *
 * Errors: those of `openRows`.
 */
export async function openTable(source: RowSource, options: OpenRowsOptions = {}): Promise<TableFile> {
  const file = await openRows(source, options);
  if (file.format === 'csv') return file;
  const rows = file.rows[Symbol.asyncIterator]();
  const { value: first } = await rows.next();
  const value: unknown = first?.value;
  if (first === undefined || !isObject(value)) {
    file.close();
    const why = first?.fault?.message ?? `Line ${first?.line ?? 1} is no object.`;
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
  const known = new Set(columns);
  try {
    for (let row: JsonRow | FaultyRow | undefined = first; row !== undefined; ) {
      yield row.fault === undefined ? cellsOfRow(row, columns, known) : row;
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
  known: ReadonlySet<string>,
): CsvRow | FaultyRow {
  const fault = (message: string): FaultyRow => ({ line, text, fault: { code: 'malformed_row', message } });
  if (!isObject(value)) return fault(`Line ${line} is no object.`);
  const strange = Object.keys(value).find((key) => !known.has(key));
  if (strange !== undefined) {
    const key = JSON.stringify(strange.slice(0, 60));
    return fault(
      `Line ${line} has the key ${key}, which the first row lacks: name every key there, with null where it is empty.`,
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
