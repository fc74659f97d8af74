import { type Compressors, type FileMetaData, parquetMetadata, parquetSchema } from 'hyparquet';
import { BookFileError } from '../source/book-file-error.ts';
import { DamageError, damageOf } from '../source/damage.ts';
import { checkFooter, checkRowGroups, checkSchemaTree, completeTypes, MAX_FOOTER_BYTES } from './check-footer.ts';

export type SchemaTree = ReturnType<typeof parquetSchema>;

/** Port: reads the bytes of a Parquet file, in Node or in a browser. */
export interface ParquetFile {
  /** For messages. */
  readonly name: string;
  readonly byteLength: number;
  /** Fills an array with the bytes from `from` on and returns it. Throws a `RangeError` that gives the reason. */
  readonly read: (from: number, bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>;
  readonly close: () => Promise<void>;
  /** Decompress pages, by codec. */
  readonly codecs: Compressors;
  /** CRC-32. Without it, checksums of pages are ignored. */
  readonly checksum?: (bytes: Uint8Array) => number;
  /** Advice for a column that cannot be read, as a sentence. */
  readonly wayOut: string;
}

const TAIL_BYTES = 8;
/** "PAR1". */
const MAGIC = 0x31_52_41_50;
/** "PARE". */
const ENCRYPTED_MAGIC = 0x45_52_41_50;

/** Reads the footer of a file. Throws a `BookFileError`. */
export async function readMetadata({
  name,
  byteLength,
  read,
}: ParquetFile): Promise<{ readonly metadata: FileMetaData; readonly tree: SchemaTree }> {
  try {
    if (byteLength < TAIL_BYTES) throw new DamageError('it is too short');
    const tail = await read(byteLength - TAIL_BYTES, new Uint8Array(TAIL_BYTES));
    const view = new DataView(tail.buffer);
    if (view.getUint32(4, true) === ENCRYPTED_MAGIC)
      throw new BookFileError(
        `${name} is encrypted Parquet, which is not supported. Write the file again without encryption.`,
      );
    if (view.getUint32(4, true) !== MAGIC) throw new DamageError('it does not end with PAR1');
    const length = view.getUint32(0, true);
    if (length > byteLength - TAIL_BYTES) throw new DamageError('its footer is longer than the file');
    if (length > MAX_FOOTER_BYTES) {
      const max = MAX_FOOTER_BYTES.toLocaleString('en-US');
      throw new BookFileError(
        `${name} has a footer of ${length.toLocaleString('en-US')} bytes, and ${max} are allowed. Write larger row groups or fewer columns.`,
      );
    }
    const footer = await read(byteLength - TAIL_BYTES - length, new Uint8Array(length + TAIL_BYTES));
    checkFooter(footer.subarray(0, length));
    const metadata = parquetMetadata(footer, { geoparquet: false });
    checkSchemaTree(metadata.schema);
    checkRowGroups(metadata.row_groups);
    completeTypes(metadata.schema);
    return { metadata, tree: parquetSchema(metadata) };
  } catch (error) {
    if (error instanceof BookFileError) throw error;
    throw new BookFileError(`${name} is not Parquet, or is damaged or truncated: ${damageOf(error)}. Write it again.`);
  }
}
