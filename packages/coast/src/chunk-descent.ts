import { ASK_TREE, type CandidateTree, LEAF, SMALLEST_CELLS_PER_DEGREE, TABLE_COLUMNS } from './candidate-tree.ts';

const NORTHERNMOST = 180 * SMALLEST_CELLS_PER_DEGREE - 1;
const EASTERN_EDGE = TABLE_COLUMNS * SMALLEST_CELLS_PER_DEGREE;

/** As `findEntry` for many points, level by level: the loads of a level do not wait for each other. */
export function findEntries(
  tree: CandidateTree,
  latitudes: Float64Array,
  longitudes: Float64Array,
  from: number,
  count: number,
  entries: Int32Array,
): void {
  const { table, pool } = tree;
  let open = 0;
  for (let index = 0; index < count; index++) {
    const entry =
      table[(rowOf(latitudes[from + index]!) >> 12) * TABLE_COLUMNS + (columnOf(longitudes[from + index]!) >> 12)]!;
    entries[index] = entry;
    if (entry > 0 && entry < LEAF) open++;
  }
  for (let shift = 10; open > 0 && shift >= 0; shift -= 2) {
    open = 0;
    for (let index = 0; index < count; index++) {
      const entry = entries[index]!;
      if (entry <= 0 || entry >= LEAF) continue;
      const row = (rowOf(latitudes[from + index]!) >> shift) & 3;
      const column = (columnOf(longitudes[from + index]!) >> shift) & 3;
      entries[index] = pool[entry + ((row << 2) | column)]!;
      open++;
    }
  }
}

/** Reads a number of each cache line of the shore that some entries lead to; `sum` takes them, lest they be optimized away. */
export function touchCandidates(
  pool: Int32Array,
  vertices: Int32Array,
  entries: Int32Array,
  count: number,
  sum: Int32Array,
): void {
  let all = 0;
  for (let index = 0; index < count; index++) {
    const entry = entries[index]!;
    if (entry > LEAF) all |= pool[entry - LEAF]!;
  }
  for (let index = 0; index < count; index++) {
    const entry = entries[index]!;
    if (entry >= 0 && entry <= ASK_TREE) continue;
    let next = entry - LEAF;
    let item = entry < 0 ? (entry << 1) | 1 : pool[next++]!;
    for (;;) {
      const start = (item >>> 6) * 3;
      const end = start + ((item >> 1) & 31) * 3 + 5;
      for (let at = start; at < end; at += 15) all |= vertices[at]!;
      all |= vertices[end]!;
      if ((item & 1) === 1) break;
      item = pool[next++]!;
    }
  }
  sum[0] = all;
}

function rowOf(latitude: number): number {
  const row = ((latitude + 90) * SMALLEST_CELLS_PER_DEGREE) | 0;
  return row > NORTHERNMOST ? NORTHERNMOST : row;
}

function columnOf(longitude: number): number {
  const column = ((longitude + 180) * SMALLEST_CELLS_PER_DEGREE) | 0;
  return column >= EASTERN_EDGE ? column - EASTERN_EDGE : column;
}
