import { openChunks, type RowSource } from './byte-chunks.ts';
import { createCsvRecords, MAX_RECORD_LINES } from './csv-records.ts';
import { decodeText, type Encoding } from './decode-text.ts';
import { guessDelimiter, namedDelimiter } from './delimiter.ts';
import { jsonRow } from './json-row.ts';
import type { CsvRow, FaultyRow, JsonRow } from './row.ts';
import { RowFileError } from './row-file-error.ts';
import { type TextLine, textLines } from './text-lines.ts';

/** A format of rows. */
export type RowFormat = 'csv' | 'ndjson';

/** What a file of rows does not say of itself. */
export interface OpenRowsOptions {
  /** What messages call the file. Default its path, or "The rows". */
  readonly name?: string;
  /** Default by the file's name (.csv, .tsv, .txt; .ndjson, .jsonl), else by its first character. */
  readonly format?: RowFormat;
  /** Most characters a row may have; a longer one is a fault, and is not kept. Default 1,048,576. */
  readonly maxRecordCharacters?: number;
  /** Ends the reading with its reason. */
  readonly signal?: AbortSignal;
}

/** What was not said of a file but recognized. */
export interface Recognized {
  readonly encoding: Encoding;
  /** Between cells; undefined for NDJSON. */
  readonly delimiter: string | undefined;
  /** Lines so far that are no UTF-8 and were read as Windows-1252, with the first of them. */
  readonly windows1252: { readonly lines: number; readonly firstLine: number | undefined };
}

interface OpenedFile {
  readonly recognized: () => Recognized;
  /** Bytes of the source read so far. */
  readonly bytesRead: () => number;
  /** Closes a file whose rows are not read, or not to the end. */
  readonly close: () => void;
}

/** A file of rows that is open: its format, its columns, and its rows in order. */
export type RowFile = OpenedFile &
  (
    | {
        readonly format: 'csv';
        /** Names of the columns, from the first line that is not blank. */
        readonly columns: readonly string[];
        readonly headerLine: number;
        /** To be read once; the file is closed at its end, and where it is left early. */
        readonly rows: AsyncIterable<CsvRow | FaultyRow>;
      }
    | { readonly format: 'ndjson'; readonly rows: AsyncIterable<JsonRow | FaultyRow> }
  );

const USUAL_MAX_RECORD_CHARACTERS = 1 << 20;
/** Lines that tell the delimiter. */
const SAMPLE_LINES = MAX_RECORD_LINES;

/**
 * Opens a file of rows: CSV (comma, semicolon or tab, `sep=`, quotation marks, a byte order mark, UTF-8, UTF-16, Windows-1252) or
 * NDJSON, packed with gzip or not. Rows come in their order, blank lines left out, each with its line; one that cannot be read
 * says why. Memory stays bounded whatever the file is.
 *
 * Errors: `RowFileError` for a file without rows to read; the file system's own errors; the reason of an aborted signal.
 */
export async function openRows(source: RowSource, options: OpenRowsOptions = {}): Promise<RowFile> {
  const { maxRecordCharacters = USUAL_MAX_RECORD_CHARACTERS, signal } = options;
  const name = options.name ?? (typeof source === 'string' ? source : 'The rows');
  const bytes = openChunks(source, signal);
  let encoding: Encoding = 'utf-8';
  let windowsLines = 0;
  let firstWindowsLine: number | undefined;
  const pieces = decodeText(bytes.chunks, name, 3 * maxRecordCharacters, (found) => {
    encoding = found;
  });
  const batches = textLines(pieces, maxRecordCharacters);
  /** The next lines; undefined at the end. */
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
  const opened = (delimiter?: string): OpenedFile => ({
    bytesRead: bytes.bytesRead,
    close: bytes.close,
    recognized: () => ({
      encoding,
      delimiter,
      windows1252: { lines: windowsLines, firstLine: firstWindowsLine },
    }),
  });
  /** Reads on, batch by batch, and closes the file however the reading ends. */
  async function* rest<Out>(
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
        throw new RowFileError(
          'not_rows',
          `${name} is one list in JSON; write an object a line, without the list around them.`,
        );
      }
      function* rowsOf(lines: readonly TextLine[]): Generator<JsonRow | FaultyRow> {
        for (const line of lines) {
          if (line.isTooLong || line.text.trim() !== '') yield jsonRow(line, maxRecordCharacters);
        }
      }
      return { ...opened(), format, rows: rest(sample, rowsOf) };
    }
    const named = namedDelimiter(first.text);
    const table = named === undefined ? sample : sample.slice(sample.indexOf(first) + 1);
    const shown = table.filter(({ text }) => text.trim() !== '').map(({ text }) => text);
    const delimiter = named ?? guessDelimiter(shown.slice(0, SAMPLE_LINES));
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
      const has = fault?.code === 'record_too_long' ? 'is too long' : 'holds a quotation mark too many';
      throw new RowFileError('unreadable_header', `${name}: line ${headerLine}, which names the columns, ${has}.`);
    }
    records.setWidth(columns.length);
    function* rowsOf(lines: readonly TextLine[], isEnd: boolean): Generator<CsvRow | FaultyRow> {
      if (lines.length > 0) records.push(lines);
      for (let row = records.next(isEnd); row !== undefined; row = records.next(isEnd)) yield row;
    }
    return { ...opened(delimiter), format, columns, headerLine, rows: rest([], rowsOf) };
  } catch (error) {
    bytes.close();
    throw error;
  }
}

function asRowFileError(error: unknown, name: string): unknown {
  const code = String((error as NodeJS.ErrnoException).code);
  if (code === 'EISDIR') return new RowFileError('not_text', `${name} is a folder; name a file.`);
  if (!code.startsWith('Z_')) return error;
  return new RowFileError('not_text', `${name} is packed with gzip and cannot be unpacked: it is damaged or cut off.`);
}

/** The first lines of a file, enough to tell what it is. */
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
