import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { zstdCompressSync } from 'node:zlib';
import { Message } from 'apache-arrow';
import { Endianness } from 'apache-arrow/fb/endianness';
import { Field as FlatField } from 'apache-arrow/fb/field';
import { Message as FlatMessage } from 'apache-arrow/fb/message';
import { MessageHeader } from 'apache-arrow/fb/message-header';
import { MetadataVersion } from 'apache-arrow/fb/metadata-version';
import { Null as FlatNull } from 'apache-arrow/fb/null';
import { Schema as FlatSchema } from 'apache-arrow/fb/schema';
import { Type } from 'apache-arrow/fb/type';
import { RecordBatch } from 'apache-arrow/ipc/metadata/message';
import { Builder } from 'flatbuffers';
import { type FileMetaData, parquetMetadata } from 'hyparquet';
import { ByteWriter, parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, describe, expect, it } from 'vitest';
import { sourceFlags } from '../../../../test/support/node-flags.ts';
import { unpackLz4Frame } from './arrow/lz4-frame.ts';
import { openBook, openBookStream } from './open-book.ts';
import { MAX_FOOTER_BYTES } from './parquet/check-footer.ts';
import { createInflation, INFLATED_FREE_BYTES, MAX_INFLATION, TooLargeError } from './source/inflation.ts';
import { cellOf } from './source/raw-batch.ts';
import { serializeTCompactProtocol, writeMetadata } from './testing/hyparquet-writer-internals.ts';

const folder = mkdtempSync(join(tmpdir(), 'leeward-hostile-'));
const path = join(folder, 'book');
afterAll(() => rmSync(folder, { recursive: true }));

/** Number of rows of a file, or its error. */
async function read(bytes: Uint8Array): Promise<number | string> {
  writeFileSync(path, bytes);
  const cause = (error: Error) => `${error.name}: ${error.message}`;
  const source = await openBook(path, { name: 'book' }).catch(cause);
  if (typeof source === 'string') return source;
  let rows = 0;
  try {
    for await (const batch of source.batches()) rows += batch.rows;
  } catch (error) {
    return cause(error as Error);
  } finally {
    await source.close();
  }
  return rows;
}

/** Reads a file in a process with a small heap. `peak` is its resident memory in MB. */
async function readWithin(bytes: Uint8Array): Promise<{ readonly ended: number | string; readonly peak: number }> {
  writeFileSync(path, bytes);
  const program = join(import.meta.dirname, 'testing/read-book.program.ts');
  const words = [...sourceFlags, '--max-old-space-size=128', program, path];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  const { ended, peak } = JSON.parse(stdout) as { ended: number | string; peak: number };
  return { ended, peak: peak / 1024 };
}

/** In MB. Reading a small book takes about 110; the rest is for data unpacked before the file is rejected. */
const MAX_PEAK = 300;

async function cellsOf(bytes: Uint8Array): Promise<unknown[]> {
  writeFileSync(path, bytes);
  const source = await openBook(path, { name: 'book' });
  const cells: unknown[] = [];
  for await (const batch of source.batches()) {
    for (const each of batch.columns) for (let row = 0; row < batch.rows; row++) cells.push(cellOf(each, row));
  }
  await source.close();
  return cells;
}

const lz4Magic = Buffer.from([0x04, 0x22, 0x4d, 0x18]);

describe('memory of a piece of a book', () => {
  it('is limited to a fixed allowance plus a multiple of its size in the file', () => {
    expect(() => createInflation(0)(INFLATED_FREE_BYTES)).not.toThrow();
    expect(() => createInflation(0)(INFLATED_FREE_BYTES + 1)).toThrow(TooLargeError);
    const charge = createInflation(1000);
    charge(INFLATED_FREE_BYTES);
    charge(1000 * MAX_INFLATION);
    expect(() => charge(1)).toThrow(TooLargeError);
    expect(() => charge(-1)).toThrow('it declares -1 bytes');
  });
});

const plain = new Uint8Array(
  parquetWriteBuffer({
    columnData: [{ name: 'state', data: ['tx', 'fl', 'tx'], type: 'STRING' }],
    codec: 'UNCOMPRESSED',
  }),
);

