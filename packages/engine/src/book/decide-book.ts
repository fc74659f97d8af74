import type { StatusTables } from '../catalog/status-tables.ts';
import type { PlaneTable } from '../planes/plane-table.ts';
import { writeStatuses } from '../planes/read-planes.ts';
import type { ReasonTable } from '../planes/reason-table.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type ColumnReader, createColumnReader } from './column-reader.ts';
import type { BookColumns } from './columns.ts';
import { RULE_CODES } from './count-reasons.ts';
import { createReasonCounter, MOST_COUNTED, type ReasonCounter } from './reason-counter.ts';
import { ROWS_A_BLOCK } from './row-block.ts';
import type { BookTally } from './tally.ts';

/** The tables of a catalog at one effective date, as plain data: what a worker thread is sent. */
export interface BookTables {
  readonly carrierCount: number;
  readonly asOfMs: number;
  /** By place in the vocabulary's policy types. */
  readonly byPolicyType: readonly BookTypeTables[];
}

export interface BookTypeTables {
  readonly groups: readonly BookGroup[];
}

export interface BookGroup {
  readonly table: PlaneTable;
  /** Place of each carrier of the table in the catalog. */
  readonly carriers: Int32Array;
  /** Why they decline, for counting. */
  readonly reasons: ReasonTable;
}

/** Status codes of some consecutive rows. The buffer is used again for the next chunk. */
export interface BookChunk {
  readonly from: number;
  readonly rows: number;
  /** `codes[i × carrierCount + c]`: an index into `STATUS_CODES` for row `from + i` and carrier c. */
  readonly codes: Uint8Array;
}

export interface ReadBookOptions {
  /** First row, and the first row after the last. */
  readonly from?: number;
  readonly to?: number;
  /** Counts by carrier, state, policy type and reason, added up as rows are read. */
  readonly tally?: BookTally;
}

/** No more than a counter of reasons holds. */
const ROWS_A_CHUNK = Math.min(4096, MOST_COUNTED);

/** The tables of every policy type, for a book judged at one date. */
export function bookTables(carrierCount: number, asOfMs: number, tables: readonly StatusTables[]): BookTables {
  return {
    carrierCount,
    asOfMs,
    byPolicyType: tables.map(({ groups }) => ({
      groups: groups.map(({ reader, carriers, reasons }) => ({
        table: reader.table,
        carriers: Int32Array.from(carriers, (each) => each.carrier),
        // Laid out when first read, by a tally or for a thread.
        get reasons() {
          return reasons();
        },
      })),
    })),
  };
}

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
  const { carrierCount } = tables;
  const readers = tables.byPolicyType.map(({ groups }) =>
    groups.map((group): GroupReader => {
      const { table, carriers } = group;
      return {
        column: createColumnReader(table, vocabulary, tables.asOfMs),
        carriers,
        carrierCount,
        inOrder: carriers.length === carrierCount && carriers.every((carrier, index) => carrier === index),
        scratch: new Uint8Array(table.carrierCount),
        ...(tally
          ? {
              reasons: group.reasons,
              counter: createReasonCounter(RULE_CODES + group.reasons.codes.length, table.carrierCount),
            }
          : {}),
      };
    }),
  );
  const codes = new Uint8Array(ROWS_A_CHUNK * carrierCount);
  const order = new Int32Array(ROWS_A_CHUNK);
  const ends = new Int32Array(readers.length);
  for (let start = from; start < to; start += ROWS_A_CHUNK) {
    const rows = Math.min(ROWS_A_CHUNK, to - start);
    codes.fill(0, 0, rows * carrierCount);
    // Rows of one policy type after another, so that one table at a time stays in the cache.
    orderByType(columns.policyType, start, rows, order, ends);
    readers.forEach((groups, policyType) => {
      const first = policyType === 0 ? 0 : ends[policyType - 1]!;
      for (const group of groups)
        readRows(group, columns, order.subarray(first, ends[policyType]), start, codes, tally);
    });
    tally?.addStatuses(columns, start, rows, codes);
    yield { from: start, rows, codes };
  }
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

interface GroupReader {
  readonly column: ColumnReader;
  readonly carriers: Int32Array;
  /** Of the catalog. */
  readonly carrierCount: number;
  readonly inOrder: boolean;
  readonly scratch: Uint8Array;
  /** Where reasons are counted. */
  readonly reasons?: ReasonTable;
  readonly counter?: ReasonCounter;
}

/** Judges rows through one group of carriers; their codes stand in `codes` from row `start` on. */
function readRows(
  { column, carriers, carrierCount, inOrder, scratch, reasons, counter }: GroupReader,
  columns: BookColumns,
  rows: Int32Array,
  start: number,
  codes: Uint8Array,
  tally: BookTally | undefined,
): void {
  const { reader } = column;
  for (let from = 0; from < rows.length; from += ROWS_A_BLOCK) {
    const count = Math.min(ROWS_A_BLOCK, rows.length - from);
    column.encode(columns, rows, from, count);
    for (let index = 0; index < count; index++) {
      if (!column.judge(index)) continue;
      if (reasons && counter) column.countReasons(index, reasons, counter);
      const at = (rows[from + index]! - start) * carrierCount;
      if (inOrder) writeStatuses(reader, codes, at);
      else {
        writeStatuses(reader, scratch, 0);
        for (let each = 0; each < carriers.length; each++) codes[at + carriers[each]!] = scratch[each]!;
      }
    }
  }
  if (reasons && counter) tally?.addReasons(reasons.codes, carriers, counter);
}
