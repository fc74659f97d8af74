/**
 * Decodes columns with hyparquet, which reads all encodings and nested columns but trusts its bytes: it stores a run of 2^31 levels, and a
 * text may reach into the next page. Each page is checked here first, and given to hyparquet unpacked.
 */
import { DamageError } from '../source/damage.ts';
import { readHybrid } from './hybrid.ts';
import { type ColumnDecoder, convert, deltaBinaryUnpack, readPage } from './hyparquet-internals.ts';
import { type DataPage, encodingOf, openDataPage, type Page, sameLevels } from './read-pages.ts';

export type Values = ReturnType<typeof convert>;

interface DecodedLeaf {
  /** By row, undefined or null if missing; of a nested column, the lists of its levels. */
  readonly values: Values;
  /** Number of missing values. */
  readonly missing: number;
}

/** Memory of a list that hyparquet creates for each level of a nested value, in bytes. */
const BYTES_A_LEVEL = 64;

/**
 * Decodes a leaf column.
 *
 * @param charge Adds up memory before it is allocated.
 */
export function decodeLeaf(
  pages: readonly Page[],
  decoder: ColumnDecoder,
  charge: (bytes: number) => void,
): DecodedLeaf {
  const levels = levelsOf(decoder);
  let dictionary: Values | undefined;
  const parts: Values[] = [];
  let missing = 0;
  for (const page of pages) {
    if (page.header.type === 'DICTIONARY_PAGE') {
      dictionary = dictionaryOf(page, decoder);
      continue;
    }
    const opened = openDataPage(page, decoder, levels);
    if (opened.count === 0) continue;
    const present = checkLevels(opened, levels, parts.length === 0, charge);
    missing += opened.count - present;
    checkValues(opened, present, decoder, dictionary, charge);
    // Rows go on in the next page: hyparquet adds its values to the same lists.
    const last = parts.at(-1);
    const read = decodePage(opened, present, decoder, dictionary, last);
    if (read !== last) parts.push(read);
  }
  const [first = []] = parts;
  const values = parts.length <= 1 ? first : parts.flatMap((part) => Array.from(part as Iterable<unknown>));
  return { values, missing };
}

/** The values of a dictionary page. */
export function dictionaryOf({ header, bytes: stored }: Page, decoder: ColumnDecoder): Values {
  // Values that stay bytes would change when the next column is read into the same memory.
  const bytes = stored.slice();
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  const { data } = readPage(reader, header, decoder, undefined, undefined, 0);
  return convert(data!, decoder);
}

function levelsOf({ schemaPath }: ColumnDecoder) {
  const types = schemaPath.slice(1).map(({ element }) => element.repetition_type);
  return {
    maxRepetition: types.filter((type) => type === 'REPEATED').length,
    maxDefinition: types.filter((type) => type !== 'REQUIRED').length,
  };
}

let numbers = new Int32Array(0);

function numbersOf(bytes: Uint8Array, from: number, width: number, count: number): Int32Array {
  if (numbers.length < count) numbers = new Int32Array(count);
  readHybrid(bytes, from, width, numbers, count);
  return numbers;
}

const widthOf = (max: number) => 32 - Math.clz32(max);

/** Checks the levels of a page. Returns the number of its values that are present. */
function checkLevels(
  { header, count, repetition, definition }: DataPage,
  { maxRepetition, maxDefinition }: ReturnType<typeof levelsOf>,
  isFirst: boolean,
  charge: (bytes: number) => void,
): number {
  if (maxRepetition > 0) {
    if (!repetition) throw new DamageError('a page ends within its levels');
    const levels = numbersOf(repetition, 0, widthOf(maxRepetition), count);
    if (isFirst && levels[0] !== 0) throw new DamageError('its first value goes on with a row that does not exist');
    for (let index = 0; index < count; index++)
      if (levels[index]! > maxRepetition) throw new DamageError('a level of a page is higher than its schema');
  }
  let present = count;
  if (definition) {
    const levels = numbersOf(definition, 0, widthOf(maxDefinition), count);
    let lists = 0;
    present = 0;
    for (let index = 0; index < count; index++) {
      const level = levels[index]!;
      if (level > maxDefinition) throw new DamageError('a level of a page is higher than its schema');
      if (level === maxDefinition) present += 1;
      lists += level;
    }
    if (maxDefinition > 1) charge(BYTES_A_LEVEL * lists);
  } else if (maxDefinition > 1) charge(BYTES_A_LEVEL * count * maxDefinition);
  const nulls = header.data_page_header_v2?.num_nulls;
  if (nulls !== undefined && nulls !== count - present)
    throw new DamageError(`a page lacks ${count - present} values, but declares ${nulls}`);
  return present;
}

