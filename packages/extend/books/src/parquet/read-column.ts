import type { ColumnMetaData, PageHeader } from 'hyparquet';
import { BYTES_A_VALUE } from '../source/inflation.ts';
import type { RawColumn } from '../source/raw-batch.ts';
import { readHybrid, readLevels } from './hybrid.ts';
import {
  convert,
  DEFAULT_PARSERS,
  decompressPage,
  parquetHeader,
  readColumn,
  readPage,
} from './hyparquet-internals.ts';
import type { ParquetFile, SchemaTree } from './parquet-file.ts';
import { toRequestValue } from './request-value.ts';

type ColumnDecoder = Parameters<typeof readColumn>[2];

interface FlatColumnOptions {
  readonly rows: number;
  /** Adds up memory before it is allocated. */
  readonly charge: (bytes: number) => void;
  /** This column of an earlier row group that is no longer in use, to reuse its memory. */
  readonly reusable: RawColumn | undefined;
  readonly file: Pick<ParquetFile, 'codecs' | 'checksum'>;
}

/** Decodes a flat column of a row group. Dictionaries and plain numbers are kept; hyparquet decodes other encodings. */
export function readFlatColumn(
  bytes: Uint8Array,
  meta: ColumnMetaData,
  schemaPath: SchemaTree[],
  { rows, charge, reusable, file }: FlatColumnOptions,
): RawColumn {
  const element = schemaPath.at(-1)!.element;
  const decoder: ColumnDecoder = {
    ...meta,
    pathInSchema: meta.path_in_schema,
    element,
    schemaPath,
    compressors: file.codecs,
    parsers: DEFAULT_PARSERS,
  };
  if (rows === 0) return { kind: 'values', values: [] };
  const pages = readPages(bytes, charge, file.checksum);
  const nulls = nullsOf(meta);
  const isOptional = element.repetition_type !== 'REQUIRED';
  const dictionary = pages.filter(({ header }) => header.type === 'DICTIONARY_PAGE');
  const data = pages.filter(({ header }) => header.type !== 'DICTIONARY_PAGE');
  const counted = data.reduce((sum, { header }) => sum + valuesOf(header), 0);
  if (counted !== rows) throw new RangeError(`it has ${counted} values for ${rows} rows`);
  if (dictionary.length === 1 && data.every(({ header }) => encodingOf(header)?.endsWith('_DICTIONARY'))) {
    const read = readCodes(wordsOf(dictionary[0]!, decoder), data, decoder, isOptional, rows, reusable);
    return expectNulls(read.column, read.missing, nulls);
  }
  const width = plainWidth(decoder);
  if (width > 0 && data.every(({ header }) => encodingOf(header) === 'PLAIN')) {
    const read = readNumbers(data, decoder, isOptional, rows, reusable);
    return expectNulls(read.column, read.missing, nulls);
  }
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  const read = readColumn(reader, { groupStart: 0, groupRows: rows, selectStart: 0, selectEnd: rows }, decoder);
  const values: unknown[] = [];
  for (const chunk of read.data)
    for (const value of chunk as Iterable<unknown>) values.push(toRequestValue(value, { element, children: [] }));
  return { kind: 'values', values };
}

interface ReadColumn {
  readonly column: RawColumn;
  readonly missing: number;
}

/** Number of missing values in the statistics, if any. */
function nullsOf({ statistics }: ColumnMetaData): number | undefined {
  const count = statistics?.null_count;
  return count === undefined ? undefined : Number(count);
}

/** Damaged levels can be decoded, but rarely to the same number of missing values. */
function expectNulls(column: RawColumn, missing: number, expected: number | undefined): RawColumn {
  if (expected !== undefined && expected !== missing)
    throw new RangeError(`it lacks ${missing} values, but its metadata declares ${expected}`);
  return column;
}

interface Page {
  readonly header: PageHeader;
  /** As stored in the file. */
  readonly bytes: Uint8Array;
  /** Position of its header. */
  readonly from: number;
}

