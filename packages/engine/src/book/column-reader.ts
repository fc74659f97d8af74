import { states } from '@leeward/places/counties';
import { type CellSet, has, intersects, isWithinSet } from '../compiled/cell-set.ts';
import { combinePlanes } from '../planes/combine-planes.ts';
import type { PlaneTable, StatePlanes } from '../planes/plane-table.ts';
import { createPlaneReader, type PlaneReader, settleBits } from '../planes/read-planes.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { createAxisEncoders } from './axis-encoder.ts';
import type { BookColumns } from './columns.ts';
import { createRowBlock, ROWS_A_BLOCK } from './row-block.ts';

/** FIPS codes are below this. */
const FIPS_LIMIT = 80_000;

/** Reads rows of columns through one table, block by block, without an object or a string a row. */
export interface ColumnReader {
  readonly reader: PlaneReader;
  /** Encodes up to `ROWS_A_BLOCK` rows: `rows[from]` and on. */
  encode(columns: BookColumns, rows: Int32Array, from: number, count: number): void;
  /** Judges a row of the block; the verdicts are in `reader.bits`. False where no carrier writes in the state. */
  judge(index: number): boolean;
  /** Writes the cells of a row of the block into `reader.cells`. */
  writeCells(index: number): void;
}

export function createColumnReader(table: PlaneTable, vocabulary: Vocabulary, asOfMs: number): ColumnReader {
  const reader = createPlaneReader(table, vocabulary);
  const { bits, cells } = reader;
  const { width, axes, place } = table;
  const axisCount = axes.length + 1;
  const block = createRowBlock(axisCount);
  const { offsets, loose, looseCount } = block;
  const encoders = createAxisEncoders(reader, vocabulary);
  const byState: (StatePlanes | undefined)[] = states.map((state) => place.states.get(state.code));
  const cellByFips = new Int16Array(FIPS_LIMIT).fill(-1);
  for (const [county, cell] of place.cellByCounty) cellByFips[Number(county)] = cell;
  const moratoria = table.moratoria.filter(({ fromMs, untilMs }) => fromMs <= asOfMs && asOfMs < untilMs);
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

  const applyMoratoria = (index: number) => {
    const cell = isPlaced(index) ? offsets[index * axisCount]! / width : -1;
    for (const { carrier, cells: stopped, cellsOfState } of moratoria) {
      const word = carrier >> 5;
      const bit = 1 << (carrier & 31);
      const open: CellSet = cellsOfState.get(states[stateNumbers[index]!]!.code)!;
      if (cell >= 0 ? has(stopped, cell) : intersects(open, stopped)) bits[word]! |= bit;
      if (cell >= 0 ? has(stopped, cell) : isWithinSet(open, stopped)) bits[4 + word]! |= bit;
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
      if (number < 0) return false;
      const state = byState[number]!;
      combinePlanes(reader, block, index, state);
      if (moratoria.length > 0) applyMoratoria(index);
      settleBits(reader, state);
      return true;
    },
    writeCells(index) {
      const at = index * axisCount;
      cells[0] = offsets[at]! / width;
      for (let axis = 1; axis < axisCount; axis++) {
        cells[axis] = offsets[at + axis]! / width - axes[axis - 1]!.firstRow - 2;
      }
      for (let each = 0; each < looseCount[index]!; each++) cells[loose[at + each]!] = -1;
    },
  };
}
