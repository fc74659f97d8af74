import { crc32 } from 'node:zlib';
import { ByteWriter } from 'hyparquet-writer';

// Enumerations of parquet.thrift.
const PLAIN = 0;
const RLE = 3;
const DELTA_BINARY_PACKED = 5;
const RLE_DICTIONARY = 8;
const DATA_PAGE = 0;
const DICTIONARY_PAGE = 2;

export type Page = readonly Uint8Array[];

// Field types of Thrift's compact protocol.
const I32 = 5;
const STRUCT = 12;

/** A Thrift struct: its fields by id. */
interface Struct {
  readonly [id: number]: number | Struct;
}

/** Writes a struct in Thrift's compact protocol. JavaScript orders whole-number keys. */
function appendStruct(writer: ByteWriter, struct: Struct): void {
  let previous = 0;
  for (const [key, value] of Object.entries(struct) as [string, number | Struct][]) {
    const id = Number(key);
    const isNumber = typeof value === 'number';
    writer.appendUint8(((id - previous) << 4) | (isNumber ? I32 : STRUCT));
    if (isNumber) writer.appendZigZag(value);
    else appendStruct(writer, value);
    previous = id;
  }
  writer.appendUint8(0);
}

/** Adds a `PageHeader` of parquet.thrift to a page. */
function page(body: Page, type: number, header: Struct): Page {
  const size = body.reduce((sum, { length }) => sum + length, 0);
  const crc = body.reduce((before, piece) => crc32(piece, before), 0) | 0;
  const writer = new ByteWriter(64);
  appendStruct(writer, { 1: type, 2: size, 3: size, 4: crc, ...header });
  return [writer.getBytes(), ...body];
}

export function dictionaryPage(words: readonly string[]): Page {
  const body = new ByteWriter(256);
  for (const word of words) {
    const bytes = Buffer.from(word);
    body.appendUint32(bytes.length);
    body.appendBytes(bytes);
  }
  return page([body.getBytes()], DICTIONARY_PAGE, { 7: { 1: words.length, 2: PLAIN } });
}

/** A page of bit-packed dictionary codes. `levels` are the definition levels of all rows. */
export function codesPage(packed: Uint8Array, width: number, present: number, levels: Uint8Array, rows: number): Page {
  const before = new ByteWriter(8);
  before.appendUint32(levels.length);
  const between = new ByteWriter(16);
  between.appendUint8(width);
  if (present > 0) between.appendVarInt((Math.ceil(present / 8) << 1) | 1);
  return page([before.getBytes(), levels, between.getBytes(), packed], DATA_PAGE, {
    5: { 1: rows, 2: RLE_DICTIONARY, 3: RLE, 4: RLE },
  });
}

/** Definition levels: a single run if all rows have a value, else a bit per row. */
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

/** A page of consecutive whole numbers, delta-encoded: its size hardly depends on their number. */
export function consecutivePage(first: number, rows: number): Page {
  const body = new ByteWriter(64 + Math.ceil(rows / BLOCK) * 6);
  body.appendVarInt(BLOCK);
  body.appendVarInt(MINI_BLOCKS);
  body.appendVarInt(rows);
  body.appendZigZag(BigInt(first));
  for (let count = 1; count < rows; count += BLOCK) {
    body.appendZigZag(1n);
    for (let mini = 0; mini < MINI_BLOCKS; mini++) body.appendUint8(0);
  }
  return page([body.getBytes()], DATA_PAGE, {
    5: { 1: rows, 2: DELTA_BINARY_PACKED, 3: RLE, 4: RLE },
  });
}
