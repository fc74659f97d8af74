/** Distinct rows, concatenated, and the row number of each cell. */
export interface DistinctRows {
  readonly rows: Int32Array;
  readonly rowOfCell: Int32Array;
}

/**
 * Removes duplicate rows. Overwrites `all`.
 *
 * @param all one row of `words` words for each cell
 */
export function distinctRows(all: Int32Array, cells: number, words: number): DistinctRows {
  const rowOfCell = new Int32Array(cells);
  const byHash = new Map<number, number[]>();
  let count = 0;
  for (let cell = 0; cell < cells; cell++) {
    const from = cell * words;
    let hash = 0;
    for (let word = 0; word < words; word++) hash = (Math.imul(hash, 31) + all[from + word]!) | 0;
    const candidates = byHash.get(hash) ?? [];
    let row = candidates.find((each) => isSame(all, each * words, from, words));
    if (row === undefined) {
      row = count++;
      // Kept rows move to the front, never over an unread row.
      all.copyWithin(row * words, from, from + words);
      candidates.push(row);
      byHash.set(hash, candidates);
    }
    rowOfCell[cell] = row;
  }
  return { rows: all.slice(0, count * words), rowOfCell };
}

function isSame(all: Int32Array, a: number, b: number, words: number): boolean {
  for (let word = 0; word < words; word++) if (all[a + word] !== all[b + word]) return false;
  return true;
}
