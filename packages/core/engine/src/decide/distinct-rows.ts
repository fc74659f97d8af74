/** Rows without repetition, one behind the other, and for each cell the number of its row. */
export interface DistinctRows {
  readonly rows: Int32Array;
  readonly rowOfCell: Int32Array;
}

/** Of rows of `words` words, one a cell, keeps one of each kind. The rows given are written over. */
export function distinctRows(all: Int32Array, cells: number, words: number): DistinctRows {
  const rowOfCell = new Int32Array(cells);
  const byHash = new Map<number, number[]>();
  let count = 0;
  for (let cell = 0; cell < cells; cell++) {
    const from = cell * words;
    let hash = 0;
    for (let word = 0; word < words; word++) hash = (Math.imul(hash, 31) + all[from + word]!) | 0;
    const alike = byHash.get(hash) ?? [];
    let row = alike.find((each) => isSame(all, each * words, from, words));
    if (row === undefined) {
      row = count++;
      // Kept rows move to the front, never over one that is still to be read.
      all.copyWithin(row * words, from, from + words);
      alike.push(row);
      byHash.set(hash, alike);
    }
    rowOfCell[cell] = row;
  }
  return { rows: all.slice(0, count * words), rowOfCell };
}

function isSame(all: Int32Array, a: number, b: number, words: number): boolean {
  for (let word = 0; word < words; word++) if (all[a + word] !== all[b + word]) return false;
  return true;
}
