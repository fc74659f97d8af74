import {
  type BookSummary,
  type Catalog,
  createBookColumns,
  createTally,
  parseRequest,
  readBook,
  STATUS_CODES,
  summarize,
  writeBookRow,
} from '@leeward/engine';
import type { LineFile } from '../rows/line-file.ts';
import type { HomeRow } from '../rows/open-home-rows.ts';

export interface RunBookOptions {
  readonly catalog: Catalog;
  readonly rows: AsyncIterable<HomeRow>;
  /** Instant and date at which the whole book is judged. */
  readonly asOf: Date;
  readonly effectiveDate: string;
  /** A line a policy with the carriers of each status, where it is wanted. */
  readonly results: LineFile | undefined;
  /** A line a bad row. */
  readonly rejects: LineFile;
  readonly signal: AbortSignal;
  readonly onRows: (judged: number) => void;
}

export interface BookRun {
  readonly summary: BookSummary;
  readonly rejected: number;
  readonly isCancelled: boolean;
  /** Where the time went, in milliseconds. */
  readonly readingMs: number;
  readonly judgingMs: number;
}

const ROWS_A_BATCH = 4096;

/**
 * Judges a book row by row as it is read. A bad row goes to the rejects with its line and what is wrong, and
 * the run goes on. Memory does not grow with the book.
 */
export async function runBook(options: RunBookOptions): Promise<BookRun> {
  const { catalog, asOf, effectiveDate, results, rejects, signal } = options;
  const { vocabulary } = catalog;
  const keys = catalog.carriers.map((carrier) => carrier.key);
  const tables = catalog.bookTables({ asOf, effectiveDate });
  const tally = createTally(vocabulary, keys.length);
  let columns = createBookColumns(vocabulary, ROWS_A_BATCH);
  let lines: number[] = [];
  let rejected = 0;
  let judged = 0;
  let judgingMs = 0;
  const started = performance.now();
  const reject = ({ line, text }: HomeRow, faults: unknown) => {
    rejected++;
    rejects.write(JSON.stringify({ line, faults, row: text }));
  };
  const judge = () => {
    const began = performance.now();
    for (const { from, rows, codes } of readBook(tables, columns, vocabulary, { to: lines.length, tally })) {
      if (!results) continue;
      for (let row = 0; row < rows; row++) {
        results.write(JSON.stringify(resultOf(lines[from + row]!, keys, codes.subarray(row * keys.length))));
      }
    }
    judged += lines.length;
    judgingMs += performance.now() - began;
    options.onRows(judged);
    lines = [];
    columns = createBookColumns(vocabulary, ROWS_A_BATCH);
  };
  for await (const row of options.rows) {
    if (signal.aborted) break;
    if (row.fault) {
      reject(row, [{ path: '', ...row.fault }]);
      continue;
    }
    const body = withDates(row.body, asOf, effectiveDate);
    const parsed = parseRequest(body, { now: asOf, vocabulary });
    if (!parsed.ok) {
      reject(row, parsed.faults);
      continue;
    }
    try {
      writeBookRow(columns, lines.length, parsed.request.property);
    } catch (error) {
      reject(row, [{ path: '/policy_type', code: 'required', message: (error as Error).message }]);
      continue;
    }
    lines.push(row.line);
    if (lines.length === ROWS_A_BATCH) judge();
  }
  if (lines.length > 0) judge();
  return {
    summary: summarize(tally.counts(), vocabulary, keys),
    rejected,
    isCancelled: signal.aborted,
    readingMs: performance.now() - started - judgingMs,
    judgingMs,
  };
}

/** The whole book is judged at one date; a row's own would make its ages another's. */
function withDates(body: unknown, asOf: Date, effectiveDate: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return { ...body, as_of: asOf.toISOString(), effective_date: effectiveDate };
}

function resultOf(line: number, keys: readonly string[], codes: Uint8Array): Record<string, unknown> {
  const result: Record<string, string[]> = { eligible: [], referral: [], needs_information: [], ineligible: [] };
  keys.forEach((key, carrier) => {
    result[STATUS_CODES[codes[carrier]!]!]?.push(key);
  });
  return { line, ...result };
}
