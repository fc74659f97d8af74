import type { Vocabulary } from '@leeward/engine';
import type { BookColumns } from '../columns/book-columns.ts';
import type { BookGroup } from '../planes/book-tables.ts';
import { combinePlanes } from '../planes/combine-planes.ts';
import { createEncodedRows, ROWS_A_BLOCK } from '../planes/encoded-rows.ts';
import { createPlaneReader, type PlaneReader } from '../planes/plane-reader.ts';
import { settleBits } from '../planes/read-planes.ts';
import type { ReasonTable } from '../planes/reason-table.ts';
import { countPlace, countReasons, createDeclinedRows, MORATORIUM } from '../tally/count-reasons.ts';
import type { ReasonCounter } from '../tally/reason-counter.ts';
import { createAxisEncoders } from './axis-encoder.ts';
import { createOpenSettler, type OpenSettler } from './open-settler.ts';
import { createPlaceEncoder } from './place-encoder.ts';

/** Reads rows of columns through one table, block by block, without an object or a string a row. */
export interface ColumnReader {
  readonly reader: PlaneReader;
  /** Encodes up to `ROWS_A_BLOCK` rows: `rows[from]` and on. */
  encode(columns: BookColumns, rows: Int32Array, from: number, count: number): void;
  /** Judges row `row` of the columns, which is row `index` of the block; the verdicts are in `reader.bits`. False where no carrier writes in the state. */
  judge(columns: BookColumns, row: number, index: number): boolean;
  /** Counts who declines the rows of the block, once they are judged, and for which code. */
  countReasons(count: number, reasons: ReasonTable, counter: ReasonCounter): void;
}

export function createColumnReader(group: BookGroup, vocabulary: Vocabulary, asOfMs: number): ColumnReader {
  const { table } = group;
  const reader = createPlaneReader(table);
  const { bits } = reader;
  const { width, axes } = table;
  const axisCount = axes.length + 1;
  const block = createEncodedRows(ROWS_A_BLOCK, axisCount);
  const { offsets, loose, looseCount } = block;
  const widthOf = () => width;
  const encoders = createAxisEncoders(table, vocabulary, widthOf);
  let settler: OpenSettler | undefined;
  const places = createPlaceEncoder(table, asOfMs, block, width);
  const { stateNumbers, byState, hasMoratoria, eachMoratorium } = places;
  const declined = createDeclinedRows();

  /** What is certain of an axis that is not settled stands in the row behind. */
  const shiftLoose = (count: number, by: number) => {
    for (let index = 0; index < count; index++) {
      const from = index * axisCount;
      const end = from + looseCount[index]!;
      for (let each = from; each < end; each++) offsets[from + loose[each]!]! += by;
    }
  };

  return {
    reader,
    encode(columns, rows, from, count) {
      places.encode(columns, rows, from, count);
      // Field by field, so that each loop does one thing.
      for (const encode of encoders) encode(block, columns, rows, from, count);
    },
    judge(columns, row, index) {
      const number = stateNumbers[index]!;
      if (number < 0) {
        declined.low[index] = 0;
        declined.high[index] = 0;
        return false;
      }
      const state = byState[number]!;
      combinePlanes(reader, block, index, state);
      if (hasMoratoria) {
        eachMoratorium(index, (word, bit, isCertain) => {
          bits[word]! |= bit;
          if (isCertain) bits[4 + word]! |= bit;
        });
      }
      settleBits(reader, state);
      if ((bits[6]! | bits[7]!) !== 0) {
        settler ??= createOpenSettler({ table, boxes: group.boxes, vocabulary, asOfMs, block, widthOf });
        if (settler.settle(columns, row, index, bits[6]!, bits[7]!, bits[8]!, bits[9]!)) {
          settler.settled.forEach((settled, word) => {
            bits[word]! |= settled;
            bits[6 + (word & 1)]! &= ~settled;
          });
        }
      }
      declined.low[index] = bits[0]!;
      declined.high[index] = bits[1]!;
      return true;
    },
    countReasons(count, reasons, counter) {
      shiftLoose(count, width);
      let rows = 0;
      for (let index = 0; index < count; index++) {
        const low = declined.low[index]!;
        const high = declined.high[index]!;
        if ((low | high) === 0) continue;
        const from = index * axisCount;
        const state = byState[stateNumbers[index]!]!;
        if (countPlace(reasons, offsets[from]!, state, low, high, counter, declined, rows)) {
          declined.from[rows] = from;
          rows++;
        }
        if (!hasMoratoria) continue;
        const stopped = [0, 0];
        eachMoratorium(index, (word, bit, isCertain) => {
          if (isCertain) stopped[word]! |= bit;
        });
        counter.add(MORATORIUM, stopped[0]! & state.offeredLow, stopped[1]! & state.offeredHigh);
      }
      countReasons(reasons, offsets, declined, rows, counter);
      shiftLoose(count, -width);
    },
  };
}
