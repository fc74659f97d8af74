import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readAskedAt } from '@leeward/authoring';
import {
  type BookFormat,
  type BookPlan,
  bookFormats,
  countInput,
  planBook,
  readColumnMap,
  type StatusFormat,
} from '@leeward/books';
import type { Vocabulary } from '@leeward/engine';
import { ENGINE_VERSION } from '@leeward/engine/compiled';
import { checkDate, type JsonValue } from '@leeward/terms';
import { CommandError } from '../command-error.ts';
import { readEvents } from '../homes/read-events.ts';
import type { Terminal } from '../terminal.ts';
import type { OpenCarriers } from './book-carriers.ts';

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
}

const ROWS_A_PART = 262_144;

export interface MakePlanOptions {
  readonly files: readonly string[];
  readonly words: BookWords;
  readonly output: StatusFormat;
  readonly book: OpenCarriers;
  /** The requested line, for another process. */
  readonly line: string | undefined;
  readonly terminal: Terminal;
}

/** Splits a book into parts. Throws a `CommandError` or `BookFileError`. */
export async function makePlan({ files, words, output, book, line, terminal }: MakePlanOptions): Promise<BookPlan> {
  if (words.long && output === 'none') throw new CommandError('--long says what is written: name a file by --out.');
  const { carrierKeys, vocabulary } = book.carriers;
  const { asOf, effectiveDate } = bookDates(words, terminal);
  const columns = readColumns(words.columns, vocabulary, terminal);
  const events = await readEvents(words.events, terminal);
  const format = bookFormat(words.format);
  const counted = [];
  for (const file of files) counted.push(await countInput(resolve(terminal.folder, file), file, format));
  for (const { recognized } of counted) for (const sentence of recognized) terminal.writeError(`${sentence}\n`);
  const rows = counted.reduce((sum, { input }) => sum + input.rows, 0);
  const parts = words.parts === undefined ? Math.ceil(rows / ROWS_A_PART) : wholeNumber('--parts', words.parts);
  return planBook(counted, Math.max(1, parts), {
    catalogSha256: book.sha256,
    carrierKeys,
    ...(line === undefined ? {} : { line }),
    asOf: asOf.toISOString(),
    effectiveDate: effectiveDate ?? null,
    columns,
    ...(events === undefined ? {} : { events: events as unknown as JsonValue }),
    output,
    reasons: words.reasons ?? false,
    long: words.long ?? false,
    engineVersion: ENGINE_VERSION,
  });
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
  } catch (error) {
    throw new CommandError(`${path} is not JSON: ${(error as Error).message}`);
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
