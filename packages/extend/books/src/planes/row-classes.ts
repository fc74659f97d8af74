import type { PlaneTable } from './plane-table.ts';

/** Rows of an axis that some words of them do not tell apart. */
export interface RowClasses {
  /** By row of the axis. */
  readonly ofRow: Int32Array;
  /** A row of each, by its number in the table. */
  readonly samples: readonly number[];
}

/** The rows of a table where properties can stand, by axis: the place is axis 0. */
export interface TableRows {
  /** Where the rows of each axis begin; behind the last, how many there are. */
  readonly starts: readonly number[];
  /**
   * By row, the row of what is certain where that one says what is possible: itself of a known cell; −1 where nobody stands.
   */
  readonly certain: Int32Array;
  /** The classes of an axis by some words of its rows, each low and high. */
  classesOf(axis: number, words: readonly number[]): RowClasses;
}

export function tableRowsOf(table: PlaneTable): TableRows {
  const { rows, width, axes } = table;
  const rowCount = rows.length / width;
  const starts = [0, ...axes.map(({ firstRow }) => firstRow), rowCount];
  const certain = certainRows(table, rowCount);
  const areSame = (a: number, b: number, words: readonly number[]): boolean => {
    for (const word of words)
      if (
        rows[a * width + word] !== rows[b * width + word] ||
        rows[a * width + word + 1] !== rows[b * width + word + 1]
      )
        return false;
    return true;
  };
  const hashOf = (row: number, words: readonly number[], before: number): number => {
    let hash = before;
    for (const word of words) {
      hash = Math.imul(hash ^ rows[row * width + word]!, 0x85_eb_ca_6b);
      hash = Math.imul((hash ^ (hash >>> 15)) + rows[row * width + word + 1]!, 0xc2_b2_ae_35);
    }
    return hash;
  };
  const found = new Map<string, RowClasses>();
  return {
    starts,
    certain,
    classesOf(axis, words) {
      const key = `${axis}: ${words.join()}`;
      const known = found.get(key) ?? findClasses(axis, words);
      found.set(key, known);
      return known;
    },
  };

  function findClasses(axis: number, words: readonly number[]): RowClasses {
    const first = starts[axis]!;
    const ofRow = new Int32Array(starts[axis + 1]! - first);
    const samples: number[] = [];
    const known = new Map<number, number>();
    for (let index = 0; index < ofRow.length; index++) {
      const row = first + index;
      const behind = certain[row]!;
      if (behind < 0) continue;
      let hash = hashOf(behind, words, hashOf(row, words, 0));
      let found = known.get(hash);
      while (found !== undefined) {
        const sample = samples[found]!;
        if (areSame(row, sample, words) && areSame(behind, certain[sample]!, words)) break;
        hash = (hash + 1) | 0;
        found = known.get(hash);
      }
      if (found === undefined) {
        found = samples.push(row) - 1;
        known.set(hash, found);
      }
      ofRow[index] = found;
    }
    return { ofRow, samples };
  }
}

function certainRows({ place, axes }: PlaneTable, rowCount: number): Int32Array {
  const certain = new Int32Array(rowCount).fill(-1);
  const addCells = (from: number, to: number) => {
    for (let row = from; row < to; row++) certain[row] = row;
  };
  const addOpen = (from: number, count: number) => {
    for (let row = from; row < from + 2 * count; row += 2) certain[row] = row + 1;
  };
  const states = [...place.states.values()];
  addCells(0, Math.min(rowCount, ...states.map(({ unknownRow }) => unknownRow)));
  for (const { unknownRow } of states) addOpen(unknownRow, 1);
  for (const { firstRow, size, fromRow, upToRow } of axes) {
    addOpen(firstRow, 1);
    addCells(firstRow + 2, firstRow + 2 + size);
    for (const bounds of [fromRow, upToRow]) if (bounds >= 0) addOpen(bounds, size);
  }
  return certain;
}