/** The file with another footer. */
function withMetadata(change: (metadata: FileMetaData) => void): Uint8Array {
  const metadata = structuredClone(parquetMetadata(plain.slice().buffer));
  change(metadata);
  const { metadata_length: length } = metadata;
  const writer = new ByteWriter();
  writer.appendBytes(plain.slice(0, plain.length - 8 - length));
  writeMetadata(writer, metadata);
  writer.appendBytes(new TextEncoder().encode('PAR1'));
  return new Uint8Array(writer.getBuffer());
}

/** A file of one column with a single page and an arbitrary header. */
function withPage(
  header: Record<string, unknown>,
  page: Uint8Array,
  change: (metadata: FileMetaData) => void = () => {},
): Uint8Array {
  const metadata = structuredClone(parquetMetadata(plain.slice().buffer));
  const writer = new ByteWriter();
  writer.appendBytes(new TextEncoder().encode('PAR1'));
  serializeTCompactProtocol(writer, header as never);
  writer.appendBytes(page);
  const meta = metadata.row_groups[0]!.columns[0]!.meta_data!;
  delete (meta as { dictionary_page_offset?: bigint }).dictionary_page_offset;
  meta.codec = 'ZSTD';
  meta.data_page_offset = 4n;
  meta.total_compressed_size = BigInt(writer.offset - 4);
  change(metadata);
  writeMetadata(writer, metadata);
  writer.appendBytes(new TextEncoder().encode('PAR1'));
  return new Uint8Array(writer.getBuffer());
}

const column = (metadata: FileMetaData) => metadata.row_groups[0]!.columns[0]!.meta_data!;

describe('a Parquet file that lies', () => {
  it('is read as long as it does not', async () => {
    expect(await read(withMetadata(() => {}))).toBe(3);
  });

  it.each<[string, (metadata: FileMetaData) => void, RegExp]>([
    [
      'a column that reaches beyond the file',
      (metadata) => {
        column(metadata).total_compressed_size = 2n ** 41n;
      },
      /column "state", is damaged or cut off: the file ends before it/,
    ],
    [
      'a column that begins behind the file',
      (metadata) => {
        column(metadata).data_page_offset = 2n ** 33n;
        delete (column(metadata) as { dictionary_page_offset?: bigint }).dictionary_page_offset;
      },
      /column "state", is damaged or cut off: the file ends before it/,
    ],
    [
      'a column of negative size',
      (metadata) => {
        column(metadata).total_compressed_size = -5n;
      },
      /column "state", is damaged or cut off: the file ends before it/,
    ],
    [
      'a row group of more rows than memory',
      (metadata) => {
        metadata.row_groups[0]!.num_rows = 2n ** 40n;
      },
      /column "state", is too large: it has \d+ bytes, and unpacked would take more than .* Write smaller row groups/,
    ],
    [
      'a row group of more rows than memory, whose column declares the same size',
      (metadata) => {
        metadata.row_groups[0]!.num_rows = 2n ** 40n;
        column(metadata).total_compressed_size = 2n ** 41n;
      },
      /column "state", is too large: it has \d+ bytes, and unpacked would take more than/,
    ],
    [
      'a row group of fewer rows than none',
      (metadata) => {
        metadata.row_groups[0]!.num_rows = -1n;
      },
      /row group 1 of its footer declares -1 rows/,
    ],
  ])('is refused by name for %s', async (_, change, message) => {
    expect(await read(withMetadata(change))).toMatch(message);
  });

  it.each([
    [
      'a page',
      { field_1: 0, field_2: 2 ** 31 - 1, field_3: 20, field_5: { field_1: 3, field_2: 0, field_3: 3, field_4: 3 } },
    ],
    ['a dictionary', { field_1: 2, field_2: 100, field_3: 20, field_7: { field_1: 2 ** 30, field_2: 0 } }],
  ])('is refused by name for %s that declares more than memory', async (_, header) => {
    expect(await read(withPage(header, new Uint8Array(20)))).toMatch(/column "state", is too large: it has/);
  });

  it('is refused by name for a page that declares more than memory in a column of groups', async () => {
    const page = { field_1: 3, field_2: 0, field_3: 3, field_4: 3 };
    const header = { field_1: 0, field_2: 2 ** 31 - 1, field_3: 20, field_5: page };
    const bytes = withPage(header, new Uint8Array(20), (metadata) => {
      const [root, leaf] = metadata.schema;
      metadata.schema = [
        root!,
        { name: 'state', repetition_type: 'OPTIONAL', num_children: 1 },
        { ...leaf!, name: 'code' },
      ];
      column(metadata).path_in_schema = ['state', 'code'];
    });
    expect(await read(bytes)).toMatch(/column "state", is too large: it has/);
  });

  it('has no numbers in a page without a byte, unless each row needs one', async () => {
    const page = { field_1: 3, field_2: 0, field_3: 3, field_4: 3 };
    const header = { field_1: 0, field_2: 0, field_3: 0, field_5: page };
    const empty = (repetition: 'OPTIONAL' | 'REQUIRED') =>
      withPage(header, new Uint8Array(0), (metadata) => {
        metadata.schema[1] = { name: 'state', type: 'INT32', repetition_type: repetition };
        column(metadata).type = 'INT32';
        delete (column(metadata) as { statistics?: unknown }).statistics;
      });
    expect(await read(empty('OPTIONAL'))).toBe(3);
    expect(await read(empty('REQUIRED'))).toMatch(/is damaged or cut off: a page ends within its values/);
  });

  it('is refused by name for a page larger than it declares', async () => {
    const page = zstdCompressSync(new Uint8Array(2 ** 26));
    const header = {
      field_1: 0,
      field_2: 100,
      field_3: page.length,
      field_5: { field_1: 3, field_2: 0, field_3: 3, field_4: 3 },
    };
    expect(await read(withPage(header, page))).toMatch(/column "state", is damaged or cut off/);
  });
});