/** The compressed pages of a column chunk. */
export function readPages(
  bytes: Uint8Array,
  charge: (bytes: number) => void,
  checksum: ParquetFile['checksum'],
): Page[] {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  const pages: Page[] = [];
  while (reader.offset < bytes.length) {
    const from = reader.offset;
    const header = parquetHeader(reader);
    const end = reader.offset + header.compressed_page_size;
    if (header.type === undefined || !(end > from && end <= bytes.length))
      throw new RangeError('a page reaches beyond its column');
    const page = bytes.subarray(reader.offset, end);
    if (header.crc !== undefined && checksum && checksum(page) !== header.crc >>> 0)
      throw new RangeError('the checksum of a page does not fit');
    charge(header.uncompressed_page_size);
    charge(BYTES_A_VALUE * (header.dictionary_page_header?.num_values ?? valuesOf(header)));
    if (header.type !== 'INDEX_PAGE') pages.push({ header, bytes: page, from });
    reader.offset = end;
  }
  return pages;
}

const valuesOf = ({ data_page_header: v1, data_page_header_v2: v2 }: PageHeader) =>
  v1?.num_values ?? v2?.num_values ?? 0;
const encodingOf = ({ data_page_header: v1, data_page_header_v2: v2 }: PageHeader) => v1?.encoding ?? v2?.encoding;

function wordsOf({ header, bytes }: Page, decoder: ColumnDecoder): unknown[] {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  const { data } = readPage(reader, header, decoder, undefined, undefined, 0);
  const words = convert(data!, decoder) as Iterable<unknown>;
  return Array.from(words, (word) => toRequestValue(word, { element: decoder.element, children: [] }));
}

interface OpenPage {
  readonly values: number;
  /** The bytes after the levels. */
  readonly bytes: Uint8Array;
  /** By row, 1 if it has a value. Undefined if all have. */
  readonly levels: Uint8Array | undefined;
  readonly present: number;
}

/** Decompresses a data page and reads its levels. */
function openPage({ header, bytes }: Page, { codec, compressors }: ColumnDecoder, isOptional: boolean): OpenPage {
  const { data_page_header: v1, data_page_header_v2: v2 } = header;
  if (v1) {
    const page = decompressPage(bytes, header.uncompressed_page_size, codec, compressors);
    if (page.length === 0) return emptyPage(v1.num_values, isOptional);
    if (!isOptional) return { values: v1.num_values, bytes: page, levels: undefined, present: v1.num_values };
    const length = new DataView(page.buffer, page.byteOffset, page.byteLength).getUint32(0, true);
    return { ...levelsOf(page.subarray(4, 4 + length), v1.num_values), bytes: page.subarray(4 + length) };
  }
  const { num_values: values, definition_levels_byte_length: length, repetition_levels_byte_length: before } = v2!;
  const rest = bytes.subarray(before + length);
  const size = header.uncompressed_page_size - before - length;
  // If all values are missing, nothing follows the levels.
  const page = v2!.is_compressed === false || size === 0 ? rest : decompressPage(rest, size, codec, compressors);
  if (!isOptional || length === 0) return { values, bytes: page, levels: undefined, present: values };
  return { ...levelsOf(bytes.subarray(before, before + length), values), bytes: page };
}

/** A page without bytes: all of its values are missing. */
function emptyPage(values: number, isOptional: boolean): OpenPage {
  if (!isOptional && values > 0) throw new RangeError('a page ends within its values');
  if (buffers.levels.length < values) buffers.levels = new Uint8Array(values);
  return { values, bytes: new Uint8Array(0), levels: buffers.levels.fill(0, 0, values), present: 0 };
}

/** Buffers that are reused for each page. */
const buffers = { levels: new Uint8Array(0), dense: new Int32Array(0), numbers: new Float64Array(0) };

function levelsOf(bytes: Uint8Array, values: number): Omit<OpenPage, 'bytes'> {
  if (buffers.levels.length < values) buffers.levels = new Uint8Array(values);
  const present = readLevels(bytes, buffers.levels, values);
  return { values, levels: present === values ? undefined : buffers.levels, present };
}

function readCodes(
  words: readonly unknown[],
  pages: readonly Page[],
  decoder: ColumnDecoder,
  isOptional: boolean,
  rows: number,
  reusable: RawColumn | undefined,
): ReadColumn {
  const codes = createArray(reusable?.kind === 'dictionary' ? reusable.codes.buffer : undefined, Int32Array, rows);
  let at = 0;
  let missing = 0;
  let maxCode = -1;
  for (const each of pages) {
    const { values, bytes, levels, present } = openPage(each, decoder, isOptional);
    if (levels && buffers.dense.length <= present) buffers.dense = new Int32Array(present + 1);
    const dense = levels ? buffers.dense : codes.subarray(at);
    if (present > 0) readHybrid(bytes, 1, bytes[0]!, dense, present);
    maxCode = Math.max(maxCode, maxCodeOf(dense, present));
    if (levels) spread(dense, levels, codes, at, values);
    at += values;
    missing += values - present;
  }
  if (maxCode >= words.length) throw new RangeError('a value is not in the dictionary');
  return { column: { kind: 'dictionary', codes, words }, missing };
}

