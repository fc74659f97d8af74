import type { ColumnMetaData, FileMetaData } from 'hyparquet';
import { BookFileError } from '../source/book-file-error.ts';
import {
  type BatchOptions,
  type BookSlice,
  type BookSource,
  type ColumnType,
  ROWS_A_BATCH,
  rowsWithin,
} from '../source/book-source.ts';
import { DamageError, damageOf } from '../source/damage.ts';
import { BYTES_A_VALUE, createInflation, TooLargeError } from '../source/inflation.ts';
import { type RawBatch, type RawColumn, sliceColumn } from '../source/raw-batch.ts';
import { unreadTypes } from '../source/unread-types.ts';
import type { Values } from './decode-leaf.ts';
import { type ParquetFile, readMetadata, type SchemaTree } from './parquet-file.ts';
import { nestedColumnOf, readFlatColumn, readLeaf } from './read-column.ts';

interface RowGroupRows {
  readonly firstRow: number;
  readonly rows: number;
}

interface ReadColumn {
  readonly read: RawColumn;
  /** Size in the file. */
  readonly bytes: number;
}

/**
 * Reads the rows of a Parquet file. The unit of slices is a row group.
 *
 * @throws {BookFileError} if the file cannot be read.
 *
 * @example
 * const book = await createParquetSource(file);
 */
export async function createParquetSource(file: ParquetFile): Promise<BookSource> {
  const { metadata, tree } = await readMetadata(file);
  const columnReader = new ColumnReader(file, metadata, tree);
  const { groups } = columnReader;
  const names = tree.children.map(({ element }) => element.name);
  return {
    format: 'parquet',
    names,
    typeOf: (name) => typeOf(tree.children.find(({ element }) => element.name === name)!),
    async slices() {
      return groups.map(
        ({ firstRow, rows }, unit): BookSlice => ({ from: unit, to: unit + 1, unitFirstRow: firstRow, firstRow, rows }),
      );
    },
    async *batches({ slice, isWanted = () => true, onBytes }: BatchOptions = {}): AsyncGenerator<RawBatch> {
      const before = new Map<string, RawColumn>();
      for (let unit = slice?.from ?? 0; unit < (slice?.to ?? groups.length); unit++) {
        const { firstRow, rows } = groups[unit]!;
        const columns: (RawColumn | undefined)[] = [];
        const charge = columnReader.inflationOf(unit, names.filter(isWanted));
        for (const column of names) {
          if (!isWanted(column)) {
            columns.push(undefined);
            continue;
          }
          const { read, bytes } = await columnReader.read(unit, column, charge, before.get(column));
          before.set(column, read);
          columns.push(read);
          onBytes?.(bytes);
        }
        const [begin, end] = rowsWithin(slice, firstRow, rows);
        for (let from = begin; from < end; from += ROWS_A_BATCH) {
          const to = Math.min(end, from + ROWS_A_BATCH);
          const cut = columns.map((column) => column && sliceColumn(column, from, to));
          yield { firstRow: firstRow + from, rows: to - from, names, columns: cut, unread: [] };
        }
      }
    },
    close: () => file.close(),
  };
}

