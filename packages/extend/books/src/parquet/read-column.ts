import type { ColumnMetaData } from 'hyparquet';
import { DamageError } from '../source/damage.ts';
import type { RawColumn } from '../source/raw-batch.ts';
import { decodeLeaf, dictionaryOf, type Values } from './decode-leaf.ts';
import { readHybrid, readLevels } from './hybrid.ts';
import { assembleNested, type ColumnDecoder } from './hyparquet-internals.ts';
import type { ParquetFile, SchemaTree } from './parquet-file.ts';
import { parsers } from './parsers.ts';
import { encodingOf, openDataPage, type Page, readPages, valuesOf } from './read-pages.ts';
import { toRequestValue } from './request-value.ts';

interface ColumnOptions {
  readonly rows: number;
  /** Adds up memory before it is allocated. */
  readonly charge: (bytes: number) => void;
  readonly file: Pick<ParquetFile, 'codecs' | 'checksum'>;
}

interface FlatColumnOptions extends ColumnOptions {
  /** This column of an earlier row group that is no longer in use, to reuse its memory. */
  readonly reusable: RawColumn | undefined;
}

/** Decodes a leaf of a list or a group: the lists of its levels. */
export function readLeaf(
  bytes: Uint8Array,
  meta: ColumnMetaData,
  [tree, node]: readonly [SchemaTree, SchemaTree],
  { charge, file }: Omit<ColumnOptions, 'rows'>,
): Values {
  const decoder = decoderOf(meta, [tree, ...pathTo(node, meta.path_in_schema)], file);
  return decodeLeaf(readPages(bytes, charge, file.checksum), decoder, charge).values;
}

/** Assembles a list or a group from its leaves, by their paths. */
export function nestedColumnOf(leaves: Map<string, Values>, node: SchemaTree, rows: number): RawColumn {
  if (node.children.length > 0 && rows > 0) assembleNested(leaves, node, parsers);
  const values = Array.from((rows === 0 ? [] : (leaves.get(node.path.join('.')) ?? [])) as Iterable<unknown>);
  if (values.length !== rows) throw new DamageError(`it has ${values.length} values for ${rows} rows`);
  return { kind: 'values', values: values.map((value) => toRequestValue(value, node)) };
}

/** The nodes of a leaf, from the node of its column. */
function pathTo(column: SchemaTree, [, ...names]: readonly string[]): SchemaTree[] {
  const path = [column];
  for (const name of names) {
    const child = path.at(-1)!.children.find(({ element }) => element.name === name);
    if (!child) throw new DamageError(`its schema has no part ${JSON.stringify(name)}`);
    path.push(child);
  }
  if (path.at(-1)!.children.length > 0) throw new DamageError('a part of it is a group and has values');
  return path;
}

function decoderOf(
  meta: ColumnMetaData,
  schemaPath: SchemaTree[],
  { codecs }: Pick<ParquetFile, 'codecs'>,
): ColumnDecoder {
  const { element } = schemaPath.at(-1)!;
  if (element.type === undefined) throw new DamageError('its type in the schema is unknown');
  if (element.type !== meta.type)
    throw new DamageError(`its type is ${element.type} in the schema and ${meta.type} in the row group`);
  return { ...meta, pathInSchema: meta.path_in_schema, element, schemaPath, compressors: codecs, parsers };
}

/** Decodes a flat column of a row group. Dictionaries and plain numbers are kept; hyparquet decodes other encodings. */
export function readFlatColumn(
  bytes: Uint8Array,
  meta: ColumnMetaData,
  schemaPath: SchemaTree[],
  { rows, charge, reusable, file }: FlatColumnOptions,
): RawColumn {
  const decoder = decoderOf(meta, schemaPath, file);
  const { element } = decoder;
  if (rows === 0) return { kind: 'values', values: [] };
  const pages = readPages(bytes, charge, file.checksum);
  const nulls = nullsOf(meta);
  const isOptional = element.repetition_type !== 'REQUIRED';
  const dictionary = pages.filter(({ header }) => header.type === 'DICTIONARY_PAGE');
  const data = pages.filter(({ header }) => header.type !== 'DICTIONARY_PAGE');
  const counted = data.reduce((sum, { header }) => sum + valuesOf(header), 0);
  if (counted !== rows) throw new DamageError(`it has ${counted} values for ${rows} rows`);
  if (dictionary.length === 1 && data.every(({ header }) => encodingOf(header)?.endsWith('_DICTIONARY'))) {
    const read = readCodes(wordsOf(dictionary[0]!, decoder), data, decoder, isOptional, rows, reusable);
    return expectNulls(read.column, read.missing, nulls);
  }
  const width = plainWidth(decoder);
  if (width > 0 && data.every(({ header }) => encodingOf(header) === 'PLAIN')) {
    const read = readNumbers(data, decoder, isOptional, rows, reusable);
    return expectNulls(read.column, read.missing, nulls);
  }
  const { values: decoded, missing } = decodeLeaf(pages, decoder, charge);
  const values = Array.from(decoded as Iterable<unknown>, (value) => toRequestValue(value, { element, children: [] }));
  if (values.length !== rows) throw new DamageError(`it has ${values.length} values for ${rows} rows`);
  return expectNulls({ kind: 'values', values }, missing, nulls);
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
    throw new DamageError(`it lacks ${missing} values, but its metadata declares ${expected}`);
  return column;
}

/** The distinct values of a dictionary, as in a request. */
function wordsOf(page: Page, decoder: ColumnDecoder): unknown[] {
  const words = dictionaryOf(page, decoder) as Iterable<unknown>;
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

/** Unpacks a data page and reads its levels. */
function openPage(page: Page, decoder: ColumnDecoder, isOptional: boolean): OpenPage {
  const { count, definition, values } = openDataPage(page, decoder, {
    maxRepetition: 0,
    maxDefinition: isOptional ? 1 : 0,
  });
  if (!definition) return { values: count, bytes: values, levels: undefined, present: count };
  return { ...levelsOf(definition, count), bytes: values };
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
    if (present > 0 && readHybrid(bytes, 1, bytes[0] ?? 0, dense, present) < bytes.length)
      throw new DamageError('the page goes on behind its numbers');
    maxCode = Math.max(maxCode, maxCodeOf(dense, present));
    if (levels) spread(dense, levels, codes, at, values);
    at += values;
    missing += values - present;
  }
  if (maxCode >= words.length) throw new DamageError('a value is not in the dictionary');
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
  if (bytes.length < count * width) throw new DamageError('a page ends within its numbers');
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
