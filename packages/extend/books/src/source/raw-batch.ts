/** A column of a batch, with unchecked values. */
export type RawColumn = DictionaryColumn | NumbersColumn | ValuesColumn;

/** A column with few distinct values. */
export interface DictionaryColumn {
  readonly kind: 'dictionary';
  /** By row, the index of its value in `words`; −1 if missing. */
  readonly codes: Int32Array;
  /** Batches share the list while its indexes are stable. It may grow at its end. */
  readonly words: readonly unknown[];
}

/** A column of numbers; NaN if missing. */
export interface NumbersColumn {
  readonly kind: 'numbers';
  readonly values:
    | Float64Array
    | Float32Array
    | Int32Array
    | Int16Array
    | Int8Array
    | Uint32Array
    | Uint16Array
    | Uint8Array;
  /** By row, 1 if the value is missing. Undefined if all are present. */
  readonly missing: Uint8Array | undefined;
}

/** A column of any values; undefined or null if missing. */
export interface ValuesColumn {
  readonly kind: 'values';
  readonly values: readonly unknown[];
}

/** A row that could not be parsed. */
export interface UnreadRow {
  /** Index in the batch. */
  readonly row: number;
  readonly code: string;
  readonly message: string;
}

/** Consecutive rows of a book. The next batch may reuse its buffers. */
export interface RawBatch {
  /** From 0. */
  readonly firstRow: number;
  readonly rows: number;
  readonly names: readonly string[];
  /** By index in `names`. Undefined if the batch lacks the column. */
  readonly columns: readonly (RawColumn | undefined)[];
  /** In order. */
  readonly unread: readonly UnreadRow[];
  /** Rows that were parsed as whole objects. Columns have no values for them. */
  readonly whole?: ReadonlyMap<number, unknown>;
  /** The line of a row in a text file, from 1, and its text. Undefined for other formats. */
  readonly lineOf?: (row: number) => { readonly line: number; readonly text: string };
}

/**
 * The value of a cell as in a request; undefined if missing.
 *
 * @example
 * const state = cellOf(batch.columns[batch.names.indexOf('state')], row);
 */
export function cellOf(column: RawColumn | undefined, row: number): unknown {
  if (column === undefined) return undefined;
  if (column.kind === 'dictionary') {
    const code = column.codes[row]!;
    return code < 0 ? undefined : (column.words[code] ?? undefined);
  }
  if (column.kind === 'values') return column.values[row] ?? undefined;
  const value = column.values[row]!;
  return column.missing?.[row] === 1 || Number.isNaN(value) ? undefined : value;
}

export function sliceColumn(column: RawColumn, from: number, to: number): RawColumn {
  switch (column.kind) {
    case 'dictionary':
      return { kind: 'dictionary', codes: column.codes.subarray(from, to), words: column.words };
    case 'numbers':
      return { kind: 'numbers', values: column.values.subarray(from, to), missing: column.missing?.subarray(from, to) };
    case 'values':
      return { kind: 'values', values: column.values.slice(from, to) };
  }
}

/** The rows from `from` to `to` of a batch. */
export function sliceBatch(batch: RawBatch, from: number, to: number): RawBatch {
  if (from === 0 && to === batch.rows) return batch;
  const { whole, lineOf } = batch;
  return {
    firstRow: batch.firstRow + from,
    rows: to - from,
    names: batch.names,
    columns: batch.columns.map((column) => column && sliceColumn(column, from, to)),
    unread: batch.unread.flatMap((each) =>
      each.row >= from && each.row < to ? [{ ...each, row: each.row - from }] : [],
    ),
    ...(whole
      ? { whole: new Map([...whole].flatMap(([row, body]) => (row >= from && row < to ? [[row - from, body]] : []))) }
      : {}),
    ...(lineOf ? { lineOf: (row) => lineOf(from + row) } : {}),
  };
}
