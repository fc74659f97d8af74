import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { PageHeader, SchemaElement } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { createInflation } from '../source/inflation.ts';
import { decodeLeaf } from './decode-leaf.ts';
import type { ColumnDecoder } from './hyparquet-internals.ts';
import { parsers } from './parsers.ts';
import { openDataPage, type Page, readPages, sameLevels } from './read-pages.ts';

/** A column of the schema, from the root. */
function decoderOf(...elements: Partial<SchemaElement>[]): ColumnDecoder {
  const schemaPath = [{ name: 'root' }, ...elements].map((element) => ({
    element: { name: 'x', repetition_type: 'REQUIRED' as const, ...element },
    children: [],
    count: 1,
    path: [],
  }));
  const { element } = schemaPath.at(-1)!;
  return { type: element.type!, element, schemaPath, pathInSchema: [], codec: 'UNCOMPRESSED', parsers };
}

const list = (element: Partial<SchemaElement>) =>
  decoderOf({ repetition_type: 'OPTIONAL' }, { repetition_type: 'REPEATED' }, element);

type Encoding = NonNullable<PageHeader['data_page_header']>['encoding'];

/** A data page of version 1: encoded levels, then encoded values. */
function pageOf(count: number, encoding: Encoding, levels: readonly Uint8Array[], values: Uint8Array): Page {
  const bytes = Buffer.concat([
    ...levels.flatMap((each) => [Buffer.from(Uint32Array.of(each.length).buffer), each]),
    values,
  ]);
  const header: PageHeader = {
    type: 'DATA_PAGE',
    uncompressed_page_size: bytes.length,
    compressed_page_size: bytes.length,
    data_page_header: {
      num_values: count,
      encoding,
      definition_level_encoding: 'RLE',
      repetition_level_encoding: 'RLE',
    },
  };
  return { header, bytes: new Uint8Array(bytes) };
}

const dictionaryPage: Page = {
  header: {
    type: 'DICTIONARY_PAGE',
    uncompressed_page_size: 8,
    compressed_page_size: 8,
    dictionary_page_header: { num_values: 2, encoding: 'PLAIN', is_sorted: false },
  },
  bytes: new Uint8Array(Int32Array.of(7, 8).buffer),
};

const varint = (number: number): number[] =>
  number < 0x80 ? [number] : [(number & 0x7f) | 0x80, ...varint(Math.floor(number / 0x80))];

/** Numbers that grow by a step of at most 63, in delta encoding without a bit for each. */
function deltas(first: number, step: number, count: number): number[] {
  const blocks = Array.from({ length: Math.ceil((count - 1) / 128) }, () => [2 * step, 0]);
  return [...varint(128), 1, ...varint(count), ...varint(2 * first), ...blocks.flat()];
}

const free = () => {};
const integers = (...numbers: number[]) => new Uint8Array(Int32Array.from(numbers).buffer);

