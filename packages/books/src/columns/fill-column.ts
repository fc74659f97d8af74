import type { RawColumn } from '../source/raw-batch.ts';
import { DOUBTFUL, type ValueResolver } from './value-resolver.ts';

type Target = Float64Array | Uint8Array | Uint16Array;

/** Fills a column of the engine from one of a book, and marks rows that must be read by themselves. */
export interface ColumnFiller {
  fill(column: RawColumn, rows: number, into: Target, doubtful: Uint8Array): void;
}

/** `convert` makes of a value of the book what a request would have. */
export function createColumnFiller(
  resolver: ValueResolver,
  convert: ((value: unknown) => unknown) | undefined,
): ColumnFiller {
  const { empty, plain } = resolver;
  const resolve = convert ? (value: unknown) => resolver.resolve(convert(value)) : resolver.resolve;
  let known: { readonly words: readonly unknown[]; table: Float64Array; length: number } | undefined;
  /** What each word of a dictionary comes to; behind a place for "none". */
  const tableOf = (words: readonly unknown[]): Float64Array => {
    if (known?.words !== words) known = { words, table: new Float64Array(words.length + 1), length: 0 };
    if (known.table.length <= words.length) {
      const wider = new Float64Array(2 * words.length + 1);
      wider.set(known.table);
      known.table = wider;
    }
    known.table[0] = empty;
    for (; known.length < words.length; known.length++) known.table[known.length + 1] = resolve(words[known.length]);
    return known.table;
  };
  return {
    fill(column, rows, into, doubtful) {
      switch (column.kind) {
        case 'dictionary':
          fillCodes(column.codes, tableOf(column.words), rows, into, doubtful);
          return;
        case 'numbers':
          if (plain && !convert) fillPlain(column.values, column.missing, plain, resolve, empty, rows, into, doubtful);
          else fillNumbers(column.values, column.missing, resolve, empty, rows, into, doubtful);
          return;
        case 'values':
          for (let row = 0; row < rows; row++) {
            const value = column.values[row];
            const number = value === undefined || value === null ? empty : resolve(value);
            into[row] = number;
            if (number === DOUBTFUL) doubtful[row] = 1;
          }
      }
    },
  };
}

function fillCodes(
  codes: ArrayLike<number>,
  table: Float64Array,
  rows: number,
  into: Target,
  doubtful: Uint8Array,
): void {
  for (let row = 0; row < rows; row++) {
    const number = table[codes[row]! + 1]!;
    // A word's column takes what is no number for 0, which is nobody's word.
    into[row] = number;
    if (number === DOUBTFUL) doubtful[row] = 1;
  }
}

function fillPlain(
  values: ArrayLike<number>,
  missing: Uint8Array | undefined,
  { min, max, integer }: NonNullable<ValueResolver['plain']>,
  resolve: (value: number) => number,
  empty: number,
  rows: number,
  into: Target,
  doubtful: Uint8Array,
): void {
  for (let row = 0; row < rows; row++) {
    const value = values[row]!;
    if (missing !== undefined && missing[row] === 1) into[row] = empty;
    // Adding 0 makes 0 of −0.
    else if (value >= min && value <= max && (!integer || Math.floor(value) === value)) into[row] = value + 0;
    else {
      const number = Number.isNaN(value) ? empty : resolve(value);
      into[row] = number;
      if (number === DOUBTFUL) doubtful[row] = 1;
    }
  }
}

function fillNumbers(
  values: ArrayLike<number>,
  missing: Uint8Array | undefined,
  resolve: (value: number) => number,
  empty: number,
  rows: number,
  into: Target,
  doubtful: Uint8Array,
): void {
  for (let row = 0; row < rows; row++) {
    const value = values[row]!;
    const number = (missing !== undefined && missing[row] === 1) || Number.isNaN(value) ? empty : resolve(value);
    into[row] = number;
    if (number === DOUBTFUL) doubtful[row] = 1;
  }
}
