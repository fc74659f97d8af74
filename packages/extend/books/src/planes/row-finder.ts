import type { PlaneTable } from './plane-table.ts';
import type { FieldAxis } from './row-layout.ts';

/**
 * From values to the rows of a table's axes (the place is not among them), laid out flat: a home is encoded without
 * going through objects of its axes. Rows are given by their first word.
 */
export interface RowFinder {
  /** Place of each axis in the vocabulary's fields; -1 for a test of its own. */
  readonly fields: Int32Array;
  /** Rows of every value of the axes that are looked up directly, one axis after the other. */
  readonly direct: Int32Array;
  /** By axis: where in `direct` the value 0 would stand; `SEARCHED` for numbers that are not looked up there. */
  readonly zeroAt: Int32Array;
  /** By axis: rows by word; empty for other axes. */
  readonly words: readonly ReadonlyMap<string, number>[];
}

/** Of an axis of numbers whose cell is searched for. */
export const SEARCHED = 0x7fffffff;

export function createRowFinder({ axes, width }: PlaneTable): RowFinder {
  const zeroAt = new Int32Array(axes.length).fill(SEARCHED);
  const parts: { readonly axis: FieldAxis; readonly cells: ArrayLike<number>; readonly from: number }[] = [];
  let length = 0;
  axes.forEach((axis, index) => {
    const { encoder } = axis;
    const cells = encoder.kind === 'test' ? TEST_CELLS : encoder.kind === 'number' ? encoder.direct : undefined;
    if (!cells) return;
    parts.push({ axis, cells, from: length });
    zeroAt[index] = length - (encoder.kind === 'number' ? encoder.min : 0);
    length += cells.length;
  });
  const direct = new Int32Array(length);
  // By a plain loop: `from` with a function goes through an iterator, and tables are many.
  for (const { axis, cells, from } of parts) {
    for (let place = 0; place < cells.length; place++) direct[from + place] = firstWord(axis, cells[place]!, width);
  }
  return {
    fields: Int32Array.from(axes, ({ field }) => field),
    direct,
    zeroAt,
    words: axes.map((axis) => {
      const { encoder } = axis;
      const cells = encoder.kind === 'word' ? [...encoder.cells] : [];
      return new Map(cells.map(([word, cell]) => [word, firstWord(axis, cell, width)]));
    }),
  };
}

const TEST_CELLS = Uint8Array.of(0, 1);

function firstWord({ firstRow }: FieldAxis, cell: number, width: number): number {
  return (firstRow + 2 + cell) * width;
}
