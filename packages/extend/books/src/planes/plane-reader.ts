import { FRONT, type PlaneTable } from './plane-table.ts';

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
  /** Axes, the place among them, whose rows decide something by themselves. */
  readonly frontAxes: Int32Array;
  /** Carriers as bits: ineligible, referral, eligible, needs information, possible decline; each low, high. */
  readonly bits: Int32Array;
}

export function createPlaneReader(table: PlaneTable): PlaneReader {
  return { table, frontAxes: axesWithFront(table), bits: new Int32Array(10) };
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
