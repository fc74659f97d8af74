/** The table has one entry for each cell of one degree, from 180° W and 90° S eastward and northward. */
export const TABLE_COLUMNS = 360;
export const TABLE_ROWS = 180;

/** Cells are divided 4 × 4 six times at most: the smallest is 1/4096° wide, 27 m. */
export const MAX_LEVEL = 6;
export const FINEST_CELLS_PER_DEGREE = 4 ** MAX_LEVEL;

/** The entry of a cell whose tile is not built. */
export const NOT_BUILT = 0;
/** Added to the offset of a leaf, to tell it from a block's. */
export const LEAF = 1 << 30;
/** The entry of a cell of too many candidates: the tree of runs answers for it. */
export const ASK_TREE = 1 << 30;

/**
 * Added to a number, the entry of a cell of a growing tree whose candidates are known and not yet divided: see `GrowingTiles`.
 * Offsets of blocks stay below it. Never written to a file.
 */
export const OPEN = 1 << 29;

/** Most segments in one item of a leaf. */
export const MAX_ITEM_LENGTH = 32;
/** A cell of the smallest size with more candidates than this asks the tree. */
export const MAX_IN_DEEPEST_LEAF = 256;
/** A leaf joins two items over a gap of as many segments: to scan one is cheaper than to begin another item. */
export const MAX_GAP = 2;
/** Most segments in all items of a leaf, gaps included. */
export const MAX_LIST_LENGTH = MAX_IN_DEEPEST_LEAF * (1 + MAX_GAP);

/**
 * A quadtree of the candidates that can be nearest to any point of a cell.
 *
 * `table` holds an entry for each cell of one degree, `pool` the rest. An entry is 0 (not built), the offset of a block in the
 * pool (below 2^29), 2^30 + the offset of a leaf, or, where the candidates are one run, negative: the item itself, without its last
 * bit and with the sign set. A block is 16 entries, four rows of four from the south-west. A leaf is a list of items, each
 * `first vertex << 6 | (segments − 1) << 1 | last`. A block stands before what hangs below it, so that a descent stays within a few
 * pages of memory. Tiles (cells of one degree) are appended whole and never changed.
 */
export class CandidateTree {
  readonly table: Int32Array;
  pool: Int32Array;
  /** How much of the pool is in use. */
  length: number;

  constructor(table: Int32Array = new Int32Array(TABLE_COLUMNS * TABLE_ROWS), pool: Int32Array = new Int32Array(1)) {
    this.table = table;
    this.pool = pool;
    this.length = pool.length;
  }

  /** Reserves numbers at the end of the pool and returns the offset of the first. */
  extend(numbers: number): number {
    const offset = this.length;
    this.length += numbers;
    if (this.length > this.pool.length) {
      const longer = new Int32Array(Math.max(1024, this.length, this.pool.length * 2));
      longer.set(this.pool);
      this.pool = longer;
    }
    return offset;
  }

  get byteLength(): number {
    return this.table.byteLength + this.length * 4;
  }
}

/** An item of a leaf, or with `last` set the whole of it. */
export function packItem(start: number, segments: number, last: boolean): number {
  return (start << 6) | ((segments - 1) << 1) | (last ? 1 : 0);
}

/** The entry that holds a single item in itself. */
export function entryOfItem(item: number): number {
  return (item >>> 1) | (1 << 31);
}