function maxCodeOf(codes: Int32Array, count: number): number {
  let max = -1;
  for (let index = 0; index < count; index++) if (codes[index]! > max) max = codes[index]!;
  return max;
}

/** Spreads codes over the rows with a value; −1 for others. Reads one element after the last code. */
function spread(dense: Int32Array, levels: Uint8Array, codes: Int32Array, from: number, values: number): void {
  let next = 0;
  for (let index = 0; index < values; index++) {
    const isPresent = levels[index]!;
    codes[from + index] = dense[next]! | (isPresent - 1);
    next += isPresent;
  }
}

/** Size of a plain number in bytes; 0 for other columns. */
function plainWidth({ type, element: { converted_type: converted, logical_type: logical } }: ColumnDecoder): number {
  const isPlain =
    (converted === undefined || /^INT_/.test(converted)) &&
    (logical === undefined || (logical.type === 'INTEGER' && logical.isSigned));
  if (!isPlain) return 0;
  if (type === 'INT32' || type === 'FLOAT') return 4;
  return type === 'INT64' || type === 'DOUBLE' ? 8 : 0;
}

function readNumbers(
  pages: readonly Page[],
  decoder: ColumnDecoder,
  isOptional: boolean,
  rows: number,
  reusable: RawColumn | undefined,
): ReadColumn {
  const numbers = reusable?.kind === 'numbers' ? reusable : undefined;
  const values = createArray(numbers?.values.buffer, Float64Array, rows);
  let missing: Uint8Array | undefined;
  let absent = 0;
  let at = 0;
  for (const each of pages) {
    const page = openPage(each, decoder, isOptional);
    const { levels, present } = page;
    if (levels && buffers.numbers.length <= present) buffers.numbers = new Float64Array(present + 1);
    const dense = levels ? buffers.numbers : values.subarray(at);
    readPlain(page.bytes, decoder.type, present, dense);
    if (levels) {
      if (!missing) missing = createArray(numbers?.missing?.buffer, Uint8Array, rows).fill(0);
      for (let index = 0, next = 0; index < page.values; index++) {
        const isPresent = levels[index]!;
        values[at + index] = dense[next]!;
        missing[at + index] = isPresent ^ 1;
        next += isPresent;
      }
    }
    at += page.values;
    absent += page.values - present;
  }
  return { column: { kind: 'numbers', values, missing }, missing: absent };
}

type Numbers = Float64Array | Int32Array | Uint8Array;

/** An array of `length` elements, in `memory` if it is large enough. */
function createArray<T extends Numbers>(
  memory: ArrayBufferLike | undefined,
  kind: {
    new (memory: ArrayBufferLike | number, from?: number, length?: number): T;
    readonly BYTES_PER_ELEMENT: number;
  },
  length: number,
): T {
  return memory && memory.byteLength >= length * kind.BYTES_PER_ELEMENT
    ? new kind(memory, 0, length)
    : new kind(length);
}

function readPlain(bytes: Uint8Array, type: ColumnDecoder['type'], count: number, out: Float64Array): void {
  const width = type === 'INT32' || type === 'FLOAT' ? 4 : 8;
  if (bytes.length < count * width) throw new RangeError('a page ends within its numbers');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type === 'DOUBLE') for (let index = 0; index < count; index++) out[index] = view.getFloat64(8 * index, true);
  else if (type === 'FLOAT') for (let index = 0; index < count; index++) out[index] = view.getFloat32(4 * index, true);
  else if (type === 'INT32') for (let index = 0; index < count; index++) out[index] = view.getInt32(4 * index, true);
  else {
    // Above 2^53 the number is rounded, as in JSON. All domains are below.
    for (let index = 0; index < count; index++)
      out[index] = view.getInt32(8 * index + 4, true) * 2 ** 32 + view.getUint32(8 * index, true);
  }
}