describe('a column that hyparquet decodes', () => {
  it('has its values, of several pages', () => {
    const decoder = list({ type: 'INT32' });
    // [5, 6], [], then [7] that goes on in the next page.
    const first = pageOf(4, 'PLAIN', [Uint8Array.of(3, 2), Uint8Array.of(3, 0b10011010, 0)], integers(5, 6, 7));
    const second = pageOf(1, 'PLAIN', [sameLevels(1, 1), sameLevels(2, 1)], integers(8));
    expect(decodeLeaf([first, second], decoder, free)).toEqual({ values: [[[5, 6]], [[]], [[7, 8]]], missing: 1 });
  });

  it('is refused for a run of more levels than values before one is stored', () => {
    const decoder = list({ type: 'INT32' });
    const long = Uint8Array.of(...varint(2 ** 29), 0);
    for (const levels of [
      [long, sameLevels(2, 3)],
      [sameLevels(0, 3), long],
    ])
      expect(() => decodeLeaf([pageOf(3, 'PLAIN', levels, integers(1, 2, 3))], decoder, free)).toThrow(
        'a run of a page goes on behind its values',
      );
  });

  it('is refused for more lists than memory', () => {
    const count = 5_000_000;
    const page = pageOf(count, 'PLAIN', [sameLevels(0, count), sameLevels(1, count)], new Uint8Array(0));
    expect(() => decodeLeaf([page], list({ type: 'INT32' }), createInflation(page.bytes.length))).toThrow(
      'unpacked would take more than the allowed',
    );
  });

  it('is refused for texts that grow with each one to more than memory', () => {
    const count = 30_000;
    const values = Uint8Array.from([...deltas(0, 1, count), ...deltas(1, 0, count), ...new Uint8Array(count)]);
    const page = pageOf(count, 'DELTA_BYTE_ARRAY', [], values);
    const decoder = decoderOf({ type: 'BYTE_ARRAY' });
    expect(() => decodeLeaf([page], decoder, createInflation(values.length))).toThrow('take more than the allowed');
    const few = Uint8Array.from([...deltas(0, 1, 3), ...deltas(1, 0, 3), 0x61, 0x62, 0x63]);
    expect(decodeLeaf([pageOf(3, 'DELTA_BYTE_ARRAY', [], few)], decoder, free).values).toEqual(['a', 'ab', 'abc']);
  });

  it.each<[string, Partial<SchemaElement>, Encoding, number[], string]>([
    ['a text beyond its page', { type: 'BYTE_ARRAY' }, 'PLAIN', [4, 0, 0, 0, 0x61], 'a page ends within its values'],
    ['fewer numbers', { type: 'INT32' }, 'BYTE_STREAM_SPLIT', [1, 2, 3], 'a page ends within its values'],
    [
      'a text after none',
      { type: 'BYTE_ARRAY' },
      'DELTA_BYTE_ARRAY',
      [...deltas(1, 0, 1), ...deltas(0, 0, 1)],
      'than the one before',
    ],
    [
      'an encoding that is unknown',
      { type: 'INT32' },
      'BIT_PACKED',
      [1],
      'the encoding of a page is unknown: BIT_PACKED',
    ],
    ['a code without a word', { type: 'INT32' }, 'RLE_DICTIONARY', [2, 2, 3], 'a value is not in the dictionary'],
  ])('is refused for %s', (_, element, encoding, bytes, message) => {
    const pages = [dictionaryPage, pageOf(1, encoding, [], Uint8Array.from(bytes))];
    expect(() => decodeLeaf(element.type === 'INT32' ? pages : pages.slice(1), decoderOf(element), free)).toThrow(
      message,
    );
  });

  it('is refused if its dictionary is missing, instead of reading codes as values', () => {
    const page = pageOf(1, 'RLE_DICTIONARY', [], Uint8Array.of(1, 2, 1));
    const decoder = decoderOf({ type: 'INT32' });
    expect(decodeLeaf([dictionaryPage, page], decoder, free).values).toEqual([8]);
    expect(() => decodeLeaf([page], decoder, free)).toThrow('its dictionary is missing');
  });

  it('is refused if its first value goes on with a row', () => {
    const page = pageOf(1, 'PLAIN', [sameLevels(1, 1), sameLevels(2, 1)], integers(1));
    expect(() => decodeLeaf([page], list({ type: 'INT32' }), free)).toThrow('a row that does not exist');
  });
});

describe('a page', () => {
  it('is unpacked although it is declared to be plain, as Arrow before 3.0 wrote it', () => {
    const values = integers(1, 1, 1, 1, 1, 1, 1, 1);
    const bytes = new Uint8Array(zstdCompressSync(values));
    const header: PageHeader = {
      type: 'DATA_PAGE_V2',
      uncompressed_page_size: values.length,
      compressed_page_size: bytes.length,
      data_page_header_v2: {
        num_values: 8,
        num_nulls: 0,
        num_rows: 8,
        encoding: 'PLAIN',
        definition_levels_byte_length: 0,
        repetition_levels_byte_length: 0,
        is_compressed: false,
      },
    };
    const compressors = { ZSTD: (packed: Uint8Array) => new Uint8Array(zstdDecompressSync(packed)) };
    const levels = { maxRepetition: 0, maxDefinition: 0 };
    expect(openDataPage({ header, bytes }, { codec: 'ZSTD', compressors }, levels).values).toEqual(values);
  });

  it('is refused for a header of lists in each other that each declare its length', () => {
    const bytes = new Uint8Array(1_000_000);
    bytes.set([0x19, ...Array.from({ length: 50 }, () => [0xf9, ...varint(900_000)]).flat()]);
    expect(() => readPages(bytes, free, undefined)).toThrow('a page header is nested too deep');
  });

  it('is refused without the header of its type', () => {
    // Its type is 2, a dictionary; it has 1 byte, and a header of data.
    const header = Uint8Array.of(0x15, 4, 0x15, 2, 0x15, 2, 0x2c, 0x15, 2, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0);
    const page = Buffer.concat([header, Uint8Array.of(0)]);
    expect(() => readPages(page, free, undefined)).toThrow('a page lacks the header of its type');
    page[1] = 0;
    expect(readPages(page, free, undefined)).toHaveLength(1);
  });
});
