import type { EncodedRows } from '../planes/plane-reader.ts';

/** Rows encoded at a time: few enough that what is written is still in the cache when it is read. */
export const ROWS_A_BLOCK = 256;

/** Room for the rows of a block. */
export function createRowBlock(axisCount: number): EncodedRows {
  return {
    offsets: new Int32Array(ROWS_A_BLOCK * axisCount),
    loose: new Int32Array(ROWS_A_BLOCK * axisCount),
    looseCount: new Int32Array(ROWS_A_BLOCK),
  };
}
