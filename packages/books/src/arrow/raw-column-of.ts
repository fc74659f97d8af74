import { type Data, DataType, type Dictionary, type Vector } from 'apache-arrow';
import type { NumbersColumn, RawColumn } from '../source/raw-batch.ts';

/** A column of a record batch as it is: dictionaries and numbers are read where they stand. */
export function rawColumnOf(vector: Vector, words: WeakMap<Vector, readonly unknown[]>): RawColumn {
  const { type, data } = vector;
  const [only] = data;
  if (data.length === 1 && only && only.stride === 1) {
    if (DataType.isDictionary(type)) {
      const column = dictionaryOf(only as Data<Dictionary>, words);
      if (column) return column;
    } else if (DataType.isFloat(type) && type.precision > 0) return numbersOf(only, only.values as Float64Array);
    else if (DataType.isInt(type) && type.bitWidth < 64) return numbersOf(only, only.values as Int32Array);
    else if (DataType.isInt(type)) {
      const long = only.values as unknown as BigInt64Array;
      return numbersOf(
        only,
        Float64Array.from({ length: only.length }, (_, index) => Number(long[index])),
      );
    }
  }
  const values: unknown[] = [];
  for (const value of vector as Iterable<unknown>) values.push(requestValue(value, type));
  return { kind: 'values', values };
}

function numbersOf(data: Data, values: NumbersColumn['values']): RawColumn {
  return { kind: 'numbers', values: values.subarray(0, data.length), missing: missingOf(data) };
}

function dictionaryOf(data: Data<Dictionary>, known: WeakMap<Vector, readonly unknown[]>): RawColumn | undefined {
  const { dictionary } = data;
  const indices = data.values as Int32Array | BigInt64Array;
  if (!dictionary || indices instanceof BigInt64Array || indices instanceof BigUint64Array) return undefined;
  let words = known.get(dictionary);
  if (!words || words.length !== dictionary.length) {
    words = Array.from(dictionary as Iterable<unknown>, (word) => requestValue(word, dictionary.type));
    known.set(dictionary, words);
  }
  const missing = missingOf(data);
  const codes = Int32Array.from(indices.subarray(0, data.length));
  for (let row = 0; row < codes.length; row++) {
    if (missing?.[row] === 1) codes[row] = -1;
    else if (!(codes[row]! >= 0 && codes[row]! < words.length))
      throw new RangeError('a value is not in the dictionary');
  }
  return { kind: 'dictionary', codes, words };
}

function missingOf(data: Data): Uint8Array | undefined {
  if (data.nullCount === 0) return undefined;
  const { nullBitmap, offset, length } = data;
  const missing = new Uint8Array(length);
  for (let row = 0; row < length; row++) {
    const bit = offset + row;
    missing[row] = (nullBitmap[bit >> 3]! >> (bit & 7)) & 1 ? 0 : 1;
  }
  return missing;
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
