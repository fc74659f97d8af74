import { crc32 } from 'node:zlib';
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { serializeTCompactProtocol } from 'hyparquet-writer/src/thrift.js';

// Places in the enumerations of parquet.thrift.
const PLAIN = 0;
const RLE = 3;
const DELTA_BINARY_PACKED = 5;
const RLE_DICTIONARY = 8;
const DATA_PAGE = 0;
const DICTIONARY_PAGE = 2;

/** A page in pieces, as they follow one another. */
export type Page = readonly Uint8Array[];

function page(body: Page, type: number, header: Readonly<Record<string, unknown>>): Page {
  const size = body.reduce((sum, { length }) => sum + length, 0);
  const writer = new ByteWriter(64);
  serializeTCompactProtocol(writer, {
    field_1: type,
    field_2: size,
    field_3: size,
    field_4: body.reduce((crc, piece) => crc32(piece, crc), 0) | 0,
    ...header,
  });
  return [writer.getBytes(), ...body];
}

/** The words of a dictionary, as a page. */
export function dictionaryPage(words: readonly string[]): Page {
  const body = new ByteWriter(256);
  for (const word of words) {
    const bytes = Buffer.from(word);
    body.appendUint32(bytes.length);
    body.appendBytes(bytes);
  }
  return page([body.getBytes()], DICTIONARY_PAGE, { field_7: { field_1: words.length, field_2: PLAIN } });
}

/** Places in a dictionary, packed bits; `levels` says of all rows which have one. */
export function codesPage(packed: Uint8Array, width: number, present: number, levels: Uint8Array, rows: number): Page {
  const before = new ByteWriter(8);
  before.appendUint32(levels.length);
  const between = new ByteWriter(16);
  between.appendUint8(width);
  if (present > 0) between.appendVarInt((Math.ceil(present / 8) << 1) | 1);
  return page([before.getBytes(), levels, between.getBytes(), packed], DATA_PAGE, {
    field_5: { field_1: rows, field_2: RLE_DICTIONARY, field_3: RLE, field_4: RLE },
  });
}

/** Which rows have a value: one run where all have, else a bit each. */
export function levelsOf(rows: number, missing: readonly number[]): Uint8Array {
  const writer = new ByteWriter(missing.length === 0 ? 8 : (rows >> 3) + 8);
  if (missing.length === 0) {
    writer.appendVarInt(rows << 1);
    writer.appendUint8(1);
    return writer.getBytes();
  }
  const bits = new Uint8Array((rows + 7) >> 3).fill(0xff);
  for (const row of missing) bits[row >> 3]! &= ~(1 << (row & 7));
  writer.appendVarInt((bits.length << 1) | 1);
  writer.appendBytes(bits);
  return writer.getBytes();
}

const BLOCK = 128;
const MINI_BLOCKS = 4;

/** Consecutive whole numbers: only where they begin takes room. */
export function consecutivePage(first: number, rows: number): Page {
  const body = new ByteWriter(64 + Math.ceil(rows / BLOCK) * 6);
  body.appendVarInt(BLOCK);
  body.appendVarInt(MINI_BLOCKS);
  body.appendVarInt(rows);
  body.appendZigZag(BigInt(first));
  for (let done = 1; done < rows; done += BLOCK) {
    body.appendZigZag(1n);
    for (let mini = 0; mini < MINI_BLOCKS; mini++) body.appendUint8(0);
  }
  return page([body.getBytes()], DATA_PAGE, {
    field_5: { field_1: rows, field_2: DELTA_BINARY_PACKED, field_3: RLE, field_4: RLE },
  });
}
