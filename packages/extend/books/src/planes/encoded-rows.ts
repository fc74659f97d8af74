/** Rows encoded at a time: few enough that what is written is still in the cache when it is read. */
export const ROWS_A_BLOCK = 256;

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
