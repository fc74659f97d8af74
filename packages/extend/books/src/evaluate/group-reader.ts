import type { Vocabulary } from '@leeward/engine';
import type { BookColumns } from '../columns/book-columns.ts';
import type { BookGroup, BookTables } from '../planes/book-tables.ts';
import { ROWS_A_BLOCK } from '../planes/encoded-rows.ts';
import { writeStatuses } from '../planes/read-planes.ts';
import { RULE_CODES } from '../tally/count-reasons.ts';
import { createReasonCounter, type ReasonCounter } from '../tally/reason-counter.ts';
import type { BookTally } from '../tally/tally.ts';
import { type BlockJudge, createBlockJudge } from './block-judge.ts';
import { type ColumnReader, createColumnReader } from './column-reader.ts';
import { createLoneCarrier, SEARCHED } from './lone-carrier.ts';

/** Reads rows of one policy type through one group of carriers. */
export interface GroupReader {
  /** Judges `rows`; their codes stand in `codes` from row `start` on. No more rows than a counter holds. */
  read(columns: BookColumns, rows: Int32Array, start: number, codes: Uint8Array, tally: BookTally | undefined): void;
}

export function createGroupReader(
  group: BookGroup,
  { carrierCount, asOfMs }: BookTables,
  vocabulary: Vocabulary,
): GroupReader {
  const { table, carriers } = group;
  const inOrder = carriers.length === carrierCount && carriers.every((carrier, index) => carrier === index);
  const lone = createLoneCarrier(group, vocabulary, asOfMs);
  let alone = new Uint8Array(0);
  // Of two ways to judge a book takes one.
  let judge: BlockJudge | undefined;
  let column: ColumnReader | undefined;
  let counter: ReasonCounter | undefined;
  const starts = new Int32Array(ROWS_A_BLOCK);
  /** Codes of a block, where the catalog has the carriers in another order, or others between them. */
  const scratch = new Uint8Array(inOrder ? 0 : ROWS_A_BLOCK * carriers.length);

  /** Judges with nothing counted. */
  const judgeBlocks = (columns: BookColumns, rows: Int32Array, start: number, codes: Uint8Array) => {
    judge ??= createBlockJudge(group, vocabulary, asOfMs);
    const into = inOrder ? codes : scratch;
    const view = new DataView(into.buffer, into.byteOffset, into.byteLength);
    for (let from = 0; from < rows.length; from += ROWS_A_BLOCK) {
      const count = Math.min(ROWS_A_BLOCK, rows.length - from);
      for (let index = 0; index < count; index++)
        starts[index] = inOrder ? (rows[from + index]! - start) * carrierCount : index * carriers.length;
      scratch.fill(0);
      judge.judge(columns, rows, from, count, view, starts);
      if (inOrder) continue;
      for (let index = 0; index < count; index++)
        spreadCodes(index, (rows[from + index]! - start) * carrierCount, codes);
    }
  };
  /** Puts the codes of a row of `scratch` where the catalog has their carriers. */
  const spreadCodes = (index: number, at: number, codes: Uint8Array) => {
    const from = index * carriers.length;
    for (let each = 0; each < carriers.length; each++) codes[at + carriers[each]!] = scratch[from + each]!;
  };

  return {
    read(columns, rows, start, codes, tally) {
      if (lone && !tally) {
        if (alone.length < rows.length) alone = new Uint8Array(rows.length);
        lone(columns, rows, alone);
        const searched: number[] = [];
        rows.forEach((row, index) => {
          if (alone[index] === SEARCHED) searched.push(row);
          else codes[(row - start) * carrierCount + carriers[0]!] = alone[index]!;
        });
        if (searched.length > 0) judgeBlocks(columns, Int32Array.from(searched), start, codes);
        return;
      }
      if (!tally) {
        judgeBlocks(columns, rows, start, codes);
        return;
      }
      const { reasons } = group;
      counter ??= createReasonCounter(RULE_CODES + reasons.codes.length, table.carrierCount);
      column ??= createColumnReader(group, vocabulary, asOfMs);
      for (let from = 0; from < rows.length; from += ROWS_A_BLOCK) {
        const count = Math.min(ROWS_A_BLOCK, rows.length - from);
        column.encode(columns, rows, from, count);
        for (let index = 0; index < count; index++) {
          const row = rows[from + index]!;
          if (!column.judge(columns, row, index)) continue;
          const at = (row - start) * carrierCount;
          if (inOrder) writeStatuses(column.reader, codes, at);
          else {
            writeStatuses(column.reader, scratch, 0);
            spreadCodes(0, at, codes);
          }
        }
        column.countReasons(count, reasons, counter);
      }
      tally.addReasons(reasons.codes, carriers, counter);
    },
  };
}
