import { zstdDecompressSync } from 'node:zlib';
import { type Data, DataType, type MetadataVersion, Vector } from 'apache-arrow';
import { CompressionType } from 'apache-arrow/fb/compression-type';
import type { BufferRegion, DictionaryBatch, RecordBatch } from 'apache-arrow/ipc/metadata/message';
import { VectorLoader } from 'apache-arrow/visitor/vectorloader';
import { DamageError } from '../source/damage.ts';
import { BYTES_A_VALUE, createInflation } from '../source/inflation.ts';
import type { ArrowColumn, ArrowSchema } from './arrow-schema.ts';
import { unpackLz4Frame } from './lz4-frame.ts';

type Dictionaries = Map<number, Vector>;
type Unpack = (bytes: Uint8Array) => Uint8Array;

/** Each compressed buffer starts with its uncompressed size. This value marks a buffer that is not compressed. */
const NOT_PACKED = -1n;
const SIZE_BYTES = 8;

/** Loads the used columns of a record batch, and decompresses no others. */
class ColumnLoader extends VectorLoader {
  readonly #unpack: Unpack;
  readonly #body: Uint8Array;

  constructor(
    batch: RecordBatch,
    body: Uint8Array,
    dictionaries: Dictionaries,
    version: MetadataVersion,
    unpack: Unpack,
    from: { readonly node: number; readonly buffer: number; readonly view: number },
  ) {
    const [nodes, buffers] = [batch.nodes.slice(from.node), batch.buffers.slice(from.buffer)];
    super(body, nodes, buffers, dictionaries, version, batch.variadicBufferCounts.slice(from.view));
    this.#unpack = unpack;
    this.#body = body;
  }

  protected override readData<T extends DataType>(_type: T, buffer: BufferRegion = this.nextBufferRange()): Uint8Array {
    if (!buffer) throw new DamageError('it has fewer buffers than its schema');
    const { offset, length } = buffer;
    if (!(offset >= 0 && length >= 0 && offset + length <= this.#body.length))
      throw new DamageError('a buffer reaches beyond its record batch');
    const bytes = this.#body.subarray(offset, offset + length);
    return length === 0 ? bytes : this.#unpack(bytes);
  }
}

function unpackerOf({ compression }: RecordBatch, charge: (bytes: number) => void): Unpack {
  if (!compression) return (bytes) => bytes;
  const { type } = compression;
  if (type !== CompressionType.LZ4_FRAME && type !== CompressionType.ZSTD)
    throw new DamageError(`it is compressed in a way of the number ${type}; known are LZ4 and ZSTD`);
  return (bytes) => {
    if (bytes.length < SIZE_BYTES) throw new DamageError('a packed buffer has no size');
    const declared = new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(0, true);
    const packed = bytes.subarray(SIZE_BYTES);
    if (declared === NOT_PACKED) return packed;
    const size = Number(declared);
    charge(size);
    if (size === 0) return new Uint8Array(0);
    const unpacked =
      type === CompressionType.ZSTD
        ? zstdDecompressSync(packed, { maxOutputLength: size })
        : unpackLz4Frame(packed, size);
    if (unpacked.length !== size) throw new DamageError(`a buffer declares ${size} bytes but has ${unpacked.length}`);
    return aligned(unpacked);
  };
}

/** Numbers are read in place, so their offset must be a multiple of their width. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
}

/** Returns the columns of a record batch in the order of the schema; undefined for unused columns. Throws a `DamageError`. */
export function loadColumns(
  batch: RecordBatch,
  body: Uint8Array,
  { columns }: ArrowSchema,
  dictionaries: Dictionaries,
  version: MetadataVersion,
  isWanted: (column: ArrowColumn) => boolean,
): readonly (Data | undefined)[] {
  const charge = createInflation(body.length);
  const selected = columns.filter(isWanted);
  charge(batch.length * BYTES_A_VALUE * selected.length);
  const unpack = unpackerOf(batch, charge);
  const from = { node: 0, buffer: 0, view: 0 };
  return columns.map((column) => {
    const { type, shape } = column;
    let data: Data | undefined;
    if (type && selected.includes(column)) {
      data = new ColumnLoader(batch, body, dictionaries, version, unpack, from).visit(type);
      if (data.length !== batch.length)
        throw new DamageError(
          `column ${JSON.stringify(column.name)} has ${data.length} values for ${batch.length} rows`,
        );
    }
    from.node += shape.nodes;
    from.buffer += shape.buffers;
    for (let view = 0; view < shape.views; view++) from.buffer += batch.variadicBufferCounts[from.view++] ?? 0;
    return data;
  });
}

/** Adds the words of a dictionary batch, or replaces them. Throws a `DamageError`. */
export function loadDictionary(
  { id, isDelta, data: batch }: DictionaryBatch,
  body: Uint8Array,
  type: DataType,
  dictionaries: Dictionaries,
  version: MetadataVersion,
): void {
  const charge = createInflation(body.length);
  charge(batch.length * BYTES_A_VALUE);
  const from = { node: 0, buffer: 0, view: 0 };
  const loader = new ColumnLoader(batch, body, dictionaries, version, unpackerOf(batch, charge), from);
  const words = new Vector([loader.visit(type)]);
  const existing = dictionaries.get(id);
  dictionaries.set(id, existing && isDelta ? existing.concat(words) : words);
}

/** Ids of the dictionaries of a type. */
export function dictionariesOf(type: DataType): readonly number[] {
  if (DataType.isDictionary(type)) return [Number(type.id), ...dictionariesOf(type.dictionary)];
  return (type.children ?? []).flatMap((child) => dictionariesOf(child.type));
}
