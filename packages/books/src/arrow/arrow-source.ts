import { open } from 'node:fs/promises';
import { zstdDecompressSync } from 'node:zlib';
import { CompressionType, compressionRegistry, type RecordBatch, RecordBatchReader, type Vector } from 'apache-arrow';
import { BookFileError } from '../source/book-file-error.ts';
import { type BatchOptions, type BookSlice, type BookSource, ROWS_A_BATCH, rowsWithin } from '../source/book-source.ts';
import { type RawBatch, type RawColumn, sliceColumn } from '../source/raw-batch.ts';
import { FileMessagesError, findMessages } from './file-messages.ts';
import { rawColumnOf } from './raw-column-of.ts';

compressionRegistry.set(CompressionType.ZSTD, { decode: (bytes) => zstdDecompressSync(bytes) });

/** Record batches of a book, wherever they come from. */
interface Batches {
  readonly names: readonly string[];
  /** Rows of each record batch; undefined of a stream, where nobody knows yet. */
  readonly batchRows: readonly number[] | undefined;
  /** Opened once for each time they are read. */
  read(from: number, to: number): Promise<AsyncIterable<RecordBatch>>;
  close(): Promise<void>;
}

/**
 * Opens Arrow IPC, as a file or as a stream: a path, or the bytes of a stream, which can be read once and in one piece. A record
 * batch is a slice's unit. Throws a `BookFileError`.
 */
export async function openArrow(input: string | AsyncIterable<Uint8Array>, name: string): Promise<BookSource> {
  const batches = await (typeof input === 'string' ? openFile(input, name) : openStream(input, name));
  const { names } = batches;

  /** Record batches from one on, each with its number. */
  async function* recordBatches(
    from: number,
    to: number,
  ): AsyncGenerator<{ readonly unit: number; readonly batch: RecordBatch }> {
    let unit = from;
    try {
      for await (const batch of await batches.read(from, to)) {
        yield { unit, batch };
        unit += 1;
      }
    } catch (error) {
      throw error instanceof BookFileError ? error : fileError(name, unit, error);
    }
  }

  return {
    format: 'arrow',
    names,
    async slices() {
      if (!batches.batchRows) throw new BookFileError(`${name} is a stream, which is read in one piece.`);
      const slices: BookSlice[] = [];
      let firstRow = 0;
      for (const [unit, rows] of batches.batchRows.entries()) {
        slices.push({ from: unit, to: unit + 1, unitFirstRow: firstRow, firstRow, rows });
        firstRow += rows;
      }
      return slices;
    },
    async *batches({ slice, isWanted = () => true, onBytes }: BatchOptions = {}): AsyncGenerator<RawBatch> {
      let firstRow = slice?.unitFirstRow ?? 0;
      const words = new WeakMap<Vector, readonly unknown[]>();
      let columns: (RawColumn | undefined)[] = [];
      for await (const { batch } of recordBatches(slice?.from ?? 0, slice?.to ?? Number.POSITIVE_INFINITY)) {
        columns = names.map((column, index) => {
          const vector = isWanted(column) ? batch.getChildAt(index) : undefined;
          return vector ? rawColumnOf(vector, words, columns[index]) : undefined;
        });
        onBytes?.(batch.data.byteLength);
        const [begin, end] = rowsWithin(slice, firstRow, batch.numRows);
        for (let from = begin; from < end; from += ROWS_A_BATCH) {
          const to = Math.min(end, from + ROWS_A_BATCH);
          const cut = columns.map((column) => column && sliceColumn(column, from, to));
          yield { firstRow: firstRow + from, rows: to - from, names, columns: cut, unread: [] };
        }
        firstRow += batch.numRows;
      }
    },
    close: batches.close,
  };
}

/** A file is read by its messages: what stands before a slice is stepped over. */
async function openFile(path: string, name: string): Promise<Batches> {
  const file = await open(path, 'r');
  try {
    const { schema, batchRows, stream } = await findMessages(file);
    return {
      names: schema.fields.map((field) => String(field.name)),
      batchRows,
      async read(from, to) {
        if (from >= Math.min(to, batchRows.length)) return none;
        const reader = await RecordBatchReader.from(stream(from, to));
        return reader.open({ autoDestroy: false });
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw fileError(name, error instanceof FileMessagesError ? error.batch : undefined, error);
  }
}

async function openStream(input: AsyncIterable<Uint8Array>, name: string): Promise<Batches> {
  try {
    const reader = await RecordBatchReader.from(input as AsyncIterable<Uint8Array<ArrayBuffer>>);
    await reader.open({ autoDestroy: false });
    return {
      names: reader.schema.fields.map((field) => String(field.name)),
      batchRows: undefined,
      read: async () => reader as AsyncIterable<RecordBatch>,
      close: async () => {},
    };
  } catch (error) {
    throw fileError(name, undefined, error);
  }
}

const none: AsyncIterable<never> = { async *[Symbol.asyncIterator]() {} };

function fileError(name: string, unit: number | undefined, error: unknown): BookFileError {
  const { message } = error as Error;
  const where = unit === undefined ? name : `${name}: record batch ${unit + 1}`;
  if (/codec not found|LZ4/i.test(message)) {
    return new BookFileError(
      `${where} is compressed with LZ4, which is not read here: write it uncompressed or with ZSTD (ClickHouse: output_format_arrow_compression_method = 'none').`,
    );
  }
  return new BookFileError(`${where} is no Arrow, or is damaged or cut off: ${message}.`);
}
