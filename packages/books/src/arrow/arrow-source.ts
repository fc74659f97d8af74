import { type FileHandle, open } from 'node:fs/promises';
import { zstdDecompressSync } from 'node:zlib';
import { CompressionType, compressionRegistry, type RecordBatch, RecordBatchReader, type Vector } from 'apache-arrow';
import { BookFileError } from '../source/book-file-error.ts';
import { type BatchOptions, type BookSlice, type BookSource, ROWS_A_BATCH, rowsWithin } from '../source/book-source.ts';
import { type RawBatch, type RawColumn, sliceColumn } from '../source/raw-batch.ts';
import { rawColumnOf } from './raw-column-of.ts';

compressionRegistry.set(CompressionType.ZSTD, { decode: (bytes) => zstdDecompressSync(bytes) });

type Input = string | AsyncIterable<Uint8Array>;

/**
 * Opens Arrow IPC, as a file or as a stream: a path, or the bytes of a stream, which can be read once and in one piece. A record
 * batch is a slice's unit. Throws a `BookFileError`.
 */
export async function openArrow(input: Input, name: string): Promise<BookSource> {
  let handle: FileHandle | undefined;
  const openReader = async () => {
    try {
      handle = typeof input === 'string' ? await open(input, 'r') : undefined;
      const reader = handle
        ? await RecordBatchReader.from(handle)
        : await RecordBatchReader.from(input as AsyncIterable<Uint8Array<ArrayBuffer>>);
      await reader.open({ autoDestroy: false });
      return reader;
    } catch (error) {
      await handle?.close();
      throw fileError(name, undefined, error);
    }
  };
  let reader: Awaited<ReturnType<typeof openReader>> | undefined = await openReader();
  const names = reader.schema.fields.map((field) => String(field.name));
  const close = async () => {
    await handle?.close().catch(() => {});
    handle = undefined;
  };

  /** Record batches from the first, each with its number; those of a file may be begun behind. */
  async function* recordBatches(
    from: number,
    to: number,
  ): AsyncGenerator<{ readonly unit: number; readonly batch: RecordBatch }> {
    const current = reader ?? (await openReader());
    reader = undefined;
    let unit = 0;
    try {
      for await (const batch of current as AsyncIterable<RecordBatch>) {
        if (unit >= to) break;
        if (unit >= from) yield { unit, batch };
        unit += 1;
      }
    } catch (error) {
      throw error instanceof BookFileError ? error : fileError(name, unit, error);
    } finally {
      await close();
    }
  }

  return {
    format: 'arrow',
    names,
    async slices() {
      const slices: BookSlice[] = [];
      let firstRow = 0;
      for await (const { unit, batch } of recordBatches(0, Number.POSITIVE_INFINITY)) {
        slices.push({ from: unit, to: unit + 1, unitFirstRow: firstRow, firstRow, rows: batch.numRows });
        firstRow += batch.numRows;
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
        if (typeof input === 'string') release(batch);
      }
    },
    close,
  };
}

/** Memory that is worth giving back by itself. */
const LARGE = 1 << 16;

/** Gives back the memory of a batch of a file, which is nobody else's, at once: the collector would go through all else to find it. */
function release({ data: { children } }: RecordBatch): void {
  for (const { values } of children as { readonly values: Uint8Array<ArrayBuffer> | undefined }[])
    if (values && values.buffer.byteLength > LARGE) values.buffer.transfer(0);
}

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
