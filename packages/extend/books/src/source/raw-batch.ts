/** Values as the book holds them, not yet checked: one column of a batch. */
export type RawColumn = DictionaryColumn | NumbersColumn | ValuesColumn;

/** Few distinct values, told once each. */
export interface DictionaryColumn {
  readonly kind: 'dictionary';
  /** By row, the place of its value in `words`; −1 where the book holds none. */
  readonly codes: Int32Array;
  /** The same list from batch to batch as long as its places mean the same; it may grow at its end. */
  readonly words: readonly unknown[];
}

/** Numbers as they are. NaN: the book holds none. */
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
  /** 1 where the book holds none, by row; undefined where it holds all. */
  readonly missing: Uint8Array | undefined;
}

/** Anything; undefined or null where the book holds none. */
export interface ValuesColumn {
  readonly kind: 'values';
  readonly values: readonly unknown[];
}

/** A row that could not be read at all. */
export interface UnreadRow {
  /** Place in the batch. */
  readonly row: number;
  readonly code: string;
  readonly message: string;
}

/** Some consecutive rows of a book. What it holds may be written over once the next batch is asked for. */
export interface RawBatch {
  /** Place of the first row in the book, from 0. */
  readonly firstRow: number;
  readonly rows: number;
  readonly names: readonly string[];
  /** By place in `names`. A column that the book lacks in this batch is undefined. */
  readonly columns: readonly (RawColumn | undefined)[];
  /** In their order. */
  readonly unread: readonly UnreadRow[];
  /** Rows that came as a whole: of these the columns hold nothing. */
  readonly whole?: ReadonlyMap<number, unknown>;
  /** Line of a row in a file of text, from 1, and its text; undefined for a book that has no lines. */
  readonly lineOf?: (row: number) => { readonly line: number; readonly text: string };
}

/** The value of one cell as a request would have it; undefined where the book holds none. */
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

/** Rows `from` to `to` of a column, where they are. */
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
