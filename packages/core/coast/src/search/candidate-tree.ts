import type { EarthLines } from '../shoreline/earth-lines.ts';
import { accepts, type LayerSelection } from '../shoreline/layer-selection.ts';
import { SUPERSEDED_CLASS } from '../shoreline/shoreline.ts';

/**
 * The quadtree of candidates: for each cell the segments that can be nearest to any of its points. `CandidateTileBuilder` builds it.
 *
 * `table` has an entry for each cell of one degree, `pool` the rest. An entry is one of
 *
 * - 0: not built
 * - below 2^29: the offset of a block in the pool, 16 entries in four rows of four from the south-west
 * - 2^29 + number: an open cell of a growing tree (see `GrowingTiles`), never written to a file
 * - 2^30: too many candidates, the tree of runs answers
 * - above 2^30: 2^30 + the offset of a leaf, a list of items `first vertex << 6 | (segments − 1) << 1 | last`
 * - negative: the only item of a leaf, without its last bit and with the sign set
 *
 * A block precedes its children, so that a descent touches few pages of memory. Tiles are appended whole and never changed.
 */
/** From 180° W and 90° S. */
export const TABLE_COLUMNS = 360;
export const TABLE_ROWS = 180;

/** Divisions by 4 × 4. The smallest cell is 1/4096° wide, 27 m. */
export const MAX_LEVEL = 6;
export const FINEST_CELLS_PER_DEGREE = 4 ** MAX_LEVEL;

export const NOT_BUILT = 0;
export const LEAF = 1 << 30;
export const ASK_TREE = 1 << 30;

export const OPEN = 1 << 29;

/** In segments. */
export const MAX_ITEM_LENGTH = 32;
/** With more, the tree of runs answers. */
export const MAX_IN_DEEPEST_LEAF = 256;
/** In segments: scanning a gap is cheaper than another item. */
export const MAX_GAP = 2;
export const MAX_LIST_LENGTH = MAX_IN_DEEPEST_LEAF * (1 + MAX_GAP);

export class CandidateTree {
  readonly table: Int32Array;
  pool: Int32Array;
  length: number;

  constructor(table: Int32Array = new Int32Array(TABLE_COLUMNS * TABLE_ROWS), pool: Int32Array = new Int32Array(1)) {
    this.table = table;
    this.pool = pool;
    this.length = pool.length;
  }

  /** @returns the offset of the first reserved number. */
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

export function packItem(start: number, segments: number, last: boolean): number {
  return (start << 6) | ((segments - 1) << 1) | (last ? 1 : 0);
}

export function entryOfItem(item: number): number {
  return (item >>> 1) | (1 << 31);
}

/** Appends candidates, in ascending order, as a leaf. @returns its entry. */
export function appendLeaf(
  { layers, classes }: EarthLines,
  selection: LayerSelection,
  list: Int32Array,
  from: number,
  length: number,
  into: CandidateTree,
): number {
  const offset = into.length;
  for (let item = 0; item < length; ) {
    const start = list[from + item++]!;
    let end = start + 1;
    for (; item < length; item++) {
      const next = list[from + item]!;
      if (next - end > MAX_GAP || next + 1 - start > MAX_ITEM_LENGTH) break;
      let canJoin = true;
      for (let gap = end; gap < next; gap++) {
        canJoin &&= accepts(selection, layers[gap]!) && classes[gap] !== SUPERSEDED_CLASS;
      }
      if (!canJoin) break;
      end = next + 1;
    }
    const packed = packItem(start, end - start, item === length);
    if (item === length && into.length === offset) return entryOfItem(packed);
    const at = into.extend(1);
    into.pool[at] = packed;
  }
  return LEAF + offset;
}
