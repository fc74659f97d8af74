import { createKernel, type Kernel, type KernelBatch } from '@leeward/artifact';
import { type Catalog, STATUS_CODES, type Vocabulary } from '@leeward/engine';
import { NOT_JUDGED } from '@leeward/engine/compiled';
import { type BookColumns, expectColumnsOf } from '../columns/book-columns.ts';
import { propertyOfRow } from '../columns/property-of-row.ts';
import { type BookTables, intervalOn, NO_INTERVAL } from '../tables/book-tables.ts';
import { countReasons, markReason } from '../tally/count-reasons.ts';
import type { BookTally } from '../tally/tally.ts';
import { createInputColumns, type InputColumns } from './input-columns.ts';

/** Status codes of consecutive rows. The next chunk reuses the buffer. */
export interface BookChunk {
  readonly from: number;
  readonly rows: number;
  /** `codes[i × carrierCount + c]`: an index into `STATUS_CODES` for row `from + i` and carrier c. */
  readonly codes: Uint8Array;
}

/** Options of `readBook`. */
export interface ReadBookOptions {
  /** First row. @default 0 */
  readonly from?: number;
  /** Row after the last. @default the number of rows */
  readonly to?: number;
  /** By row, 1 to evaluate it. Other rows have zeros and are not counted. @default all rows */
  readonly only?: Uint8Array | undefined;
  /** Counts statuses and reasons of the rows. @default none */
  readonly tally?: BookTally;
  /** Sets 1 in `rows` for each row that a carrier certainly declines for the reason code. @default none */
  readonly reason?: { readonly code: string; readonly rows: Uint8Array } | undefined;
  /**
   * The catalog of the tables. It settles statuses of carriers whose rules combine in too many ways for tables, row by row.
   * @default such statuses may be `needs_information` although several rules together decide them
   */
  readonly catalog?: () => Pick<Catalog, 'statusCodes'>;
}

const ROWS_A_CHUNK = 4096;
/** The kernel lays out reasons for each call, so that few large calls are faster. A row takes a byte for each reason. */
const COUNTED_ROWS_A_CHUNK = 16_384;
const COUNTED_BYTES_A_CHUNK = 1 << 25;
const OPEN = STATUS_CODES.indexOf('needs_information');

/**
 * Evaluates rows of columns, chunk by chunk, in constant memory.
 *
 * @throws {RangeError} if the columns were made for another vocabulary, if a row is effective on a date without tables, or if `tally` or
 *   `reason` needs tables of reasons.
 *
 * @example
 * const tables = bookTables(catalog, { asOf: new Date(), effectiveDate: '2026-11-20' });
 * for (const { from, rows, codes } of readBook(tables, columns, homeVocabulary))
 *   for (let row = 0; row < rows; row++)
 *     console.log(from + row, STATUS_CODES[codes[row * tables.carrierCount]!]);
 */
export function* readBook(
  tables: BookTables,
  columns: BookColumns,
  vocabulary: Vocabulary,
  { from = 0, to = columns.rows, only, tally, reason, catalog }: ReadBookOptions = {},
): Generator<BookChunk> {
  expectColumnsOf(columns, vocabulary);
  if ((tally || reason) && !tables.hasReasons)
    throw new RangeError('A tally needs tables with reasons; build them with `reasons: true`.');
  const { carrierCount } = tables;
  const { kernel, inputColumns } = evaluatorOf(tables, vocabulary);
  const chunkRows = Math.min(tally || reason ? countedRows(tables) : ROWS_A_CHUNK, Math.max(0, to - from));
  const codes = new Uint8Array(chunkRows * carrierCount);
  const ambiguous = columns.ambiguous.map((counties) => counties.map(Number));
  for (let start = from; start < to; start += chunkRows) {
    const rows = Math.min(chunkRows, to - start);
    const intervals = intervalsOf(tables, columns, start, rows, only);
    const batch: KernelBatch = {
      rows,
      policyTypes: columns.policyType.subarray(start, start + rows),
      states: columns.state.subarray(start, start + rows),
      counties: columns.county.subarray(start, start + rows),
      ambiguous,
      intervals,
      inputs: inputColumns({ columns, start, rows, intervals }),
    };
    codes.set(kernel.evaluate(batch));
    settleOpen(tables, batch, codes, (row) =>
      catalog?.().statusCodes(propertyOfRow(columns, start + row, vocabulary, tables)),
    );
    if (tally) {
      countReasons(tables, kernel, batch, codes, tally);
      tally.addStatuses(columns, start, rows, codes, only);
    }
    if (reason) markReason(tables, kernel, batch, codes, reason.code, reason.rows.subarray(start));
    yield { from: start, rows, codes };
  }
}

