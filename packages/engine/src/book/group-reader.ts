import { writeStatuses } from '../planes/read-planes.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { BookGroup, BookTables } from './book-tables.ts';
import { createColumnReader } from './column-reader.ts';
import type { BookColumns } from './columns.ts';
import { RULE_CODES } from './count-reasons.ts';
import { createLoneCarrier } from './lone-carrier.ts';
import { createReasonCounter, type ReasonCounter } from './reason-counter.ts';
import { ROWS_A_BLOCK } from './row-block.ts';
import type { BookTally } from './tally.ts';

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
  const column = createColumnReader(table, vocabulary, asOfMs);
  const { reader } = column;
  const inOrder = carriers.length === carrierCount && carriers.every((carrier, index) => carrier === index);
  const scratch = new Uint8Array(table.carrierCount);
  const lone = createLoneCarrier(table, vocabulary, asOfMs);
  let alone = new Uint8Array(0);
  let counter: ReasonCounter | undefined;
  return {
    read(columns, rows, start, codes, tally) {
      if (lone && !tally) {
        if (alone.length < rows.length) alone = new Uint8Array(rows.length);
        lone(columns, rows, alone);
        rows.forEach((row, index) => {
          codes[(row - start) * carrierCount + carriers[0]!] = alone[index]!;
        });
        return;
      }
      const reasons = tally ? group.reasons : undefined;
      if (reasons) counter ??= createReasonCounter(RULE_CODES + reasons.codes.length, table.carrierCount);
      for (let from = 0; from < rows.length; from += ROWS_A_BLOCK) {
        const count = Math.min(ROWS_A_BLOCK, rows.length - from);
        column.encode(columns, rows, from, count);
        for (let index = 0; index < count; index++) {
          if (!column.judge(index)) continue;
          const at = (rows[from + index]! - start) * carrierCount;
          if (inOrder) writeStatuses(reader, codes, at);
          else {
            writeStatuses(reader, scratch, 0);
            for (let each = 0; each < carriers.length; each++) codes[at + carriers[each]!] = scratch[each]!;
          }
        }
        if (reasons) column.countReasons(count, reasons, counter!);
      }
      if (reasons) tally?.addReasons(reasons.codes, carriers, counter!);
    },
  };
}
