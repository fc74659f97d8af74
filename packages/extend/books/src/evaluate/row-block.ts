/** Rows encoded at a time: few enough that what is written is still in the cache when it is read. */
export const ROWS_A_BLOCK = 256;