function countedRows({ intervals }: BookTables): number {
  const maxReasons = Math.max(1, ...intervals.flatMap(({ types }) => types.map(({ reasons }) => reasons.length)));
  return Math.min(COUNTED_ROWS_A_CHUNK, Math.ceil(COUNTED_BYTES_A_CHUNK / maxReasons));
}

interface Evaluator {
  readonly kernel: Kernel;
  readonly inputColumns: InputColumns;
}
const kernels = new WeakMap<BookTables['image'], Kernel>();
const evaluators = new WeakMap<BookTables, Evaluator>();

/** Created on first use. Its buffers are free between two chunks. */
function evaluatorOf(tables: BookTables, vocabulary: Vocabulary): Evaluator {
  const cached = evaluators.get(tables);
  if (cached) return cached;
  // Tables for several decision times share an image.
  const kernel = kernels.get(tables.image) ?? createKernel(tables.image);
  kernels.set(tables.image, kernel);
  const evaluator = { kernel, inputColumns: createInputColumns(tables, vocabulary) };
  evaluators.set(tables, evaluator);
  return evaluator;
}

function intervalsOf(
  tables: BookTables,
  columns: BookColumns,
  start: number,
  rows: number,
  only: Uint8Array | undefined,
): Uint16Array {
  const { moments, county } = columns;
  const dates = moments ? moments.all.map(({ effectiveDate }) => effectiveDate) : [tables.effectiveDate];
  const ofDate = dates.map((date) => intervalOn(tables, date));
  const intervals = new Uint16Array(rows);
  if (only) for (let row = 0; row < rows; row++) if (only[start + row] === 0) intervals[row] = NO_INTERVAL;
  for (let index = 0; index < rows; index++) {
    // A row without a county in its state is not offered anything on any date.
    if (county[start + index] === -1 || intervals[index] === NO_INTERVAL) continue;
    const place = moments?.ofRow?.[start + index] ?? 0;
    intervals[index] = ofDate[place]!;
    if (ofDate[place]! >= 0) continue;
    const [first, last] = [tables.intervals[0]!.from, tables.intervals.at(-1)!.until];
    throw new RangeError(
      `A row is effective on ${dates[place]}; the tables are for dates from ${first} to before ${last}.`,
    );
  }
  return intervals;
}

/** Marks carriers that need the host, and settles those that tables leave open. */
function settleOpen(
  { intervals, carrierCount }: BookTables,
  batch: KernelBatch,
  codes: Uint8Array,
  codesOf: (row: number) => Uint8Array | undefined,
): void {
  if (intervals.every(({ types }) => types.every((type) => type.notEvaluated.length + type.openJointly.length === 0)))
    return;
  for (let row = 0; row < batch.rows; row++) {
    if (batch.intervals[row] === NO_INTERVAL) continue;
    const { notEvaluated, openJointly } = intervals[batch.intervals[row]!]!.types[batch.policyTypes[row]!]!;
    const own = codes.subarray(row * carrierCount, (row + 1) * carrierCount);
    for (const carrier of notEvaluated) if (own[carrier] === OPEN) own[carrier] = NOT_JUDGED;
    if (!openJointly.some((carrier) => own[carrier] === OPEN)) continue;
    const settled = codesOf(row);
    if (settled) for (const carrier of openJointly) own[carrier] = settled[carrier]!;
  }
}
