import { states } from '@leeward/places/counties';
import { has, intersects, isWithinSet } from '../compiled/cell-set.ts';
import { combinePlanes } from '../planes/combine-planes.ts';
import { createEncodedRows, createPlaneReader, type PlaneReader } from '../planes/plane-reader.ts';
import type { PlacePlanes, PlaneTable } from '../planes/plane-table.ts';
import { settleBits } from '../planes/read-planes.ts';
import type { ReasonTable } from '../planes/reason-table.ts';
import type { StatePlanes } from '../planes/row-layout.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { createAxisEncoders } from './axis-encoder.ts';
import type { BookColumns } from './columns.ts';
import { countPlace, countReasons, createDeclinedRows, MORATORIUM } from './count-reasons.ts';
import type { ReasonCounter } from './reason-counter.ts';
import { ROWS_A_BLOCK } from './row-block.ts';

/** FIPS codes are below this. */
const FIPS_LIMIT = 80_000;

/** Reads rows of columns through one table, block by block, without an object or a string a row. */
export interface ColumnReader {
  readonly reader: PlaneReader;
  /** Encodes up to `ROWS_A_BLOCK` rows: `rows[from]` and on. */
  encode(columns: BookColumns, rows: Int32Array, from: number, count: number): void;
  /** Judges a row of the block; the verdicts are in `reader.bits`. False where no carrier writes in the state. */
  judge(index: number): boolean;
  /** Counts who declines the rows of the block, once they are judged, and for which code. */
  countReasons(count: number, reasons: ReasonTable, counter: ReasonCounter): void;
}

/** By FIPS code, the cell of a county that some rule names; -1 of all others. */
export function cellsByFips({ cellByCounty }: PlacePlanes): Int16Array {
  const cells = new Int16Array(FIPS_LIMIT).fill(-1);
  for (const [county, cell] of cellByCounty) cells[Number(county)] = cell;
  return cells;
}

export function createColumnReader(table: PlaneTable, vocabulary: Vocabulary, asOfMs: number): ColumnReader {
  const reader = createPlaneReader(table, vocabulary);
  const { bits } = reader;
  const { width, axes, place } = table;
  const axisCount = axes.length + 1;
  const block = createEncodedRows(ROWS_A_BLOCK, axisCount);
  const { offsets, loose, looseCount } = block;
  const encoders = createAxisEncoders(reader, vocabulary);
  const byState: (StatePlanes | undefined)[] = states.map((state) => place.states.get(state.code));
  const cellByFips = cellsByFips(place);
  const moratoria = table.moratoria.filter(({ fromMs, untilMs }) => fromMs <= asOfMs && asOfMs < untilMs);
  const declined = createDeclinedRows();
  /** The state of each row of the block; -1 where there is nothing to judge. */
  const stateNumbers = new Int16Array(ROWS_A_BLOCK);

  const encodePlaces = (columns: BookColumns, rows: Int32Array, from: number, count: number) => {
    for (let index = 0; index < count; index++) {
      const row = rows[from + index]!;
      const county = columns.county[row]!;
      const state = byState[columns.state[row]!];
      const at = index * axisCount;
      looseCount[index] = 0;
      stateNumbers[index] = state === undefined || county === -1 ? -1 : columns.state[row]!;
      if (state === undefined) continue;
      if (county > 0) {
        const named = cellByFips[county]!;
        offsets[at] = (named >= 0 ? named : state.otherCell) * width;
        continue;
      }
      // Of a name that means several counties no more is taken than that it is in the state: sound, and rare.
      offsets[at] = state.unknownRow * width;
      loose[at] = 0;
      looseCount[index] = 1;
    }
  };

  const isPlaced = (index: number) => looseCount[index] === 0 || loose[index * axisCount] !== 0;

  /** Calls back with the carriers that stop, for certain or only perhaps. */
  const eachMoratorium = (index: number, visit: (word: number, bit: number, isCertain: boolean) => void) => {
    const cell = isPlaced(index) ? offsets[index * axisCount]! / width : -1;
    const { code } = states[stateNumbers[index]!]!;
    for (const { carrier, cells: stopped, cellsOfState } of moratoria) {
      const open = cellsOfState.get(code)!;
      if (cell >= 0 ? !has(stopped, cell) : !intersects(open, stopped)) continue;
      visit(carrier >> 5, 1 << (carrier & 31), cell >= 0 || isWithinSet(open, stopped));
    }
  };

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
      encodePlaces(columns, rows, from, count);
      // Field by field, so that each loop does one thing.
      for (const encode of encoders) encode(block, columns, rows, from, count);
    },
    judge(index) {
      const number = stateNumbers[index]!;
      if (number < 0) {
        declined.low[index] = 0;
        declined.high[index] = 0;
        return false;
      }
      const state = byState[number]!;
      combinePlanes(reader, block, index, state);
      if (moratoria.length > 0) {
        eachMoratorium(index, (word, bit, isCertain) => {
          bits[word]! |= bit;
          if (isCertain) bits[4 + word]! |= bit;
        });
      }
      settleBits(reader, state);
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
        if (moratoria.length === 0) continue;
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
