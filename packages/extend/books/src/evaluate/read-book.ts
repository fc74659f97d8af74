import type { Vocabulary } from '@leeward/engine';
import { NOT_JUDGED } from '@leeward/engine/compiled';
import { type BookColumns, expectColumnsOf } from '../columns/book-columns.ts';
import type { BookTables } from '../planes/book-tables.ts';
import { MAX_COUNTED } from '../tally/reason-counter.ts';
import type { BookTally } from '../tally/tally.ts';
import { GroupEvaluator } from './group-evaluator.ts';

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
  /** Counts statuses and reasons of the rows. @default none */
  readonly tally?: BookTally;
}

const ROWS_A_CHUNK = Math.min(4096, MAX_COUNTED);

/**
 * Evaluates rows of columns, chunk by chunk, in constant memory.
 *
 * @throws {RangeError} if the columns were made for another vocabulary.
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
  { from = 0, to = columns.rows, tally }: ReadBookOptions = {},
): Generator<BookChunk> {
  expectColumnsOf(columns, vocabulary);
  const { carrierCount } = tables;
  const evaluatorsOf = groupEvaluators(tables, vocabulary);
  const codes = new Uint8Array(ROWS_A_CHUNK * carrierCount);
  const order = new Int32Array(ROWS_A_CHUNK);
  const ends = new Int32Array(tables.byPolicyType.length);
  for (let start = from; start < to; start += ROWS_A_CHUNK) {
    const rows = Math.min(ROWS_A_CHUNK, to - start);
    codes.fill(0, 0, rows * carrierCount);
    // Grouped by policy type, so that the tables of one type stay in the cache.
    orderByType(columns.policyType, start, rows, order, ends);
    tables.byPolicyType.forEach(({ notEvaluated }, policyType) => {
      const first = policyType === 0 ? 0 : ends[policyType - 1]!;
      const ofType = order.subarray(first, ends[policyType]);
      if (ofType.length === 0) return;
      for (const group of evaluatorsOf(policyType)) group.evaluate(columns, ofType, start, codes, tally);
      for (const { carrier, states } of notEvaluated) {
        for (const row of ofType) {
          const isOffered = columns.county[row] !== -1 && states.has(columns.state[row]!);
          if (isOffered) codes[(row - start) * carrierCount + carrier] = NOT_JUDGED;
        }
      }
    });
    tally?.addStatuses(columns, start, rows, codes);
    yield { from: start, rows, codes };
  }
}

type EvaluatorsOfType = (policyType: number) => readonly GroupEvaluator[];

const byTables = new WeakMap<BookTables, EvaluatorsOfType>();

/** Evaluators of tables, created on first use. Their buffers are free between two chunks. */
function groupEvaluators(tables: BookTables, vocabulary: Vocabulary): EvaluatorsOfType {
  const cached = byTables.get(tables);
  if (cached) return cached;
  const evaluators: (readonly GroupEvaluator[])[] = [];
  const evaluatorsOf: EvaluatorsOfType = (policyType) => {
    evaluators[policyType] ??= tables.byPolicyType[policyType]!.groups.map(
      (group) => new GroupEvaluator(group, tables, vocabulary),
    );
    return evaluators[policyType];
  };
  byTables.set(tables, evaluatorsOf);
  return evaluatorsOf;
}

/** Orders rows by policy type. Rows of type t end before `ends[t]`. */
function orderByType(types: Uint8Array, start: number, rows: number, order: Int32Array, ends: Int32Array): void {
  ends.fill(0);
  for (let row = start; row < start + rows; row++) if (types[row]! < ends.length) ends[types[row]!]!++;
  let sum = 0;
  for (let type = 0; type < ends.length; type++) {
    const count = ends[type]!;
    ends[type] = sum;
    sum += count;
  }
  // Each end moves from the first row of its type to the last.
  for (let row = start; row < start + rows; row++) {
    const type = types[row]!;
    if (type < ends.length) order[ends[type]!++] = row;
  }
}