function withFooter(footer: Uint8Array, length = footer.length): Uint8Array {
  const tail = Buffer.from('....PAR1');
  tail.writeUInt32LE(length, 0);
  return Buffer.concat([Buffer.from('PAR1'), footer, tail]);
}

/** The head of a list in Thrift's compact protocol, with a 5-byte length. */
const listOf = (type: number, count: number) => [
  0xf0 | type,
  ...[0, 7, 14, 21].map((shift) => ((count >> shift) & 0x7f) | 0x80),
  count >> 28,
];
/** Field types. */
const LIST_FIELD = 0x19;
const TEXT_FIELD = 0x18;

describe('a footer of Parquet that lies', () => {
  const levels = Array.from({ length: 50 }, () => listOf(9, 30_000_000)).flat();
  const nested = Buffer.alloc(2_000_000);
  nested.set([LIST_FIELD, ...Array.from({ length: 50 }, (_, level) => listOf(9, 1_990_000 - 6 * level)).flat()]);

  it.each<[string, Uint8Array, string]>([
    ['lists of 30 million lists', withFooter(Uint8Array.from([LIST_FIELD, ...levels])), 'lists more than it holds'],
    ['lists in each other that are all as long as it', withFooter(nested), 'footer'],
    ['more structures than columns have', withFooter(structures(3_000_000)), 'its footer has too many parts'],
    ['lists in each other without an end', withFooter(new Uint8Array(100_000).fill(LIST_FIELD)), 'nested too deep'],
    ['a number that does not end', withFooter(Buffer.alloc(1_000_000, 0xff).fill(0x16, 0, 1)), 'does not end'],
    ['a text beyond its end', withFooter(Uint8Array.from([TEXT_FIELD, 0xff, 0xff, 0x03])), 'more than it holds'],
    ['a type that is unknown', withFooter(Uint8Array.from([0x1d, 0, 0])), 'an unknown type'],
    ['a field of a negative number', withFooter(Uint8Array.from([0x06, 0x01, 0x02, 0])), 'an unknown field'],
    ['a length beyond the file', withFooter(new Uint8Array(100), 2 ** 31), 'longer than the file'],
    [
      'more bytes than are allowed',
      withFooter(new Uint8Array(MAX_FOOTER_BYTES + 1)),
      'has a footer of 16,777,217 bytes, and 16,777,216 are allowed. Write larger row groups or fewer columns.',
    ],
  ])('is refused by name and in little memory for %s', async (_, bytes, message) => {
    const { ended, peak } = await readWithin(bytes);
    expect(ended).toMatch(/^BookFileError: book /);
    expect(ended).toContain(message);
    expect(peak).toBeLessThan(MAX_PEAK);
  });

  it.each<[string, Record<string, unknown>, string]>([
    [
      'statistics of 10 kB',
      { field_4: [{ field_1: [{ field_3: { field_12: { field_5: 'x'.repeat(10_000) } } }] }] },
      'its footer has statistics of more than 8,192 bytes',
    ],
    [
      'groups in each other without an end',
      { field_2: groupsWithin(20_000), field_4: [] },
      'schema is nested too deep',
    ],
    [
      'a column that is not there',
      { field_2: groupsWithin(1).slice(0, 1), field_4: [] },
      'schema is not a tree of columns',
    ],
    [
      'a column in no group',
      { field_2: [...groupsWithin(1), { field_4: 'x' }], field_4: [] },
      'schema is not a tree of',
    ],
    ['a schema of nothing', { field_2: [], field_4: [] }, 'its schema is not a tree of columns'],
  ])('is refused by name for %s', async (_, metadata, message) => {
    const writer = new ByteWriter();
    serializeTCompactProtocol(writer, metadata as never);
    const ended = await read(withFooter(new Uint8Array(writer.getBuffer())));
    expect(ended).toMatch(/^BookFileError: book is not Parquet, or is damaged or truncated: /);
    expect(ended).toContain(message);
  });

  it('is refused in little memory for a page of 2 GB in a file of 4 kB', async () => {
    const page = zstdCompressSync(new Uint8Array(2 ** 26));
    const declared = {
      field_2: 2 ** 31 - 1,
      field_3: page.length,
      field_5: { field_1: 3, field_2: 0, field_3: 3, field_4: 3 },
    };
    for (const header of [
      { field_1: 0, ...declared },
      { field_1: 0, ...declared, field_2: 100 },
    ]) {
      const bytes = withPage(header, page);
      expect(bytes.length).toBeLessThan(4096);
      const { ended, peak } = await readWithin(bytes);
      expect(ended).toMatch(/column "state", is (too large|damaged or cut off)/);
      expect(peak).toBeLessThan(MAX_PEAK);
    }
  });
});

