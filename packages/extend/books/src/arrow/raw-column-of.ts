import { type Data, DataType, DateUnit, type Decimal, type Dictionary, type Timestamp, TimeUnit } from 'apache-arrow';
import { uint16ToFloat64 } from 'apache-arrow/util/math';
import { DamageError } from '../source/damage.ts';
import { dayOf, msOf } from '../source/instants.ts';
import type { NumbersColumn, RawColumn } from '../source/raw-batch.ts';

/**
 * Reads a column of a record batch without converting it: dictionaries and numbers are read in place. `words` caches the words of
 * dictionaries. `reusable` is the same column of an earlier batch that is no longer in use; its memory is reused. Throws a `DamageError`
 * for a column that is shorter than declared.
 */
export function rawColumnOf(data: Data, words: WeakMap<object, readonly unknown[]>, reusable?: RawColumn): RawColumn {
  const { type } = data;
  if (DataType.isDictionary(type)) {
    const column = dictionaryOf(data as Data<Dictionary>, words, reusable);
    if (column) return column;
  } else if (DataType.isFloat(type) && type.precision > 0)
    return numbersOf(data, data.values as Float64Array, reusable);
  else if (DataType.isInt(type) && type.bitWidth < 64) return numbersOf(data, data.values as Int32Array, reusable);
  else if (DataType.isInt(type)) {
    const long = data.values as unknown as BigInt64Array;
    expectLength(long, data.length);
    const values = new Float64Array(data.length);
    for (let index = 0; index < values.length; index++) values[index] = Number(long[index]);
    return numbersOf(data, values, reusable);
  }
  const valueAt = valueReader(data);
  return { kind: 'values', values: Array.from({ length: data.length }, (_, index) => valueAt(index)) };
}

function expectLength(values: { readonly length: number }, length: number): void {
  if (values.length < length) throw new DamageError(`it has ${values.length} values for ${length} rows`);
}

function expectBitmap({ nullBitmap, length, offset, nullCount }: Data): void {
  if (nullCount > 0 && 8 * (nullBitmap?.length ?? 0) < offset + length)
    throw new DamageError('what is missing is not marked for all rows');
}

function numbersOf(data: Data, values: NumbersColumn['values'], reusable: RawColumn | undefined): RawColumn {
  const { length, nullCount } = data;
  expectLength(values, length);
  if (nullCount === 0) return { kind: 'numbers', values: values.subarray(0, length), missing: undefined };
  expectBitmap(data);
  const memory = reusable?.kind === 'numbers' ? reusable.missing?.buffer : undefined;
  const missing = memory && memory.byteLength >= length ? new Uint8Array(memory, 0, length) : new Uint8Array(length);
  markMissing(data.nullBitmap, data.offset, missing);
  return { kind: 'numbers', values: values.subarray(0, length), missing };
}

function markMissing(bitmap: Uint8Array, offset: number, missing: Uint8Array): void {
  for (let row = 0, bit = offset; row < missing.length; row++, bit++)
    missing[row] = ((bitmap[bit >> 3]! >> (bit & 7)) & 1) ^ 1;
}

function dictionaryOf(
  data: Data<Dictionary>,
  wordsOf: WeakMap<object, readonly unknown[]>,
  reusable: RawColumn | undefined,
): RawColumn | undefined {
  const { dictionary, length } = data;
  const indices = data.values as Int32Array | BigInt64Array;
  if (!dictionary) throw new DamageError('its dictionary is missing');
  if (indices instanceof BigInt64Array || indices instanceof BigUint64Array) return undefined;
  expectLength(indices, length);
  expectBitmap(data);
  let words = wordsOf.get(dictionary);
  if (!words) {
    words = dictionary.data.flatMap((part) => {
      const valueAt = valueReader(part);
      return Array.from({ length: part.length }, (_, index) => valueAt(index));
    });
    wordsOf.set(dictionary, words);
  }
  const memory = reusable?.kind === 'dictionary' ? reusable.codes.buffer : undefined;
  const codes = memory && memory.byteLength >= 4 * length ? new Int32Array(memory, 0, length) : new Int32Array(length);
  codes.set(indices.subarray(0, length));
  const isWithin =
    data.nullCount > 0
      ? clearMissing(data.nullBitmap, data.offset, codes, words.length - 1)
      : areWithin(codes, words.length - 1);
  if (!isWithin) throw new DamageError('a value is not in the dictionary');
  return { kind: 'dictionary', codes, words };
}

