import type { PlaneTable } from './plane-table.ts';
import { rangeCount } from './row-layout.ts';

/** Classes of rows of an axis that are equal in some of their words. */
export interface RowClasses {
  readonly ofRow: Int32Array;
  /** By class: one of its rows, as numbered in the table. */
  readonly samples: readonly number[];
}

/** The rows of a table, by axis. The place is axis 0. */
export interface TableRows {
  /** The first row of each axis, then the number of rows. */
  readonly starts: readonly number[];
  /** By row: the row of certain outcomes. For a known cell it is the same row; −1 for an impossible row. */
  readonly certain: Int32Array;
  /** The classes of an axis by some words of its rows. Each number stands for two words, low and high. */
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
  const byWords = new Map<string, RowClasses>();
  return {
    starts,
    certain,
    classesOf(axis, words) {
      const key = `${axis}: ${words.join()}`;
      const classes = byWords.get(key) ?? findClasses(axis, words);
      byWords.set(key, classes);
      return classes;
    },
  };

  function findClasses(axis: number, words: readonly number[]): RowClasses {
    const first = starts[axis]!;
    const ofRow = new Int32Array(starts[axis + 1]! - first);
    const samples: number[] = [];
    const byHash = new Map<number, number>();
    for (let index = 0; index < ofRow.length; index++) {
      const row = first + index;
      const behind = certain[row]!;
      if (behind < 0) continue;
      let hash = hashOf(behind, words, hashOf(row, words, 0));
      let place = byHash.get(hash);
      while (place !== undefined) {
        const sample = samples[place]!;
        if (areSame(row, sample, words) && areSame(behind, certain[sample]!, words)) break;
        hash = (hash + 1) | 0;
        place = byHash.get(hash);
      }
      if (place === undefined) {
        place = samples.push(row) - 1;
        byHash.set(hash, place);
      }
      ofRow[index] = place;
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
  for (const { firstRow, size, fromRow, upToRow, rangeRow, anyRangeRow } of axes) {
    addOpen(firstRow, 1);
    addCells(firstRow + 2, firstRow + 2 + size);
    for (const bounds of [fromRow, upToRow]) if (bounds >= 0) addOpen(bounds, size);
    if (rangeRow >= 0) addOpen(rangeRow, rangeCount(size));
    if (anyRangeRow >= 0) addOpen(anyRangeRow, 1);
  }
  return certain;
}
