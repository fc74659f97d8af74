/** Rows encoded at a time; the output stays in the cache. */
export const ROWS_A_BLOCK = 256;

/** Homes as rows of a table's axes: for each home, one number per axis. */
export interface EncodedRows {
  /** For each axis, the place first: the number of its row times the axis's width. */
  readonly offsets: Int32Array;
  /** Axes whose cell is unknown. Their row has the possible outcomes; the next row has the certain ones. */
  readonly loose: Int32Array;
  readonly looseCount: Int32Array;
}

export function createEncodedRows(homes: number, axisCount: number): EncodedRows {
  return {
    offsets: new Int32Array(homes * axisCount),
    loose: new Int32Array(homes * axisCount),
    looseCount: new Int32Array(homes),
  };
}
