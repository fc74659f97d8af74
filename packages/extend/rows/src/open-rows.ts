import { openChunks, type RowSource } from './byte-chunks.ts';
import { createCsvRecords, MAX_RECORD_LINES } from './csv-records.ts';
import { decodeText, type Encoding } from './decode-text.ts';
import { guessDelimiter, namedDelimiter } from './delimiter.ts';
import { type CsvRow, type FaultyRow, type JsonRow, tooLongRow } from './row.ts';
import { RowFileError } from './row-file-error.ts';
import { type TextLine, textLines } from './text-lines.ts';

/** A format of rows. */
export type RowFormat = 'csv' | 'ndjson';

/** Options of `openRows` and `openTable`. */
export interface OpenRowsOptions {
  /** Name of the file in messages. @default its path, or `The rows` for a stream */
  readonly name?: string;
  /** @default by the file name (.csv, .tsv, .txt; .ndjson, .jsonl), else by the first character */
  readonly format?: RowFormat;
  /** Maximum number of characters of a row. A longer row is a fault. @default 1,048,576 */
  readonly maxRecordCharacters?: number;
  /** Stops reading; iteration then throws its reason. @default none */
  readonly signal?: AbortSignal;
}

/** The recognized properties of a file. */
export interface Recognized {
  readonly encoding: Encoding;
  /** Undefined for NDJSON. */
  readonly delimiter: string | undefined;
  /** Lines so far that were read as Windows-1252, and the first of them. */
  readonly windows1252: { readonly lines: number; readonly firstLine: number | undefined };
}

interface OpenedFile {
  readonly recognized: () => Recognized;
  readonly bytesRead: () => number;
  readonly close: () => void;
}

/** An open file of rows. */
export type RowFile = OpenedFile &
  (
    | {
        readonly format: 'csv';
        /** Names in the first line that is not blank. */
        readonly columns: readonly string[];
        readonly headerLine: number;
        /** Can be read once. The end of the iteration closes the file. */
        readonly rows: AsyncIterable<CsvRow | FaultyRow>;
      }
    | { readonly format: 'ndjson'; readonly rows: AsyncIterable<JsonRow | FaultyRow> }
  );

const DEFAULT_MAX_RECORD_CHARACTERS = 1 << 20;
const SAMPLE_LINES = MAX_RECORD_LINES;

/**
 * Opens a file of rows: CSV (comma, semicolon or tab, `sep=`, quotation marks, a byte order mark, UTF-8, UTF-16, Windows-1252) or
 * NDJSON, optionally compressed with gzip. Skips blank lines. A malformed row has a fault. Memory is bounded for every file.
 *
 * @throws {RowFileError} if the file has no rows that can be read.
 * @throws {Error} of the file system, or the reason of an aborted signal.
 *
 * @example
 * const file = await openRows('policies.csv');
 * for await (const row of file.rows) console.log(row.line, row.fault?.message ?? row.cells ?? row.value);
 */
