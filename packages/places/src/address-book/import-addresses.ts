import { openTable, RowFileError, type TableFile, tellRecognized } from '@leeward/rows';
import { findState } from '../counties/index.ts';
import { AddressBookError } from './address-book-error.ts';
import { type BookWriter, createBookWriter } from './book-writer.ts';
import type { ImportOptions, ImportReport } from './import-options.ts';
import { type Columns, findColumns, missingColumns, type RejectionCode, readRecord } from './read-record.ts';

const maximumExamples = 10;
const rowsAProgress = 1_000;

/**
 * Imports a CSV or NDJSON file with the columns of OpenAddresses (LON, LAT, NUMBER, STREET; UNIT, CITY, REGION, POSTCODE if there are;
 * in any order and case) into an address book. All of it or nothing: an import that fails leaves the book as it was, and
 * readers see the old addresses until it is done. A line that cannot be used is counted and left out.
 *
 * Errors: `AddressBookError` when the file lacks a column or holds no address that can be used; the reason of an aborted
 * signal; the file system's own errors.
 */
export async function importAddresses(options: ImportOptions): Promise<ImportReport> {
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  const state = options.state === undefined ? undefined : findState(options.state)?.code;
  if (options.state !== undefined && state === undefined) {
    throw new AddressBookError(`${JSON.stringify(options.state)} is no state of the United States.`);
  }
  const table = await openFile(options);
  let writer: BookWriter | undefined;
  try {
    const columns = requireColumns(table.columns);
    writer = createBookWriter(options);
    const rejected: Partial<Record<RejectionCode, number>> = {};
    const examples: { line: number; code: RejectionCode }[] = [];
    const reject = (line: number, code: RejectionCode) => {
      rejected[code] = (rejected[code] ?? 0) + 1;
      if (examples.length < maximumExamples) examples.push({ line, code });
    };
    let linesRead = 0;
    for await (const { line, cells, fault } of table.rows) {
      linesRead += 1;
      const record = cells === undefined ? fault.code : readRecord(cells, columns, state);
      if (typeof record === 'string') reject(line, record);
      else writer.add(record);
      if (linesRead % rowsAProgress === 0) onProgress?.(linesRead);
    }
    onProgress?.(linesRead);
    const { added, duplicates } = writer.counts();
    if (added === 0) throw new AddressBookError(nothingToImport(linesRead, rejected));
    writer.commit();
    const recognized = tellRecognized('The file', table.recognized());
    return { source: options.source, linesRead, imported: added, duplicates, rejected, examples, recognized };
  } finally {
    table.close();
    writer?.close();
  }
}

async function openFile({ csv, signal }: ImportOptions): Promise<TableFile> {
  try {
    return await openTable(csv, { name: 'The file', ...(signal ? { signal } : {}) });
  } catch (error) {
    throw error instanceof RowFileError ? new AddressBookError(error.message) : error;
  }
}

function requireColumns(header: readonly string[]): Columns {
  const columns = findColumns(header);
  const missing = missingColumns(columns);
  if (missing.length === 0) return columns;
  const seen = header
    .slice(0, 20)
    .map((name) => name.slice(0, 40))
    .join(', ');
  throw new AddressBookError(`The file has no column for ${missing.join(', ')}. Its columns are: ${seen}.`);
}

function nothingToImport(linesRead: number, rejected: Readonly<Partial<Record<RejectionCode, number>>>): string {
  const reasons = Object.entries(rejected).map(([code, count]) => `${code} ${count}`);
  const hint =
    rejected.no_state === undefined
      ? ''
      : ' The file does not name the state of its addresses: say which it is (state).';
  return `None of ${linesRead} lines is an address that can be used (${reasons.join(', ') || 'there are none'}).${hint}`;
}