/** A footer with `count` empty structures. */
function structures(count: number): Uint8Array {
  return Buffer.concat([Buffer.from([LIST_FIELD, ...listOf(12, count)]), Buffer.alloc(count + 1)]);
}

/** Nested groups of a schema and a column. */
function groupsWithin(count: number): Record<string, unknown>[] {
  return [...Array.from({ length: count }, () => ({ field_4: 'group', field_5: 1 })), { field_4: 'state' }];
}

/** An Arrow message: marker, length, head padded to 8 bytes, body. */
function framed(head: Uint8Array, body = new Uint8Array(0)): Uint8Array {
  const padded = Math.ceil(head.length / 8) * 8;
  const bytes = new Uint8Array(8 + padded + body.length);
  new DataView(bytes.buffer).setInt32(0, -1, true);
  new DataView(bytes.buffer).setInt32(4, padded, true);
  bytes.set(head, 8);
  bytes.set(body, 8 + padded);
  return bytes;
}

/** A schema with one null column, nested `depth` levels, each referenced `width` times. */
function schemaOf(endianness: Endianness, { width = 1, depth = 1 } = {}): Uint8Array {
  const builder = new Builder();
  const name = builder.createString('state');
  FlatNull.startNull(builder);
  const type = FlatNull.endNull(builder);
  let below: number[] = [];
  for (let level = 0; level < depth; level++) {
    const children = FlatField.createChildrenVector(builder, below);
    FlatField.startField(builder);
    FlatField.addName(builder, name);
    FlatField.addNullable(builder, true);
    FlatField.addTypeType(builder, Type.Null);
    FlatField.addType(builder, type);
    FlatField.addChildren(builder, children);
    below = new Array<number>(width).fill(FlatField.endField(builder));
  }
  const fields = FlatSchema.createFieldsVector(builder, below.slice(0, 1));
  FlatSchema.startSchema(builder);
  FlatSchema.addEndianness(builder, endianness);
  FlatSchema.addFields(builder, fields);
  const schema = FlatSchema.endSchema(builder);
  FlatMessage.startMessage(builder);
  FlatMessage.addVersion(builder, MetadataVersion.V5);
  FlatMessage.addHeaderType(builder, MessageHeader.Schema);
  FlatMessage.addHeader(builder, schema);
  FlatMessage.addBodyLength(builder, 0n);
  FlatMessage.finishMessageBuffer(builder, FlatMessage.endMessage(builder));
  return framed(builder.asUint8Array());
}