export async function openRows(source: RowSource, options: OpenRowsOptions = {}): Promise<RowFile> {
  const { maxRecordCharacters = DEFAULT_MAX_RECORD_CHARACTERS, signal } = options;
  const name = options.name ?? (typeof source === 'string' ? source : 'The rows');
  const bytes = openChunks(source, signal);
  let encoding: Encoding = 'utf-8';
  let windowsLines = 0;
  let firstWindowsLine: number | undefined;
  const pieces = decodeText(bytes.chunks, name, 3 * maxRecordCharacters, (recognized) => {
    encoding = recognized;
  });
  const batches = textLines(pieces, maxRecordCharacters);
  const read = async (): Promise<readonly TextLine[] | undefined> => {
    let result: IteratorResult<readonly TextLine[]>;
    try {
      result = await batches.next();
    } catch (error) {
      bytes.close();
      throw asRowFileError(error, name);
    }
    if (result.done) return undefined;
    for (const line of result.value) {
      if (!line.isWindows1252 || line.isTooLong) continue;
      windowsLines += 1;
      firstWindowsLine ??= line.number;
    }
    return result.value;
  };
  const describeFile = (delimiter?: string): OpenedFile => ({
    bytesRead: bytes.bytesRead,
    close: bytes.close,
    recognized: () => ({
      encoding,
      delimiter,
      windows1252: { lines: windowsLines, firstLine: firstWindowsLine },
    }),
  });
  async function* readRest<Out>(
    first: readonly TextLine[],
    rowsOf: (lines: readonly TextLine[], isEnd: boolean) => Iterable<Out>,
  ): AsyncGenerator<Out> {
    try {
      for (let lines: readonly TextLine[] | undefined = first; lines !== undefined; lines = await read())
        yield* rowsOf(lines, false);
      yield* rowsOf([], true);
    } finally {
      bytes.close();
    }
  }
  try {
    const sample = await sampleOf(read);
    const first = sample.find(({ text }) => text.trim() !== '');
    if (first === undefined) throw new RowFileError('empty_file', `${name} is empty.`);
    const format = options.format ?? formatByName(typeof source === 'string' ? source : name) ?? formatOf(first.text);
    if (format === 'ndjson') {
      if (/^\s*\[/.test(first.text) && !/\]\s*$/.test(first.text)) {
        throw new RowFileError('not_rows', `${name} is a single JSON list; write one object a line, without the list.`);
      }
      function* rowsOf(lines: readonly TextLine[]): Generator<JsonRow | FaultyRow> {
        for (const line of lines) {
          if (line.isTooLong || line.text.trim() !== '') yield jsonRow(line, maxRecordCharacters);
        }
      }
      return { ...describeFile(), format, rows: readRest(sample, rowsOf) };
    }
    const explicit = namedDelimiter(first.text);
    const table = explicit === undefined ? sample : sample.slice(sample.indexOf(first) + 1);
    const texts = table.filter(({ text }) => text.trim() !== '').map(({ text }) => text);
    const delimiter = explicit ?? guessDelimiter(texts.slice(0, SAMPLE_LINES));
    const records = createCsvRecords({ delimiter, width: undefined, maxRecordCharacters });
    records.push(table);
    let header = records.next(false);
    while (header === undefined) {
      const more = await read();
      if (more !== undefined) records.push(more);
      header = records.next(more === undefined);
      if (more === undefined) break;
    }
    if (header === undefined) throw new RowFileError('empty_file', `${name} has no line that names its columns.`);
    const { cells: columns, line: headerLine, fault } = header;
    if (columns === undefined) {
      const has = fault?.code === 'record_too_long' ? 'is too long' : 'has an unmatched quotation mark';
      throw new RowFileError('unreadable_header', `${name}: line ${headerLine}, which names the columns, ${has}.`);
    }
    records.setWidth(columns.length);
    function* rowsOf(lines: readonly TextLine[], isEnd: boolean): Generator<CsvRow | FaultyRow> {
      if (lines.length > 0) records.push(lines);
      for (let row = records.next(isEnd); row !== undefined; row = records.next(isEnd)) yield row;
    }
    return { ...describeFile(delimiter), format, columns, headerLine, rows: readRest([], rowsOf) };
  } catch (error) {
    bytes.close();
    throw error;
  }
}

function asRowFileError(error: unknown, name: string): unknown {
  const code = String((error as NodeJS.ErrnoException).code);
  if (code === 'EISDIR') return new RowFileError('not_text', `${name} is a folder; name a file.`);
  if (!code.startsWith('Z_')) return error;
  return new RowFileError(
    'not_text',
    `${name} is compressed with gzip and cannot be decompressed: it is damaged or truncated.`,
  );
}

async function sampleOf(read: () => Promise<readonly TextLine[] | undefined>): Promise<readonly TextLine[]> {
  const sample: TextLine[] = [];
  while (sample.filter(({ text }) => text.trim() !== '').length < SAMPLE_LINES) {
    const lines = await read();
    if (lines === undefined) break;
    for (const line of lines) sample.push(line);
  }
  return sample;
}

function formatByName(name: string): RowFormat | undefined {
  const plain = name.replace(/\.gz$/i, '');
  if (/\.(csv|tsv|txt)$/i.test(plain)) return 'csv';
  return /\.(ndjson|jsonl)$/i.test(plain) ? 'ndjson' : undefined;
}

function formatOf(firstLine: string): RowFormat {
  return /^\s*[{[]/.test(firstLine) ? 'ndjson' : 'csv';
}

function jsonRow(line: TextLine, maxRecordCharacters: number): JsonRow | FaultyRow {
  if (line.isTooLong) return tooLongRow(line, maxRecordCharacters);
  const { number, text } = line;
  try {
    return { line: number, text, value: JSON.parse(text) };
  } catch (error) {
    const message = `Line ${number} is not JSON: ${(error as Error).message}`;
    return { line: number, text, fault: { code: 'malformed_row', message } };
  }
}
