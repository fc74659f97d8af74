import {
  BookFileError,
  type ColumnMap,
  MAX_LINE_CHARACTERS,
  noColumnMap,
  type RawBatch,
  readCsvHeading,
  usedColumns,
} from '@leeward/books/evaluate';
import type { Vocabulary } from '@leeward/engine';
import { createCsvRecords, linesOfBlock } from '@leeward/rows';
import { findJsonFault } from '@leeward/terms';
import { BATCH_ROWS, type Columns, createColumns } from './columns.ts';
import { type TextBlock, textBlocks } from './text-blocks.ts';

export interface ReadBook {
  readonly format: 'csv' | 'ndjson' | 'parquet';
  readonly batches: AsyncGenerator<RawBatch>;
  /** Names of the columns as written, if `batches` has them in lower case. */
  readonly titles?: readonly string[];
}

/** First bytes of files that are mistaken for tables, in Latin-1, with advice. */
const otherFiles: readonly (readonly [string, string])[] = [
  ['ARROW1', 'Arrow: evaluate it with leeward book run, or save it as CSV'],
  ['PK\u0003\u0004', 'a workbook or another ZIP archive: save the sheet as CSV'],
  ['\u00d0\u00cf\u0011\u00e0', 'an old workbook: save the sheet as CSV'],
  ['%PDF', 'a PDF'],
];

interface ReadBookOptions {
  readonly vocabulary: Vocabulary;
  readonly map?: ColumnMap | undefined;
  /** Columns that are read though they are not fields. */
  readonly isKept?: (name: string) => boolean;
  readonly onRead?: (bytes: number) => void;
}

/** Recognizes Parquet by its first bytes, and NDJSON by its name or first character. Throws a `BookFileError`. */
export async function readBook(
  file: File,
  { vocabulary, map = noColumnMap, isKept = () => false, onRead = () => {} }: ReadBookOptions,
): Promise<ReadBook> {
  const head = new Uint8Array(await file.slice(0, 1024).arrayBuffer());
  const latin = String.fromCharCode(...head.subarray(0, 16));
  const other = otherFiles.find(([magic]) => latin.startsWith(magic));
  if (other) throw new BookFileError(`${file.name} is ${other[1]}.`);
  if (latin.startsWith('PAR1')) {
    const { parquetBatches } = await import('./parquet-batches.ts');
    const isUsed = usedColumns(map, vocabulary, 'parquet');
    return { format: 'parquet', batches: parquetBatches(file, (name) => isUsed(name) || isKept(name), onRead) };
  }
  const blocks = textBlocks(file, onRead);
  const first = await blocks.next();
  if (first.done) throw new BookFileError(`${file.name} is empty.`);
  const isNdjson =
    /\.(ndjson|jsonl)(\.gz)?$/i.test(file.name) ||
    (!/\.(csv|tsv|txt)(\.gz)?$/i.test(file.name) && /^\uFEFF?\s*\{/.test(latin));
  const all = withFirst(first.value, blocks);
  if (isNdjson) return { format: 'ndjson', batches: ndjsonBatches(all, isKept) };
  const heading = readCsvHeading(first.value.bytes, file.name);
  return { format: 'csv', batches: csvBatches(all, heading, isKept), titles: heading.titles };
}

async function* withFirst(first: TextBlock, rest: AsyncGenerator<TextBlock>): AsyncGenerator<TextBlock> {
  yield first;
  yield* rest;
}

async function* csvBatches(
  blocks: AsyncGenerator<TextBlock>,
  heading: ReturnType<typeof readCsvHeading>,
  isKept: (name: string) => boolean,
): AsyncGenerator<RawBatch> {
  const width = heading.names.length;
  const columns = createColumns(heading.names);
  const places = heading.names.map((each) => (isOwn(each) && !isKept(each) ? -1 : columns.placeOf(each)));
  const records = createCsvRecords({
    delimiter: heading.delimiter,
    width,
    maxRecordCharacters: MAX_LINE_CHARACTERS,
  });
  let skip = heading.bytes;
  let line = heading.lines + 1;
  const readRows = function* (isEnd: boolean): Generator<RawBatch> {
    for (let row = records.next(isEnd); row !== undefined; row = records.next(isEnd)) {
      if (row.fault) columns.refuse(row.fault.code, row.fault.message);
      else
        row.cells?.forEach((cell, index) => {
          if (cell !== '' && places[index]! >= 0) columns.put(places[index]!, cell);
        });
      columns.endRow(row.line, row.text);
      if (columns.rows === BATCH_ROWS) yield columns.take()!;
    }
  };
  for await (const { bytes, isTooLong } of blocks) {
    const lines = linesOfBlock(bytes.subarray(skip), line, MAX_LINE_CHARACTERS);
    skip = 0;
    line += lines.length;
    records.push(isTooLong ? lines.map((each) => ({ ...each, isTooLong })) : lines);
    yield* readRows(false);
  }
  yield* readRows(true);
  const last = columns.take();
  if (last) yield last;
}

async function* ndjsonBatches(
  blocks: AsyncGenerator<TextBlock>,
  isKept: (name: string) => boolean,
): AsyncGenerator<RawBatch> {
  const columns = createColumns([]);
  let line = 1;
  for await (const { bytes, isTooLong } of blocks) {
    const hasMark = line === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    for (const each of linesOfBlock(hasMark ? bytes.subarray(3) : bytes, line, MAX_LINE_CHARACTERS)) {
      line += 1;
      if (each.text.trim() === '') continue;
      readObject(columns, each, isTooLong || each.isTooLong, isKept);
      columns.endRow(each.number, each.text);
      if (columns.rows === BATCH_ROWS) yield columns.take()!;
    }
  }
  const last = columns.take();
  if (last) yield last;
}

function readObject(
  columns: Columns,
  { text, number: line }: { readonly text: string; readonly number: number },
  isTooLong: boolean,
  isKept: (name: string) => boolean,
): void {
  if (isTooLong) {
    const maxCharacters = MAX_LINE_CHARACTERS.toLocaleString('en-US');
    columns.refuse('record_too_long', `Line ${line} is longer than ${maxCharacters} characters, the limit of a row.`);
    return;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { column, message } = findJsonFault(text)!;
    columns.refuse('malformed_row', `Line ${line} is not JSON at column ${column}: ${message}.`);
    return;
  }
  const isRow = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = isRow ? Object.entries(value as object) : [];
  if (!isRow || entries.some(([, cell]) => typeof cell === 'object' && cell !== null)) columns.putWhole(value);
  else
    for (const [name, cell] of entries)
      if (cell !== null && (!isOwn(name) || isKept(name))) columns.put(columns.placeOf(name), cell);
}

const isOwn = (name: string) => name.startsWith('x_');