/** Sets −1 for missing values. Returns false if another code is not from 0 to `last`. */
function clearMissing(bitmap: Uint8Array, offset: number, codes: Int32Array, last: number): boolean {
  // Avoids a branch for each row: any code out of range sets the sign bit.
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

type ValueAt = (index: number) => unknown;

/** Reads a value as in a JSON request; undefined if missing. */
function valueReader(data: Data): ValueAt {
  if (DataType.isNull(data.type)) return () => undefined;
  expectBitmap(data);
  const valueAt = presentReader(data);
  const { nullBitmap, nullCount, offset } = data;
  if (nullCount === 0) return valueAt;
  return (index) => {
    const bit = offset + index;
    return (nullBitmap[bit >> 3]! >> (bit & 7)) & 1 ? valueAt(index) : undefined;
  };
}

function presentReader(data: Data): ValueAt {
  const { type, length, values } = data;
  if (DataType.isBool(type)) {
    const bits = values as unknown as Uint8Array;
    expectLength({ length: 8 * bits.length }, length);
    return (index) => ((bits[index >> 3]! >> (index & 7)) & 1) === 1;
  }
  if (DataType.isInt(type) || (DataType.isFloat(type) && type.precision > 0)) {
    expectLength(values, length);
    return (index) => Number(values[index]);
  }
  if (DataType.isFloat(type)) {
    expectLength(values, length);
    return (index) => uint16ToFloat64(values[index] as number);
  }
  if (DataType.isDecimal(type)) return decimalReader(data as Data<Decimal>);
  if (DataType.isDate(type)) {
    const days = type.unit === DateUnit.DAY;
    expectLength(values, length);
    return (index) => {
      const text = isoText(Number(values[index]) * (days ? MS_A_DAY : 1));
      return days || text.endsWith('T00:00:00.000Z') ? dayOf(text) : text;
    };
  }
  if (DataType.isTimestamp(type)) return timestampReader(data as Data<Timestamp>);
  if (DataType.isDictionary(type)) {
    expectLength(values, length);
    const parts = data.dictionary?.data ?? [];
    const words = parts.flatMap((part) => {
      const wordAt = valueReader(part);
      return Array.from({ length: part.length }, (_, index) => wordAt(index));
    });
    return (index) => {
      const code = Number(values[index]);
      if (!(code >= 0 && code < words.length)) throw new DamageError('a value is not in the dictionary');
      return words[code];
    };
  }
  if (DataType.isList(type) || DataType.isLargeList(type)) {
    const child = data.children[0]!;
    const valueAt = valueReader(child);
    const offsets = data.valueOffsets as unknown as Int32Array | BigInt64Array;
    expectLength(offsets, length === 0 ? 0 : length + 1);
    return (index) => {
      const [from, to] = rangeOf(offsets, index, child.length);
      return Array.from({ length: to - from }, (_, place) => valueAt(from + place));
    };
  }
  if (DataType.isFixedSizeList(type)) {
    const child = data.children[0]!;
    const { listSize } = type;
    expectLength(child, length * listSize);
    const valueAt = valueReader(child);
    return (index) => Array.from({ length: listSize }, (_, place) => valueAt(index * listSize + place));
  }
  if (DataType.isStruct(type)) {
    for (const child of data.children) expectLength(child, length);
    const readers = type.children.map(({ name }, place) => [String(name), valueReader(data.children[place]!)] as const);
    return (index) => Object.fromEntries(readers.map(([name, valueAt]) => [name, valueAt(index)]));
  }
  return textReader(data);
}

function rangeOf(offsets: Int32Array | BigInt64Array, index: number, end: number): readonly [number, number] {
  const [from, to] = [Number(offsets[index]), Number(offsets[index + 1])];
  if (!(from >= 0 && from <= to && to <= end)) throw new DamageError('a value reaches beyond its column');
  return [from, to];
}

/** Size of a view. Short values are stored in the view. */
const VIEW_BYTES = 16;
const MAX_INLINE_BYTES = 12;

/** Text, and bytes as text: ClickHouse and others write text as bytes. */
function textReader(data: Data): ValueAt {
  const { type, length } = data;
  const bytes = bufferOf(data.values as unknown as Uint8Array);
  if (DataType.isUtf8View(type) || DataType.isBinaryView(type)) {
    expectLength(bytes, length * VIEW_BYTES);
    const others = data.variadicBuffers.map(bufferOf);
    return (index) => {
      const at = index * VIEW_BYTES;
      const size = bytes.readInt32LE(at);
      if (size >= 0 && size <= MAX_INLINE_BYTES) return bytes.toString('utf8', at + 4, at + 4 + size);
      const other = others[bytes.readInt32LE(at + 8)];
      const from = bytes.readInt32LE(at + 12);
      if (!other || size < 0 || from < 0 || from + size > other.length)
        throw new DamageError('a value reaches beyond its column');
      return other.toString('utf8', from, from + size);
    };
  }
  if (DataType.isFixedSizeBinary(type)) {
    const { byteWidth } = type;
    expectLength(bytes, length * byteWidth);
    return (index) => bytes.toString('utf8', index * byteWidth, (index + 1) * byteWidth);
  }
  const offsets = data.valueOffsets as unknown as Int32Array | BigInt64Array;
  expectLength(offsets, length === 0 ? 0 : length + 1);
  return (index) => {
    const [from, to] = rangeOf(offsets, index, bytes.length);
    return bytes.toString('utf8', from, to);
  };
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength);

/** Whole numbers of 32 to 256 bits, low words first. */
function decimalReader(data: Data<Decimal>): ValueAt {
  const { scale, bitWidth } = data.type;
  const { buffer, byteOffset, byteLength } = data.values as unknown as Uint8Array;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const width = bitWidth / 8;
  expectLength(bytes, data.length * width);
  return (index) => {
    let number = 0n;
    for (let word = width / 4 - 1; word >= 0; word--)
      number = (number << 32n) | BigInt(bytes.readUInt32LE(index * width + 4 * word));
    // Rounded once: 25000050 at a scale of 2 is 250000.5.
    return Number(`${BigInt.asIntN(bitWidth, number)}e${-scale}`);
  };
}

const MS_A_DAY = 86_400_000;
const MS_A_SECOND = 1000;
/** Units per millisecond. */
const perMs: Partial<Record<TimeUnit, bigint>> = {
  [TimeUnit.MICROSECOND]: 1000n,
  [TimeUnit.NANOSECOND]: 1_000_000n,
};

function timestampReader(data: Data<Timestamp>): ValueAt {
  const { unit, timezone } = data.type;
  const values = data.values as unknown as BigInt64Array;
  expectLength(values, data.length);
  const inZone = createZonedTime(timezone ?? undefined);
  const per = perMs[unit];
  if (per === undefined) {
    const factor = unit === TimeUnit.SECOND ? MS_A_SECOND : 1;
    return (index) => inZone(Number(values[index]) * factor);
  }
  return (index) => inZone(msOf(values[index]!, per));
}

function isoText(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}

/** Instants cached as text: columns usually repeat days. */
const MAX_KEPT = 10_000;
const MS_A_MINUTE = 60_000;

/**
 * Formats instants in the zone of their column, with the offset, so that midnight there can be read as a date. Uses UTC without a zone
 * or for a zone unknown to this machine.
 */
function createZonedTime(zone: string | undefined): (ms: number) => string {
  const offsetAt = offsetsOf(zone);
  const texts = new Map<number, string>();
  return (ms) => {
    let text = texts.get(ms);
    if (text !== undefined) return text;
    text = textOf(ms, offsetAt);
    if (texts.size >= MAX_KEPT) texts.clear();
    texts.set(ms, text);
    return text;
  };
}

function textOf(ms: number, offsetAt: (ms: number) => number): string {
  if (Number.isNaN(new Date(ms).getTime())) return String(ms);
  const minutes = offsetAt(ms);
  const local = new Date(ms + minutes * MS_A_MINUTE).toISOString();
  if (minutes === 0) return local;
  const away = Math.abs(minutes);
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  return `${local.slice(0, -1)}${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(away / 60))}:${twoDigits(away % 60)}`;
}

/** Offset of a zone from UTC at an instant, in minutes. */
function offsetsOf(zone: string | undefined): (ms: number) => number {
  const fixed = /^([+-])(\d{2}):?(\d{2})$/.exec(zone ?? '');
  if (fixed) {
    const minutes = (fixed[1] === '-' ? -1 : 1) * (60 * Number(fixed[2]) + Number(fixed[3]));
    return () => minutes;
  }
  if (zone === undefined || zone === '' || zone === 'UTC') return () => 0;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    return () => 0;
  }
  return (ms) => {
    const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const offset = /([+-])(\d{2}):(\d{2})/.exec(name);
    return offset ? (offset[1] === '-' ? -1 : 1) * (60 * Number(offset[2]) + Number(offset[3])) : 0;
  };
}
