import {
  type BookSummary,
  type Catalog,
  createBookColumns,
  createTally,
  type Property,
  readBook,
  STATUS_CODES,
  summarize,
  writeBookRow,
} from '@leeward/engine';
import type { BookHome } from '../homes/read-book-homes.ts';
import type { LineFile } from '../rows/line-file.ts';

export interface RunBookOptions {
  readonly catalog: Catalog;
  readonly homes: AsyncIterable<BookHome>;
  /** Instant at which the whole book is judged. */
  readonly asOf: Date;
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
  /** Policies by effective date. */
  readonly effectiveDates: Readonly<Record<string, number>>;
  /** Policies by the code of a warning. */
  readonly warnings: Readonly<Record<string, number>>;
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
  const { results, rejects, signal } = options;
  const judge = createBatchJudge(options);
  const warnings = new Map<string, number>();
  const effectiveDates = new Map<string, number>();
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  let rejected = 0;
  let judged = 0;
  let judgingMs = 0;
  const started = performance.now();
  const reject = ({ line, text }: BookHome, faults: unknown) => {
    rejected++;
    rejects.write(JSON.stringify({ line, faults, row: text }));
  };
  const flush = () => {
    const began = performance.now();
    judged += judge.flush((result) => results?.write(JSON.stringify(result)));
    judgingMs += performance.now() - began;
    options.onRows(judged);
  };
  for await (const home of options.homes) {
    if (signal.aborted) break;
    if (home.faults) {
      reject(home, home.faults);
      continue;
    }
    const { property, effectiveDate } = home.request;
    if (property.policyType === undefined) {
      reject(home, [
        { path: '/policy_type', code: 'required', message: 'A policy of a book has a policy_type; give one.' },
      ]);
      continue;
    }
    for (const code of new Set(home.request.warnings.map((warning) => warning.code))) count(warnings, code);
    count(effectiveDates, effectiveDate);
    judge.add(home.line, property);
    if (judge.size() === ROWS_A_BATCH) flush();
  }
  if (judge.size() > 0) flush();
  return {
    summary: judge.summary(),
    rejected,
    effectiveDates: Object.fromEntries([...effectiveDates].sort()),
    warnings: Object.fromEntries([...warnings].sort(([, a], [, b]) => b - a)),
    isCancelled: signal.aborted,
    readingMs: performance.now() - started - judgingMs,
    judgingMs,
  };
}

/** Judges some rows together: those of one effective date in columns, and alone what columns cannot carry. */
function createBatchJudge({ catalog, asOf, results }: Pick<RunBookOptions, 'catalog' | 'asOf' | 'results'>) {
  const { vocabulary } = catalog;
  const keys = catalog.carriers.map((carrier) => carrier.key);
  const places = new Map(keys.map((key, place) => [key, place]));
  const tally = createTally(vocabulary, keys.length);
  let lines: number[] = [];
  /** Status codes of each row, once it is judged; kept only where results are written. */
  let codes: (Uint8Array | undefined)[] = [];
  const newDate = (effectiveDate: string) => ({
    tables: catalog.bookTables({ asOf, effectiveDate }),
    columns: createBookColumns(vocabulary, ROWS_A_BATCH),
    /** Place of each of its rows among all. */
    rows: [] as number[],
  });
  const dates = new Map<string, ReturnType<typeof newDate>>();
  /** A distance that was measured lies between two ends, which no column holds. */
  const judgeAlone = (property: Property): Uint8Array => {
    const found = catalog.statusCodes(property, undefined, 'exact');
    const declines = new Map<number, Set<string>>();
    for (const { carrierKey, reasons } of catalog.declines(property)) {
      declines.set(places.get(carrierKey)!, new Set(reasons.map(({ code }) => code)));
    }
    tally.addProperty(property, found, declines);
    return found;
  };
  return {
    size: () => lines.length,
    summary: () => summarize(tally.counts(), vocabulary, keys),
    add(line: number, property: Property) {
      const row = lines.push(line) - 1;
      if ((property.given ?? property.values).some((value) => typeof value === 'object')) {
        codes[row] = judgeAlone(property);
        return;
      }
      let date = dates.get(property.effectiveDate);
      if (!date) {
        date = newDate(property.effectiveDate);
        dates.set(property.effectiveDate, date);
      }
      writeBookRow(date.columns, date.rows.length, property);
      date.rows.push(row);
    },
    /** Judges what was added, tells it in its order, and says how many they were. */
    flush(tell: (result: Readonly<Record<string, unknown>>) => void): number {
      for (const date of dates.values()) {
        const { tables, columns, rows } = date;
        for (const chunk of readBook(tables, columns, vocabulary, { to: rows.length, tally })) {
          for (let index = 0; results && index < chunk.rows; index++) {
            codes[rows[chunk.from + index]!] = chunk.codes.slice(index * keys.length, (index + 1) * keys.length);
          }
        }
        date.rows = [];
        date.columns = createBookColumns(vocabulary, ROWS_A_BATCH);
      }
      if (results) for (const [row, line] of lines.entries()) tell(resultOf(line, keys, codes[row]!));
      const { length } = lines;
      lines = [];
      codes = [];
      return length;
    },
  };
}

/** The carriers of each status. */
function resultOf(line: number, keys: readonly string[], codes: Uint8Array): Readonly<Record<string, unknown>> {
  const result: Record<string, string[]> = { eligible: [], referral: [], needs_information: [], ineligible: [] };
  keys.forEach((key, carrier) => {
    result[STATUS_CODES[codes[carrier]!]!]?.push(key);
  });
  return { line, ...result };
}
