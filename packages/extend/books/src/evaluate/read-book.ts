import type { Vocabulary } from '@leeward/engine';
import { NOT_JUDGED } from '@leeward/engine/compiled';
import { type BookColumns, expectColumnsOf } from '../columns/book-columns.ts';
import type { BookTables } from '../planes/book-tables.ts';
import { MAX_COUNTED } from '../tally/reason-counter.ts';
import type { BookTally } from '../tally/tally.ts';
import { createGroupReader, type GroupReader } from './group-reader.ts';

/** Status codes of some consecutive rows. The buffer is used again for the next chunk. */
export interface BookChunk {
  readonly from: number;
  readonly rows: number;
  /** `codes[i × carrierCount + c]`: an index into `STATUS_CODES` for row `from + i` and carrier c. */
  readonly codes: Uint8Array;
}

/** Which rows are read, and whether they are counted. */
export interface ReadBookOptions {
  /** First row, and the first row after the last. */
  readonly from?: number;
  readonly to?: number;
  /** Counts by carrier, state, policy type and reason, added up as rows are read. */
  readonly tally?: BookTally;
}

/** No more than a counter of reasons holds. */
const ROWS_A_CHUNK = Math.min(4096, MAX_COUNTED);

/**
 * Judges rows `from` (included) to `to` (excluded) of a book, chunk by chunk. Memory beyond the columns
 * does not grow with their length.
 */
export function* readBook(
  tables: BookTables,
  columns: BookColumns,
  vocabulary: Vocabulary,
  { from = 0, to = columns.rows, tally }: ReadBookOptions = {},
): Generator<BookChunk> {
  expectColumnsOf(columns, vocabulary);
  const { carrierCount } = tables;
  const readers = readersOf(tables, vocabulary);
  const codes = new Uint8Array(ROWS_A_CHUNK * carrierCount);
  const order = new Int32Array(ROWS_A_CHUNK);
  const ends = new Int32Array(tables.byPolicyType.length);
  for (let start = from; start < to; start += ROWS_A_CHUNK) {
    const rows = Math.min(ROWS_A_CHUNK, to - start);
    codes.fill(0, 0, rows * carrierCount);
    // Rows of one policy type after another, so that one table at a time stays in the cache.
    orderByType(columns.policyType, start, rows, order, ends);
    tables.byPolicyType.forEach(({ notJudged }, policyType) => {
      const first = policyType === 0 ? 0 : ends[policyType - 1]!;
      const ofType = order.subarray(first, ends[policyType]);
      if (ofType.length === 0) return;
      for (const group of readers(policyType)) group.read(columns, ofType, start, codes, tally);
      for (const host of notJudged) {
        for (const row of ofType) {
          const isThere = columns.county[row] !== -1 && host.states.has(columns.state[row]!);
          if (isThere) codes[(row - start) * carrierCount + host.carrier] = NOT_JUDGED;
        }
      }
    });
    tally?.addStatuses(columns, start, rows, codes);
    yield { from: start, rows, codes };
  }
}

/** The readers of a policy type, by its place. */
type ReadersOfType = (policyType: number) => readonly GroupReader[];

const byTables = new WeakMap<BookTables, ReadersOfType>();

/** Made once for the tables, with the first row of a type: their buffers are free again between two chunks. */
function readersOf(tables: BookTables, vocabulary: Vocabulary): ReadersOfType {
  const known = byTables.get(tables);
  if (known) return known;
  const made: (readonly GroupReader[])[] = [];
  const readers: ReadersOfType = (policyType) => {
    made[policyType] ??= tables.byPolicyType[policyType]!.groups.map((group) =>
      createGroupReader(group, tables, vocabulary),
    );
    return made[policyType];
  };
  byTables.set(tables, readers);
  return readers;
}

/** Rows by their type: those of type t end before `ends[t]`, where those of the next begin. */
function orderByType(types: Uint8Array, start: number, rows: number, order: Int32Array, ends: Int32Array): void {
  ends.fill(0);
  for (let row = start; row < start + rows; row++) if (types[row]! < ends.length) ends[types[row]!]!++;
  let sum = 0;
  for (let type = 0; type < ends.length; type++) {
    const count = ends[type]!;
    ends[type] = sum;
    sum += count;
  }
  // Each end moves from where its rows begin to where they end.
  for (let row = start; row < start + rows; row++) {
    const type = types[row]!;
    if (type < ends.length) order[ends[type]!++] = row;
  }
}