/** Checks that the values of a page lie within it, and adds up the memory of those that are longer than their bytes. */
function checkValues(
  { header, values }: DataPage,
  count: number,
  { type, element }: ColumnDecoder,
  dictionary: Values | undefined,
  charge: (bytes: number) => void,
): void {
  if (count === 0) return;
  const encoding = encodingOf(header);
  const expectBytes = (bytes: number) => {
    if (!(bytes <= values.length)) throw new DamageError('a page ends within its values');
  };
  const fixed = widths[type] ?? (type === 'FIXED_LEN_BYTE_ARRAY' ? element.type_length : undefined);
  switch (encoding) {
    case 'PLAIN':
      if (type === 'BYTE_ARRAY') expectTexts(values, count);
      else expectBytes(type === 'BOOLEAN' ? (count + 7) >> 3 : count * (fixed ?? 0));
      break;
    case 'BYTE_STREAM_SPLIT':
      expectBytes(count * (fixed ?? 0));
      break;
    case 'PLAIN_DICTIONARY':
    case 'RLE_DICTIONARY': {
      if (!dictionary) throw new DamageError('its dictionary is missing');
      expectBytes(1);
      const codes = numbersOf(values, 1, values[0]!, count);
      for (let index = 0; index < count; index++)
        if (codes[index]! >= dictionary.length) throw new DamageError('a value is not in the dictionary');
      break;
    }
    case 'RLE':
      expectBytes(4);
      numbersOf(values.subarray(4), 0, 1, count);
      break;
    case 'DELTA_LENGTH_BYTE_ARRAY': {
      const { lengths, rest } = deltaLengths(values, count);
      if (sumOf(lengths) > rest) throw new DamageError('a page ends within its values');
      break;
    }
    case 'DELTA_BYTE_ARRAY': {
      const prefixes = deltaLengths(values, count);
      const suffixes = deltaLengths(values.subarray(values.length - prefixes.rest), count);
      if (sumOf(suffixes.lengths) > suffixes.rest) throw new DamageError('a page ends within its values');
      let before = 0;
      for (let index = 0; index < count; index++) {
        const prefix = prefixes.lengths[index]!;
        if (prefix > before) throw new DamageError('a value goes on with more than the one before');
        before = prefix + suffixes.lengths[index]!;
      }
      charge(sumOf(prefixes.lengths));
      break;
    }
    case 'DELTA_BINARY_PACKED':
      break;
    default:
      throw new DamageError(`the encoding of a page is unknown${encoding ? `: ${encoding}` : ''}`);
  }
}

const widths: Readonly<Record<string, number>> = { INT32: 4, FLOAT: 4, INT64: 8, DOUBLE: 8, INT96: 12 };

/** Texts with their lengths. */
function expectTexts(bytes: Uint8Array, count: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  for (let index = 0; index < count; index++) {
    if (at + 4 > bytes.length) throw new DamageError('a page ends within its values');
    at += 4 + view.getUint32(at, true);
  }
  if (at > bytes.length) throw new DamageError('a page ends within its values');
}

/** Lengths in delta encoding, and the number of bytes after them. */
function deltaLengths(bytes: Uint8Array, count: number): { readonly lengths: Int32Array; readonly rest: number } {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  const lengths = new Int32Array(count);
  deltaBinaryUnpack(reader, count, lengths);
  return { lengths, rest: bytes.length - reader.offset };
}

function sumOf(lengths: Int32Array): number {
  let sum = 0;
  for (const length of lengths) {
    if (length < 0) throw new DamageError('a value has a negative length');
    sum += length;
  }
  return sum;
}

/** Gives the unpacked page to hyparquet. */
function decodePage(
  { header, count, repetition, definition: stored, values }: DataPage,
  present: number,
  decoder: ColumnDecoder,
  dictionary: Values | undefined,
  last: Values | undefined,
): Values {
  const { data_page_header: v1, data_page_header_v2: v2 } = header;
  const { maxDefinition } = levelsOf(decoder);
  const definition = stored ?? (maxDefinition > 0 ? sameLevels(maxDefinition, count) : undefined);
  const parts = [repetition, definition].flatMap((levels) => {
    if (!levels) return [];
    return v1 ? [new Uint8Array(Uint32Array.of(levels.length).buffer), levels] : [levels];
  });
  parts.push(values);
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  // Without values, other encodings may lack their head.
  const encoding = present === 0 ? { encoding: 'PLAIN' as const } : {};
  const unpacked = {
    ...header,
    compressed_page_size: size,
    uncompressed_page_size: size,
    ...(v1 && { data_page_header: { ...v1, ...encoding } }),
    ...(v2 && {
      data_page_header_v2: {
        ...v2,
        ...encoding,
        is_compressed: false,
        repetition_levels_byte_length: repetition?.length ?? 0,
        definition_levels_byte_length: definition?.length ?? 0,
      },
    }),
  };
  const reader = { view: new DataView(bytes.buffer), offset: 0 };
  const { data } = readPage(reader, unpacked, { ...decoder, codec: 'UNCOMPRESSED' }, dictionary, last, 0);
  if (!data) throw new DamageError('a page has no values');
  return data;
}
