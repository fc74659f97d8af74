import { FRONT, type PlaneTable } from './plane-table.ts';

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
