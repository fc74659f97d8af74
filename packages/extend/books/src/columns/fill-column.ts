import type { RawColumn } from '../source/raw-batch.ts';
import type { FieldColumn } from './column-map.ts';
import { DOUBTFUL, type ValueResolver } from './value-resolver.ts';

type Target = Float64Array | Uint8Array | Uint16Array;

/** Fills a column of the engine from one of a book, and marks rows that must be read by themselves. */
export interface ColumnFiller {
  fill(column: RawColumn, rows: number, into: Target, doubtful: Uint8Array): void;
}

/** A filler of what a resolver makes of the values of one column of the book. */
export function createColumnFiller(
  resolver: ValueResolver,
  { convert, keepsNumbers }: Pick<FieldColumn, 'convert' | 'keepsNumbers'>,
): ColumnFiller {
  const { empty, plain } = resolver;
  const resolve = convert ? (value: unknown) => resolver.resolve(convert(value)) : resolver.resolve;
  let known: WordTable | undefined;
  const resolveNumber = rememberingSmall(resolve);
  const tableOf = (words: readonly unknown[]): WordTable => {
    if (known?.words !== words) known = createWordTable(words, empty);
    fillWordTable(known, resolve);
    return known;
  };
  return {
    fill(column, rows, into, doubtful) {
      switch (column.kind) {
        case 'dictionary':
          fillCodes(column.codes, tableOf(column.words), rows, into, doubtful);
          return;
        case 'numbers':
          if (plain && keepsNumbers)
            fillPlain(column.values, column.missing, plain, resolveNumber, rows, into, doubtful);
          else fillNumbers(column.values, column.missing, resolveNumber, empty, rows, into, doubtful);
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

const SMALL = 256;
const NOT_ASKED = Number.POSITIVE_INFINITY;

/** Small whole numbers, ages for the most part, are looked up in a table. */
function rememberingSmall(resolve: (value: number) => number): (value: number) => number {
  const known = new Float64Array(SMALL).fill(NOT_ASKED);
  return (value) => {
    if (!(value >= 0 && value < SMALL && Math.floor(value) === value)) return resolve(value);
    const number = known[value]!;
    if (number !== NOT_ASKED) return number;
    known[value] = resolve(value);
    return known[value];
  };
}

/** What each word of a dictionary comes to, from place 1; what no word comes to is at place 0. */
interface WordTable {
  readonly words: readonly unknown[];
  numbers: Float64Array;
  /** The same for columns of words, where nothing is 0. */
  places: Uint16Array;
  /** Words that are in it. */
  length: number;
  hasDoubtful: boolean;
}

function createWordTable(words: readonly unknown[], empty: number): WordTable {
  const numbers = new Float64Array(words.length + 1);
  numbers[0] = empty;
  return {
    words,
    numbers,
    places: Uint16Array.of(empty),
    length: 0,
    hasDoubtful: empty === DOUBTFUL,
  };
}

/** Adds the words that came behind. */
function fillWordTable(table: WordTable, resolve: (value: unknown) => number): void {
  const { words } = table;
  const end = words.length + 1;
  if (table.numbers.length < end) table.numbers = widened(table.numbers, new Float64Array(2 * end));
  if (table.places.length < end) table.places = widened(table.places, new Uint16Array(table.numbers.length));
  for (; table.length < words.length; table.length++) {
    const number = resolve(words[table.length]);
    table.numbers[table.length + 1] = number;
    table.places[table.length + 1] = number;
    if (number === DOUBTFUL) table.hasDoubtful = true;
  }
}

function widened<T extends Float64Array | Uint16Array>(from: T, into: T): T {
  into.set(from);
  return into;
}

/** One loop for each kind of column: one that saw several would ask of each value what it is. */
function fillCodes(codes: Int32Array, table: WordTable, rows: number, into: Target, doubtful: Uint8Array): void {
  const { numbers, places } = table;
  if (into instanceof Float64Array) fillNumbersByCode(codes, numbers, rows, into);
  else if (into instanceof Uint8Array) fillWordsByCode(codes, places, rows, into);
  else fillLongWordsByCode(codes, places, rows, into);
  if (!table.hasDoubtful) return;
  for (let row = 0; row < rows; row++) if (numbers[codes[row]! + 1]! === DOUBTFUL) doubtful[row] = 1;
}

function fillNumbersByCode(codes: Int32Array, numbers: Float64Array, rows: number, into: Float64Array): void {
  for (let row = 0; row < rows; row++) into[row] = numbers[codes[row]! + 1]!;
}

function fillWordsByCode(codes: Int32Array, places: Uint16Array, rows: number, into: Uint8Array): void {
  for (let row = 0; row < rows; row++) into[row] = places[codes[row]! + 1]!;
}

function fillLongWordsByCode(codes: Int32Array, places: Uint16Array, rows: number, into: Uint16Array): void {
  for (let row = 0; row < rows; row++) into[row] = places[codes[row]! + 1]!;
}

/** Added to a value: what is missing becomes NaN, and −0 becomes 0. A branch would be guessed wrong each time a value is missing. */
const ADDED = Float64Array.of(0, Number.NaN);

function fillPlain(
  values: ArrayLike<number>,
  missing: Uint8Array | undefined,
  { min, max, integer }: NonNullable<ValueResolver['plain']>,
  resolve: (value: number) => number,
  rows: number,
  into: Target,
  doubtful: Uint8Array,
): void {
  for (let row = 0; row < rows; row++) {
    const value = values[row]! + (missing === undefined ? 0 : ADDED[missing[row]!]!);
    into[row] = value;
    // NaN, which is nothing here as there, is neither below nor above anything.
    if (value < min || value > max || (integer && Math.floor(value) < value)) {
      const number = resolve(value);
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
