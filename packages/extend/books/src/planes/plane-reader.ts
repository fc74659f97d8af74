import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { createTestCell, type TestCell } from './encoder.ts';
import { FRONT, type PlaneTable } from './plane-table.ts';
import { createRowFinder, type RowFinder } from './row-finder.ts';

/** Properties as rows of a table's axes, one after the other; as many numbers each as there are axes. */
export interface EncodedRows {
  /** First word of the row of each axis, the place first: what is possible there. */
  readonly offsets: Int32Array;
  /** Axes that are not settled: what is certain of them stands in the row behind. */
  readonly loose: Int32Array;
  /** How many they are, one number a property. */
  readonly looseCount: Int32Array;
}

/** Room for some properties. */
export function createEncodedRows(properties: number, axisCount: number): EncodedRows {
  return {
    offsets: new Int32Array(properties * axisCount),
    loose: new Int32Array(properties * axisCount),
    looseCount: new Int32Array(properties),
  };
}

/** Buffers of one reader: made once, used for every home. Not to be shared between threads. */
export interface PlaneReader {
  readonly table: PlaneTable;
  /** Of one property. Of the same shape as those of books: what reads both is compiled for one. */
  readonly encoded: EncodedRows;
  /** Axes, the place among them, whose rows decide something by themselves. */
  readonly frontAxes: Int32Array;
  readonly finder: RowFinder;
  /** For axes that are tests of their own: what finds their cell. */
  readonly testCells: readonly (TestCell | undefined)[];
  /** Scratch rows for knowledge within bounds: `rows` of the table, and two more an axis. */
  readonly rows: Int32Array;
  readonly scratchRow: number;
  /** True if the last reading used scratch rows. */
  usesScratch: boolean;
  /** Carriers as bits: ineligible, referral, eligible, needs information, possible decline; each low, high. */
  readonly bits: Int32Array;
}

export function createPlaneReader(table: PlaneTable, vocabulary: Vocabulary): PlaneReader {
  const axisCount = table.axes.length + 1;
  const scratchRow = table.rows.length / table.width;
  // Scratch rows must lie in the same array as the table's, so that the loop reads one array.
  const rows = new Int32Array(table.rows.length + 2 * axisCount * table.width);
  rows.set(table.rows);
  return {
    table,
    frontAxes: axesWithFront(table),
    encoded: createEncodedRows(1, axisCount),
    finder: createRowFinder(table),
    testCells: table.axes.map(({ encoder }) =>
      encoder.kind === 'test' ? createTestCell(encoder.leaf, vocabulary) : undefined,
    ),
    rows,
    scratchRow,
    usesScratch: false,
    bits: new Int32Array(10),
  };
}

/** The axes of which some row lets a term of that axis alone through. */
function axesWithFront({ rows, width, axes }: PlaneTable): Int32Array {
  const hasFront = (from: number, to: number) => {
    for (let row = from; row < to; row++)
      for (let word = 0; word < FRONT; word++) if (rows[row * width + word] !== 0) return true;
    return false;
  };
  const found = hasFront(0, axes[0]?.firstRow ?? rows.length / width) ? [0] : [];
  axes.forEach(({ firstRow, size }, index) => {
    // Rows of bounds hold nothing that the rows of their cells do not.
    if (hasFront(firstRow, firstRow + 2 + size)) found.push(index + 1);
  });
  return Int32Array.from(found);
}