/** Reads columns of the row groups of a file. Decodes one column at a time. */
class ColumnReader {
  readonly groups: readonly RowGroupRows[];
  readonly #file: ParquetFile;
  readonly #metadata: FileMetaData;
  readonly #tree: SchemaTree;
  #buffer: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  constructor(file: ParquetFile, metadata: FileMetaData, tree: SchemaTree) {
    this.#file = file;
    this.#metadata = metadata;
    this.#tree = tree;
    let firstRow = 0;
    this.groups = metadata.row_groups.map((group) => {
      const rows = Number(group.num_rows);
      firstRow += rows;
      return { firstRow: firstRow - rows, rows };
    });
  }

  /** Adds up the memory of the used columns of a row group. */
  inflationOf(unit: number, columns: readonly string[]): (bytes: number) => void {
    const sizes = columns.flatMap((column) =>
      this.#chunksOf(unit, column).map((chunk) => Number(chunk.total_compressed_size)),
    );
    const storedBytes = sizes.reduce((sum, bytes) => sum + bytes, 0);
    return createInflation(Math.min(this.#file.byteLength, Math.max(0, storedBytes)));
  }

  /** Throws a `BookFileError`. */
  async read(
    unit: number,
    column: string,
    charge: (bytes: number) => void,
    reusable: RawColumn | undefined,
  ): Promise<ReadColumn> {
    try {
      return await this.#decode(unit, column, charge, reusable);
    } catch (error) {
      if (error instanceof BookFileError) throw error;
      const { name, wayOut } = this.#file;
      const { firstRow, rows } = this.groups[unit]!;
      const where = `${name}: row group ${unit + 1} of ${this.groups.length} (rows ${firstRow + 1} to ${firstRow + rows}), column ${JSON.stringify(column)}`;
      if (error instanceof TooLargeError)
        throw new BookFileError(`${where}, is too large: ${error.message}. Write smaller row groups.`);
      throw new BookFileError(`${where}, is damaged or cut off: ${damageOf(error)}. ${wayOut}`);
    }
  }

  async #decode(
    unit: number,
    column: string,
    charge: (bytes: number) => void,
    reusable: RawColumn | undefined,
  ): Promise<ReadColumn> {
    const file = this.#file;
    const { rows } = this.groups[unit]!;
    const node = this.#tree.children.find(({ element }) => element.name === column)!;
    const chunks = this.#chunksOf(unit, column);
    if (this.#isEncrypted(unit, column))
      throw new BookFileError(
        `${file.name}: column ${JSON.stringify(column)} is encrypted, which is not supported. Write it without encryption, or leave it out with "ignore" in the map of columns.`,
      );
    const [chunk] = chunks;
    if (!chunk) throw new DamageError('the row group does not have it');
    this.#expectSupported(column, node, chunks);
    charge(rows * BYTES_A_VALUE);
    if (!isNested(node)) {
      const bytes = await this.#readChunk(chunk);
      const read = readFlatColumn(bytes, chunk, [this.#tree, node], { rows, charge, reusable, file });
      return { read, bytes: bytes.length };
    }
    const leaves = new Map<string, Values>();
    let size = 0;
    for (const each of chunks) {
      const bytes = await this.#readChunk(each);
      size += bytes.length;
      leaves.set(each.path_in_schema.join('.'), readLeaf(bytes, each, [this.#tree, node], { charge, file }));
    }
    return { read: nestedColumnOf(leaves, node, rows), bytes: size };
  }

  #expectSupported(column: string, node: SchemaTree, chunks: readonly ColumnMetaData[]): void {
    const { name, codecs, wayOut } = this.#file;
    const typeName = unreadType(node);
    if (typeName !== undefined) throw unreadTypes([{ name: column, typeName }], name);
    const unknown = chunks.find(({ codec }) => codec !== 'UNCOMPRESSED' && !codecs[codec]);
    if (unknown)
      throw new BookFileError(
        `${name}: column ${JSON.stringify(column)} is packed by ${unknown.codec ?? 'an unknown codec'}, which is not supported. ${wayOut}`,
      );
  }

  #chunksOf(unit: number, column: string): readonly ColumnMetaData[] {
    return this.#metadata.row_groups[unit]!.columns.flatMap(({ meta_data }) =>
      meta_data?.path_in_schema[0] === column ? [meta_data] : [],
    );
  }

  /** With a readable footer, only columns are encrypted; all metadata of some may be. */
  #isEncrypted(unit: number, column: string): boolean {
    const { columns } = this.#metadata.row_groups[unit]!;
    const own = columns.filter(({ meta_data }) => meta_data?.path_in_schema[0] === column);
    return own.length > 0
      ? own.some(({ crypto_metadata }) => crypto_metadata !== undefined)
      : columns.some(({ meta_data }) => meta_data === undefined);
  }

  async #readChunk(chunk: ColumnMetaData): Promise<Uint8Array> {
    const begin = Number(chunk.dictionary_page_offset || chunk.data_page_offset);
    const from = Math.min(begin, Number(chunk.data_page_offset));
    const size = Number(chunk.total_compressed_size);
    if (!(from >= 0 && size >= 0 && from + size <= this.#file.byteLength))
      throw new DamageError('the file ends before it');
    if (this.#buffer.length < size) this.#buffer = new Uint8Array(2 * size);
    try {
      return await this.#file.read(from, this.#buffer.subarray(0, size));
    } catch (error) {
      throw error instanceof RangeError ? new DamageError(error.message) : error;
    }
  }
}

function typeOf(node: SchemaTree): ColumnType {
  const { type, converted_type: converted, logical_type: logical } = node.element;
  if (isNested(node)) return 'text';
  if (type === 'BOOLEAN') return 'boolean';
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL' || type === 'FLOAT' || type === 'DOUBLE') return 'number';
  const isWhole = converted === undefined || /^U?INT_/.test(converted);
  return isWhole && (logical === undefined || logical.type === 'INTEGER') && (type === 'INT32' || type === 'INT64')
    ? 'integer'
    : 'text';
}

const isNested = ({ children, element }: SchemaTree) => children.length > 0 || element.repetition_type === 'REPEATED';

/**
 * Returns the first type in a column, at any depth, that has no form in a request or that hyparquet does not read. In a shredded variant,
 * hyparquet would read binary or decimal values as a nested variant, and of an object within it would drop the parts that are not
 * shredded.
 */
function unreadType(node: SchemaTree, isVariant = false): string | undefined {
  const { element, children } = node;
  if (children.length === 0) {
    const { type, converted_type: converted, logical_type: logical } = element;
    const typeName = logical?.type ?? converted;
    if (typeName !== undefined && /^(TIME|TIME_MILLIS|TIME_MICROS|INTERVAL|BSON)$/.test(typeName)) return typeName;
    const isOwn = element.name === 'metadata' || element.name === 'value';
    const isBytes =
      (type === 'BYTE_ARRAY' && converted !== 'UTF8' && logical?.type !== 'STRING') ||
      (type === 'FIXED_LEN_BYTE_ARRAY' && converted === undefined && logical === undefined);
    return isVariant && !isOwn && isBytes ? `shredded VARIANT with ${typeName ?? type}` : undefined;
  }
  const typed = children.find((child) => child.element.name === 'typed_value');
  const hasParts = typed && typed.children.length > 0 && typed.element.converted_type !== 'LIST';
  if (isVariant && hasParts && children.some((child) => child.element.name === 'value'))
    return 'shredded VARIANT with objects in it';
  for (const child of children) {
    const childType = unreadType(child, isVariant || element.logical_type?.type === 'VARIANT');
    if (childType !== undefined) return childType;
  }
  return undefined;
}
