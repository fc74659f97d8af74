import type { RawColumn } from '../source/raw-batch.ts';
import type { FieldColumn } from './column-map.ts';
import { DOUBTFUL, type ValueResolver } from './value-resolver.ts';

type Target = Float64Array | Uint8Array | Uint16Array;

/** Fills a column of the engine from a column of a book. Marks rows that must be read separately. */
export interface ColumnFiller {
  fill(column: RawColumn, rows: number, into: Target, doubtful: Uint8Array): void;
}

export function createColumnFiller(
  resolver: ValueResolver,
  { convert, keepsNumbers }: Pick<FieldColumn, 'convert' | 'keepsNumbers'>,
): ColumnFiller {
  const { empty, plain } = resolver;
  const resolve = convert ? (value: unknown) => resolver.resolve(convert(value)) : resolver.resolve;
  let table: WordTable | undefined;
  const resolveNumber = cacheSmallNumbers(resolve);
  const tableOf = (words: readonly unknown[]): WordTable => {
    if (table?.words !== words) table = createWordTable(words, empty);
    fillWordTable(table, resolve);
    return table;
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
const UNRESOLVED = Number.POSITIVE_INFINITY;

/** Caches small whole numbers, usually ages. */
function cacheSmallNumbers(resolve: (value: number) => number): (value: number) => number {
  const cache = new Float64Array(SMALL).fill(UNRESOLVED);
  return (value) => {
    if (!(value >= 0 && value < SMALL && Math.floor(value) === value)) return resolve(value);
    const number = cache[value]!;
    if (number !== UNRESOLVED) return number;
    cache[value] = resolve(value);
    return cache[value];
  };
}

/** Column values of a dictionary's words, from index 1. Index 0 is the value of a missing word. */
interface WordTable {
  readonly words: readonly unknown[];
  numbers: Float64Array;
  /** As `numbers`, for columns of words. */
  places: Uint16Array;
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

/** Adds the words that were appended to the dictionary. */
function fillWordTable(table: WordTable, resolve: (value: unknown) => number): void {
  const { words } = table;
  const end = words.length + 1;
  if (table.numbers.length < end) table.numbers = grow(table.numbers, new Float64Array(2 * end));
  if (table.places.length < end) table.places = grow(table.places, new Uint16Array(table.numbers.length));
  for (; table.length < words.length; table.length++) {
    const number = resolve(words[table.length]);
    table.numbers[table.length + 1] = number;
    table.places[table.length + 1] = number;
    if (number === DOUBTFUL) table.hasDoubtful = true;
  }
}

function grow<T extends Float64Array | Uint16Array>(from: T, into: T): T {
  into.set(from);
  return into;
}

/** One loop per type of array: a loop that sees several types is slower. */
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

/** Added to a value by its `missing` flag: a missing value becomes NaN, −0 becomes 0. A branch would be mispredicted at missing values. */
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
    // NaN passes: it is the missing value here too.
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
