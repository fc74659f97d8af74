import { type Encoder, MAX_LIMITS_SCANNED } from '../compiled/encoder.ts';

interface PlacedAxis {
  readonly field: number;
  readonly encoder: Encoder | undefined;
  /** First word of the row of each cell. */
  readonly rowOfCell: Int32Array;
}

/** Maps values to rows, for axes with few limits. Flat, so that a lookup reads few cache lines. Lists are by axis number. */
export interface RowPlaces {
  /** Position in the vocabulary's fields; -1 if the axis is not included. */
  readonly fields: Int32Array;
  /** Limits of axis a: from `firstLimit[a]` to `firstLimit[a + 1]`. */
  readonly firstLimit: Int32Array;
  readonly limits: Float64Array;
  /**
   * Rows of axis a, from `firstRow[a]`: by word, or by `2 × (number of limits below the value) + (1 if the value is a limit)`.
   */
  readonly firstRow: Int32Array;
  readonly rows: Int32Array;
  /** For axes of words: position of each word. */
  readonly words: readonly (ReadonlyMap<string, number> | undefined)[];
}

export function layOutPlaces(axes: readonly PlacedAxis[]): RowPlaces {
  const fields = new Int32Array(axes.length).fill(-1);
  const firstLimit = new Int32Array(axes.length + 1);
  const firstRow = new Int32Array(axes.length);
  const words: (ReadonlyMap<string, number> | undefined)[] = [];
  const limits: number[] = [];
  const rows: number[] = [];
  axes.forEach(({ field, encoder, rowOfCell }, index) => {
    firstRow[index] = rows.length;
    words.push(encoder?.kind === 'word' ? encoder.cells : undefined);
    if (encoder?.kind === 'word') {
      fields[index] = field;
      for (const row of rowOfCell) rows.push(row);
    } else if (encoder?.kind === 'number' && encoder.cuts.length <= MAX_LIMITS_SCANNED) {
      fields[index] = field;
      for (const cut of encoder.cuts) limits.push(cut);
      for (const cell of encoder.cellByPlace) rows.push(cell < 0 ? -1 : rowOfCell[cell]!);
    }
    firstLimit[index + 1] = limits.length;
  });
  return { fields, firstLimit, limits: Float64Array.from(limits), firstRow, rows: Int32Array.from(rows), words };
}

/** -1 if not found. */
export function placedRow(
  { firstLimit, limits, firstRow, rows, words }: RowPlaces,
  axis: number,
  value: number | string,
): number {
  const first = firstRow[axis]!;
  if (typeof value === 'string') {
    const place = words[axis]?.get(value);
    return place === undefined ? -1 : rows[first + place]!;
  }
  const from = firstLimit[axis]!;
  const end = firstLimit[axis + 1]!;
  let at = from;
  while (at < end && limits[at]! < value) at++;
  return rows[first + 2 * (at - from) + (at < end && limits[at] === value ? 1 : 0)]!;
}