/** A record batch that declares rows and bytes of columns without a buffer. */
const batchOf = (rows: number, bodyBytes = 0) =>
  framed(
    Message.encode(
      Message.from(new RecordBatch(rows, [{ length: rows, nullCount: rows } as never], [], null), bodyBytes),
    ),
  );

const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

describe('an Arrow file that lies', () => {
  it('is read as long as it does not', async () => {
    expect(await read(joined(schemaOf(Endianness.Little), batchOf(3)))).toBe(3);
  });

  it('is refused at its schema if its numbers are big-endian', async () => {
    const bytes = joined(schemaOf(Endianness.Big), batchOf(3));
    const message = 'BookFileError: book is Arrow with big-endian numbers, which is not supported';
    expect(await read(bytes)).toContain(message);
    await expect(openBookStream(Readable.from([Buffer.from(bytes)]), 'arrow', 'book')).rejects.toThrow(
      'book is Arrow with big-endian numbers',
    );
  });

  it('is refused by name for a batch of more rows than memory', async () => {
    expect(await read(joined(schemaOf(Endianness.Little), batchOf(3), batchOf(2 ** 40)))).toMatch(
      /^BookFileError: book: record batch 2 is too large: it has 0 bytes.* Write smaller record batches/,
    );
  });

  it('is refused by name for a head that lists more than it holds, as a file and as a stream', async () => {
    const batch = batchOf(3);
    // The length of the list of nodes precedes its only node: 3 rows, 3 of them null.
    const at = Buffer.from(batch).indexOf(Buffer.from([1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]));
    expect(at).toBeGreaterThan(0);
    new DataView(batch.buffer).setUint32(at, 2 ** 27, true);
    const bytes = joined(schemaOf(Endianness.Little), batch);
    expect(await read(bytes)).toContain('a head lists more than it holds');
    const source = await openBookStream(Readable.from([Buffer.from(bytes)]), 'arrow', 'book');
    await expect(source.batches()[Symbol.asyncIterator]().next()).rejects.toThrow('a head lists more than it holds');
  });

  it('is refused by name for columns within columns without end', async () => {
    const deep = (width: number, depth: number) => read(joined(schemaOf(Endianness.Little, { width, depth })));
    expect(await deep(1, 100)).toContain('its schema is not a tree of columns');
    // Referenced twice per level: a head of a few kilobytes describes 2 to the power of 40 columns.
    expect(await deep(2, 40)).toContain('a head lists more than it holds');
  });

  it('is refused by name for a packed buffer that declares more than memory', async () => {
    const bytes = readFileSync(join(import.meta.dirname, '../../../../fixtures/books/pyarrow-lz4.feather'));
    const at = bytes.indexOf(lz4Magic);
    bytes.writeBigInt64LE(2n ** 40n, at - 8);
    expect(await read(bytes)).toMatch(/^BookFileError: .* is too large: it has \d+ bytes/);
  });

  it('is read where a buffer of a packed batch is not packed', async () => {
    const packed = readFileSync(join(import.meta.dirname, '../../../../fixtures/books/pyarrow-lz4.feather'));
    const bytes = Buffer.from(packed);
    let count = 0;
    for (let at = packed.indexOf(lz4Magic); at >= 0; at = packed.indexOf(lz4Magic, at + 1)) {
      const size = Number(packed.readBigInt64LE(at - 8));
      bytes.set(unpackLz4Frame(packed.subarray(at), size), at);
      bytes.writeBigInt64LE(-1n, at - 8);
      count += 1;
    }
    expect(count).toBeGreaterThan(3);
    expect(await cellsOf(bytes)).toEqual(await cellsOf(packed));
  });

  it('is refused by name for a body that is not there, as a file and as a stream', async () => {
    const bytes = joined(schemaOf(Endianness.Little), batchOf(3, 2 ** 40));
    expect(await read(bytes)).toMatch(/book.* is not Arrow, or is damaged or truncated: the file ends before it/);
    const source = await openBookStream(Readable.from([Buffer.from(bytes)]), 'arrow', 'book');
    await expect(source.batches()[Symbol.asyncIterator]().next()).rejects.toThrow(/declares 1,099,511,627,776 bytes/);
  });

  it('fails only with a named error if any byte is changed', async () => {
    const files = [
      'pyarrow-lz4.feather',
      'pyarrow-typed-lz4.arrows',
      'pyarrow-views.arrow',
      'pyarrow-nested-lz4.arrow',
    ];
    let seed = 7;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
      return Math.floor((seed / 0x8000_0000) * below);
    };
    for (const file of files) {
      const whole = new Uint8Array(readFileSync(join(import.meta.dirname, '../../../../fixtures/books', file)));
      for (let turn = 0; turn < 60; turn++) {
        const bytes = whole.slice(0, turn % 4 === 0 ? random(whole.length) : whole.length);
        for (let change = 0; change < 3; change++) bytes[random(bytes.length)] = random(256);
        const ended = await read(bytes);
        if (typeof ended === 'string') expect(`${file} ${turn}: ${ended}`).toMatch(/: (BookFileError|RowFileError): /);
      }
    }
  });

  it('reads a file that comes as a stream', async () => {
    const bytes = readFileSync(join(import.meta.dirname, '../../../../fixtures/books/pyarrow-zstd.arrow'));
    const chunks = Array.from({ length: bytes.length }, (_, at) => Buffer.from(bytes.subarray(at, at + 1)));
    const source = await openBookStream(Readable.from(chunks, { objectMode: true }), 'arrow', 'book');
    const rows: number[] = [];
    for await (const batch of source.batches()) rows.push(batch.rows);
    expect(rows).toEqual([3]);
  });
});

