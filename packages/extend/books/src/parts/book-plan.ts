import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '@leeward/terms';
import type { BookFormat, BookSlice } from '../source/book-source.ts';

/** A file of a plan. */
export interface PlanInput {
  /** Absolute path. */
  readonly file: string;
  readonly format: BookFormat;
  readonly bytes: number;
  readonly sha256: string;
  readonly rows: number;
}

/** A part of a plan: which slice of which input, and the number of its first row. */
export interface PlanPart {
  /** Place in `inputs`. */
  readonly input: number;
  readonly slice: BookSlice;
  /** Place in the whole book, from 0, of its first row. */
  readonly firstRow: number;
  readonly hash: string;
}

/** How statuses are written; `none` counts only. */
export const statusFormats = ['parquet', 'arrow', 'csv', 'ndjson', 'none'] as const;
/** A format in which statuses are written. */
export type StatusFormat = (typeof statusFormats)[number];

/** What a part's answer hangs on besides its rows. */
export interface PlanTerms {
  readonly catalogSha256: string;
  /** The line of business where one was asked for: its name, or the whole path of the module that has it. */
  readonly line?: string;
  readonly carrierKeys: readonly string[];
  /** Instant of asking, ISO 8601. */
  readonly asOf: string;
  readonly effectiveDate: string | null;
  /** The map of columns as it was written; null where there is none. */
  readonly columns: JsonValue;
  readonly output: StatusFormat;
  readonly reasons: boolean;
  /** A line for each row and carrier, with reasons. */
  readonly long: boolean;
  readonly engineVersion: string;
}

/** How a book is cut into parts, each of which anybody can judge alone. The same inputs give the same plan. */
export interface BookPlan extends PlanTerms {
  readonly version: 1;
  readonly inputs: readonly PlanInput[];
  readonly parts: readonly PlanPart[];
}

/** SHA-256 in hexadecimal of anything that is JSON. */
export function hashOf(value: unknown): string {
  return createHash('sha256')
    .update(canonicalJson(value as JsonValue))
    .digest('hex');
}

/** Name of a part's file, without its ending. */
export function partName(index: number, { hash }: PlanPart): string {
  return `part-${String(index).padStart(5, '0')}-${hash.slice(0, 16)}`;
}

/** A file with its pieces, as they were found. */
export interface CountedInput {
  readonly input: PlanInput;
  readonly slices: readonly BookSlice[];
  /** What was recognized of a file of text, a sentence each. */
  readonly recognized: readonly string[];
}

/** Cuts inputs into about so many parts of about as many rows each. Parts never reach over two files. */
export function planBook(counted: readonly CountedInput[], partCount: number, terms: PlanTerms): BookPlan {
  const total = counted.reduce((sum, { input }) => sum + input.rows, 0);
  const most = Math.max(1, Math.ceil(total / partCount));
  const parts: PlanPart[] = [];
  let before = 0;
  counted.forEach(({ input, slices }, place) => {
    for (const slice of joined(slices, most, input.format)) {
      const { sha256, format } = input;
      const hash = hashOf({ sha256, format, slice, firstRow: before + slice.firstRow, ...terms });
      parts.push({ input: place, slice, firstRow: before + slice.firstRow, hash });
    }
    before += input.rows;
  });
  return { version: 1, ...terms, inputs: counted.map(({ input }) => input), parts };
}

/** Small pieces together, and large ones of Parquet and Arrow cut, so that each has about `most` rows. */
function joined(slices: readonly BookSlice[], most: number, format: BookFormat): BookSlice[] {
  const isText = format === 'csv' || format === 'ndjson';
  const cut: BookSlice[] = [];
  for (const slice of slices) {
    const pieces = isText ? 1 : Math.max(1, Math.ceil(slice.rows / most));
    const size = Math.ceil(slice.rows / pieces);
    for (let from = 0; from < slice.rows || (from === 0 && slice.rows === 0); from += size || 1)
      cut.push({ ...slice, firstRow: slice.firstRow + from, rows: Math.min(size, slice.rows - from) });
  }
  const result: BookSlice[] = [];
  for (const slice of cut) {
    const last = result.at(-1);
    if (last && last.rows + slice.rows <= most)
      result[result.length - 1] = { ...last, to: slice.to, rows: last.rows + slice.rows };
    else result.push(slice);
  }
  return result;
}
