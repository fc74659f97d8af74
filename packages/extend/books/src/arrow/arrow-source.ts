import { open } from 'node:fs/promises';
import { DataType, type Vector } from 'apache-arrow';
import { Message as FlatMessage } from 'apache-arrow/fb/message';
import { Schema as FlatSchema } from 'apache-arrow/fb/schema';
import { ByteBuffer } from 'flatbuffers';
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
import { TooLargeError } from '../source/inflation.ts';
import { type RawBatch, type RawColumn, sliceColumn } from '../source/raw-batch.ts';
import { type ArrowSchema, expectReadable, readArrowSchema } from './arrow-schema.ts';
import { FileMessagesError, findMessages } from './file-messages.ts';
import { dictionariesOf, loadColumns, loadDictionary } from './load-columns.ts';
import { rawColumnOf } from './raw-column-of.ts';
import { type ArrowMessage, streamMessages } from './stream-messages.ts';

interface Messages {
  readonly schema: ArrowSchema;
  /** Number of rows of each record batch. Undefined for a stream. */
  readonly batchRows: readonly number[] | undefined;
  /** Record batches from one to another, and the dictionaries before them. */
  read(from: number, to: number): AsyncIterable<ArrowMessage>;
  close(): Promise<void>;
}

/**
 * Opens Arrow IPC, file or stream format: a path, or the bytes of a stream, which can be read once. The unit of slices is a record
 * batch. Throws a `BookFileError`.
 */
export async function openArrow(input: string | AsyncIterable<Uint8Array>, name: string): Promise<BookSource> {
  const messages = await (typeof input === 'string' ? openFile(input, name) : openStream(input, name));
  const { schema, batchRows } = messages;
  const names = schema.columns.map((column) => column.name);

  return {
    format: 'arrow',
    names,
    typeOf: (column) => typeOf(schema.columns[names.indexOf(column)]!.type),
    async slices() {
      if (!batchRows) throw new BookFileError(`${name} is a stream, which is read in one piece.`);
      const slices: BookSlice[] = [];
      let firstRow = 0;
      for (const [unit, rows] of batchRows.entries()) {
        slices.push({ from: unit, to: unit + 1, unitFirstRow: firstRow, firstRow, rows });
        firstRow += rows;
      }
      return slices;
    },
    async *batches({ slice, isWanted = () => true, onBytes }: BatchOptions = {}): AsyncGenerator<RawBatch> {
      const usedColumns = new Set(schema.columns.filter((column) => isWanted(column.name)));
      expectReadable([...usedColumns], name);
      const ids = new Set([...usedColumns].flatMap(({ type }) => dictionariesOf(type!)));
      const dictionaries = new Map<number, Vector>();
      const words = new WeakMap<object, readonly unknown[]>();
      let firstRow = slice?.unitFirstRow ?? 0;
      let unit = slice?.from ?? 0;
      let columns: readonly (RawColumn | undefined)[] = [];
      const units = messages.read(unit, slice?.to ?? Number.POSITIVE_INFINITY)[Symbol.asyncIterator]();
      try {
        for (;;) {
          let rows: number;
          try {
            const { done, value } = await units.next();
            if (done) break;
            const { message, body } = value;
            if (message.isDictionaryBatch()) {
              const batch = message.header();
              const type = schema.dictionaries.get(batch.id);
              if (type && ids.has(batch.id)) loadDictionary(batch, body, type, dictionaries, message.version);
            }
            if (!message.isRecordBatch()) continue;
            const batch = message.header();
            rows = batch.length;
            onBytes?.(body.length);
            columns = loadColumns(batch, body, schema, dictionaries, message.version, (column) =>
              usedColumns.has(column),
            ).map((data, place) => data && rawColumnOf(data, words, columns[place]));
          } catch (error) {
            throw fileError(name, unit, error);
          }
          const [begin, end] = rowsWithin(slice, firstRow, rows);
          for (let from = begin; from < end; from += ROWS_A_BATCH) {
            const to = Math.min(end, from + ROWS_A_BATCH);
            const cut = columns.map((column) => column && sliceColumn(column, from, to));
            yield { firstRow: firstRow + from, rows: to - from, names, columns: cut, unread: [] };
          }
          firstRow += rows;
          unit += 1;
        }
      } finally {
        await units.return?.();
      }
    },
    close: messages.close,
  };
}

function typeOf(type: DataType | undefined): ColumnType {
  if (DataType.isDictionary(type)) return typeOf(type.dictionary);
  if (DataType.isInt(type)) return 'integer';
  if (DataType.isFloat(type) || DataType.isDecimal(type)) return 'number';
  return DataType.isBool(type) ? 'boolean' : 'text';
}

/** A file is read by its messages; those before a slice are skipped. */
async function openFile(path: string, name: string): Promise<Messages> {
  const file = await open(path, 'r');
  try {
    const { schema, batchRows, messages } = await findMessages(file);
    return { schema: readArrowSchema(schema, name), batchRows, read: messages, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw fileError(name, error instanceof FileMessagesError ? error.batch : undefined, error);
  }
}

async function openStream(input: AsyncIterable<Uint8Array>, name: string): Promise<Messages> {
  const messages = streamMessages(input);
  try {
    const { done, value } = await messages.next();
    if (done || !value.message.isSchema()) throw new DamageError('it does not begin with a schema');
    const schema = FlatMessage.getRootAsMessage(new ByteBuffer(value.head)).header(new FlatSchema()) as FlatSchema;
    return {
      schema: readArrowSchema(schema, name),
      batchRows: undefined,
      read: () => messages,
      close: async () => void (await messages.return(undefined)),
    };
  } catch (error) {
    throw fileError(name, undefined, error);
  }
}

function fileError(name: string, unit: number | undefined, error: unknown): BookFileError {
  if (error instanceof BookFileError) return error;
  const where = unit === undefined ? name : `${name}: record batch ${unit + 1}`;
  if (error instanceof TooLargeError)
    return new BookFileError(`${where} is too large: ${error.message}. Write smaller record batches.`);
  return new BookFileError(`${where} is not Arrow, or is damaged or truncated: ${damageOf(error)}. Write it again.`);
}