describe('a frame of LZ4', () => {
  const head = [0x04, 0x22, 0x4d, 0x18, 0x40, 0x40, 0x00];
  const block = (...bytes: number[]) => [bytes.length, 0, 0, 0, ...bytes];
  const frame = (...blocks: number[][]) => Uint8Array.from([...head, ...blocks.flat(), 0, 0, 0, 0]);

  it('is unpacked into exactly its size', () => {
    // "ab", then 8 bytes from 2 before; then a block that refers to the previous one.
    const repeated = frame(block(0x24, 0x61, 0x62, 2, 0, 0), block(0x00, 4, 0, 0x10, 0x63));
    expect(Buffer.from(unpackLz4Frame(repeated, 15)).toString()).toBe('abababababababc');
  });

  it.each<[string, number[][], number, string]>([
    ['has more bytes than it declares', [block(0x1f, 0x61, 1, 0, 255, 255, 255, 0)], 10, 'has more bytes'],
    ['has fewer bytes than it declares', [block(0x10, 0x61)], 2, 'declares 2 bytes but has 1'],
    ['refers to bytes before its begin', [block(0x10, 0x61, 2, 0, 0)], 9, 'lies before its frame'],
    ['ends within a length', [block(0xf0, 255, 255)], 9, 'ends within a length'],
    ['ends within its bytes', [block(0x40, 0x61)], 9, 'ends within its bytes'],
    ['has a block beyond its end', [[255, 255, 255, 0x7f]], 9, 'reaches beyond its buffer'],
  ])('is refused if it %s', (_, blocks, size, message) => {
    expect(() => unpackLz4Frame(frame(...blocks), size)).toThrow(message);
  });
});
