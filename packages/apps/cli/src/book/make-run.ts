import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readAskedAt } from '@leeward/authoring';
import {
  type BookFormat,
  type BookRun,
  bookFormats,
  type ColumnMap,
  type ColumnType,
  type CountedInput,
  commonType,
  countInput,
  cutBook,
  type ExtraColumn,
  expectExtraColumns,
  hasPlaces,
  readColumnMap,
  type StatusFormat,
} from '@leeward/books';
import type { Vocabulary } from '@leeward/engine';
import { ENGINE_VERSION } from '@leeward/engine/compiled';
import { checkDate, describeJsonFault, type JsonValue } from '@leeward/terms';
import { CommandError } from '../command-error.ts';
import { readEvents } from '../homes/read-events.ts';
import type { Terminal } from '../terminal.ts';
import type { OpenCarriers } from './book-carriers.ts';
import type { QueriedBook } from './query-book.ts';

export interface BookWords {
  readonly carriers?: string;
  readonly line?: string;
  readonly asOf?: string;
  readonly effectiveDate?: string;
  readonly columns?: string;
  readonly events?: string;
  readonly format?: string;
  readonly reasons?: boolean;
  readonly long?: boolean;
  readonly parts?: string;
  /** Names of columns, with commas between them. */
  readonly keep?: string;
  /** `i/n`. */
  readonly part?: string;
}

/** Rows of a part: what a stopped run evaluates again. */
const ROWS_A_PART = 65_536;
/** The long form is about a hundred times as slow. */
const LONG_ROWS_A_PART = 4096;

/** Rows whose missing fields are counted. Each takes some milliseconds, for 25 carriers three. */
const SAMPLED_ROWS = 250;

export interface MakeRunOptions {
  readonly files: readonly string[];
  /** Rows of a query, instead of files. */
  readonly query: QueriedBook | undefined;
  readonly words: BookWords;
  readonly output: StatusFormat;
  readonly book: OpenCarriers;
  /** The requested line, for another process. */
  readonly line: string | undefined;
  readonly terminal: Terminal;
}

/** Counts a book and cuts it into parts. Throws a `CommandError` or `BookFileError`. */
export async function makeRun({ files, query, words, output, book, line, terminal }: MakeRunOptions): Promise<BookRun> {
  const { long = false } = words;
  if (output === 'none' && (long || words.keep !== undefined))
    throw new CommandError(`${long ? '--long' : '--keep'} concerns the output: name a file by --out.`);
  const { carrierKeys, vocabulary } = book.carriers;
  const { asOf, effectiveDate } = bookDates(words, terminal);
  const columns = readColumns(words.columns, vocabulary, terminal);
  const events = await readEvents(words.events, terminal);
  const format = bookFormat(words.format);
  const share = shareOf(words.part);
  const counted = [];
  if (query) counted.push(await countInput(query.file, 'The query', 'parquet'));
  for (const file of files) counted.push(await countInput(resolve(terminal.folder, file), file, format));
  const keep = extraColumns(words.keep, counted, carrierKeys);
  for (const { recognized } of counted) for (const sentence of recognized) terminal.writeError(`${sentence}\n`);
  const rows = counted.reduce((sum, { input }) => sum + input.rows, 0);
  const usualRows = long ? LONG_ROWS_A_PART : ROWS_A_PART;
  const maxRows = words.parts === undefined ? usualRows : Math.ceil(rows / wholeNumber('--parts', words.parts));
  return cutBook(
    counted,
    Math.max(1, maxRows),
    {
      catalogSha256: book.sha256,
      carrierKeys,
      ...(line === undefined ? {} : { line }),
      asOf: asOf.toISOString(),
      effectiveDate: effectiveDate ?? null,
      columns,
      ...(events === undefined ? {} : { events }),
      output,
      reasons: words.reasons ?? false,
      long,
      keep,
      questionShare: Math.min(1, SAMPLED_ROWS / Math.max(1, rows)),
      hasPlaces: counted.some(({ names }) => hasPlaces(names, columnMapOf(columns, words, vocabulary))),
      ...(share === undefined ? {} : { share }),
      engineVersion: ENGINE_VERSION,
    },
    query?.rowsBefore,
  );
}

/** The columns of `--keep`, with their types. */
function extraColumns(
  keep: string | undefined,
  counted: readonly CountedInput[],
  carrierKeys: readonly string[],
): readonly ExtraColumn[] {
  const names = extraNames(keep);
  for (const each of counted) expectExtraColumns(names, each, carrierKeys, each.input.name);
  return names.map((name) => {
    const types = counted.map(({ typeOf }) => typeOf?.(name) ?? 'text');
    return { name, type: types.reduce<ColumnType | undefined>(commonType, undefined) ?? 'text' };
  });
}

/** The names in `policy_id,agent`. */
export function extraNames(keep: string | undefined): readonly string[] {
  const names = keep?.split(',').map((name) => name.trim());
  return [...new Set(names?.filter((name) => name !== ''))];
}

/** The map of columns from its checked source. */
export function columnMapOf(columns: JsonValue, words: Pick<BookWords, 'columns'>, vocabulary: Vocabulary): ColumnMap {
  return readColumnMap(columns ?? {}, words.columns ?? '', vocabulary);
}

/** Reads `3/64`: the third of 64 slices. */
export function shareOf(text: string | undefined): { readonly index: number; readonly count: number } | undefined {
  if (text === undefined) return undefined;
  const [, index, count] = /^(\d{1,7})\/(\d{1,7})$/.exec(text) ?? [];
  const share = { index: Number(index), count: Number(count) };
  if (share.index >= 1 && share.index <= share.count) return share;
  throw new CommandError(
    `--part is ${JSON.stringify(text)}; give i/n, such as 3/64: the third of 64 slices, from 1/64.`,
  );
}

export function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (/^\d{1,7}$/.test(text) && number > 0) return number;
  throw new CommandError(`${name} is ${JSON.stringify(text)}; give a whole number from 1.`);
}

export function bookFormat(formatText: string | undefined): BookFormat | undefined {
  if (formatText === undefined || (bookFormats as readonly string[]).includes(formatText))
    return formatText as BookFormat | undefined;
  throw new CommandError(`--format is ${JSON.stringify(formatText)}; give one of: ${bookFormats.join(', ')}.`);
}

/** The checked map of columns, as written. */
export function readColumns(path: string | undefined, vocabulary: Vocabulary, terminal: Terminal): JsonValue {
  if (path === undefined) return null;
  const text = readFileSync(resolve(terminal.folder, path), 'utf8');
  let written: JsonValue;
  try {
    written = JSON.parse(text) as JsonValue;
  } catch {
    throw new CommandError(`${path} is ${describeJsonFault(text)}.`);
  }
  readColumnMap(written, path, vocabulary);
  return written;
}

export function bookDates(
  { asOf, effectiveDate }: Pick<BookWords, 'asOf' | 'effectiveDate'>,
  terminal: Terminal,
): { readonly asOf: Date; readonly effectiveDate: string | undefined } {
  const instantMs = asOf === undefined ? terminal.now().getTime() : readAskedAt(asOf)?.asOfMs;
  if (instantMs === undefined) {
    throw new CommandError(
      `--as-of is "${asOf}"; give a date like 2026-11-20, or an instant like 2026-11-20T12:00:00Z.`,
    );
  }
  const date = effectiveDate === undefined ? { value: undefined } : checkDate('--effective-date', effectiveDate);
  if (!('value' in date)) throw new CommandError(date.message);
  return { asOf: new Date(instantMs), effectiveDate: date.value };
}
