import { type Data, DataType, type Dictionary, type Vector } from 'apache-arrow';
import type { NumbersColumn, RawColumn } from '../source/raw-batch.ts';

/**
 * A column of a record batch as it is: dictionaries and numbers are read where they stand. `known` is the same column of a batch that
 * nobody reads any longer: its room is used again.
 */
export function rawColumnOf(vector: Vector, words: WeakMap<Vector, readonly unknown[]>, known?: RawColumn): RawColumn {
  const { type, data } = vector;
  const [only] = data;
  if (data.length === 1 && only && only.stride === 1) {
    if (DataType.isDictionary(type)) {
      const column = dictionaryOf(only as Data<Dictionary>, words, known);
      if (column) return column;
    } else if (DataType.isFloat(type) && type.precision > 0) return numbersOf(only, only.values as Float64Array, known);
    else if (DataType.isInt(type) && type.bitWidth < 64) return numbersOf(only, only.values as Int32Array, known);
    else if (DataType.isInt(type)) {
      const long = only.values as unknown as BigInt64Array;
      const values = new Float64Array(only.length);
      for (let index = 0; index < values.length; index++) values[index] = Number(long[index]);
      return numbersOf(only, values, known);
    }
  }
  const values: unknown[] = [];
  for (const value of vector as Iterable<unknown>) values.push(requestValue(value, type));
  return { kind: 'values', values };
}

function numbersOf(data: Data, values: NumbersColumn['values'], known: RawColumn | undefined): RawColumn {
  const { length, nullCount } = data;
  if (nullCount === 0) return { kind: 'numbers', values: values.subarray(0, length), missing: undefined };
  const room = known?.kind === 'numbers' ? known.missing?.buffer : undefined;
  const missing = room && room.byteLength >= length ? new Uint8Array(room, 0, length) : new Uint8Array(length);
  markMissing(data.nullBitmap, data.offset, missing);
  return { kind: 'numbers', values: values.subarray(0, length), missing };
}

function markMissing(bitmap: Uint8Array, offset: number, missing: Uint8Array): void {
  for (let row = 0, bit = offset; row < missing.length; row++, bit++)
    missing[row] = ((bitmap[bit >> 3]! >> (bit & 7)) & 1) ^ 1;
}

function dictionaryOf(
  data: Data<Dictionary>,
  wordsOf: WeakMap<Vector, readonly unknown[]>,
  known: RawColumn | undefined,
): RawColumn | undefined {
  const { dictionary, length } = data;
  const indices = data.values as Int32Array | BigInt64Array;
  if (!dictionary || indices instanceof BigInt64Array || indices instanceof BigUint64Array) return undefined;
  let words = wordsOf.get(dictionary);
  if (!words || words.length !== dictionary.length) {
    words = Array.from(dictionary as Iterable<unknown>, (word) => requestValue(word, dictionary.type));
    wordsOf.set(dictionary, words);
  }
  const room = known?.kind === 'dictionary' ? known.codes.buffer : undefined;
  const codes = room && room.byteLength >= 4 * length ? new Int32Array(room, 0, length) : new Int32Array(length);
  codes.set(indices.subarray(0, length));
  const isWithin =
    data.nullCount > 0
      ? clearMissing(data.nullBitmap, data.offset, codes, words.length - 1)
      : areWithin(codes, words.length - 1);
  if (!isWithin) throw new RangeError('a value is not in the dictionary');
  return { kind: 'dictionary', codes, words };
}

/** Puts −1 where there is no value. False where another code is not from 0 to `last`. */
function clearMissing(bitmap: Uint8Array, offset: number, codes: Int32Array, last: number): boolean {
  // Without a branch for each row: a sign stays of whatever lies outside.
  let signs = 0;
  for (let row = 0, bit = offset; row < codes.length; row++, bit++) {
    const code = codes[row]!;
    const isThere = (bitmap[bit >> 3]! >> (bit & 7)) & 1;
    signs |= (code | (last - code)) & -isThere;
    codes[row] = code | (isThere - 1);
  }
  return signs >= 0;
}

function areWithin(codes: Int32Array, last: number): boolean {
  let signs = 0;
  for (let row = 0; row < codes.length; row++) signs |= codes[row]! | (last - codes[row]!);
  return signs >= 0;
}

/** A value of Arrow as a request in JSON would have it. */
function requestValue(value: unknown, type: DataType): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'bigint') return Number(value);
  if (DataType.isDate(type)) return new Date(Number(value)).toISOString().slice(0, 10);
  if (DataType.isTimestamp(type)) return new Date(Number(value)).toISOString();
  if (DataType.isDecimal(type)) return Number(value) / 10 ** type.scale;
  if (typeof value === 'object' && Symbol.iterator in value)
    return Array.from(value as Iterable<unknown>, (each) => requestValue(each, type.children[0]?.type ?? type));
  return value;
}
