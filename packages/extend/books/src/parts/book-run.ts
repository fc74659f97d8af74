import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { HazardEvent } from '@leeward/engine/events';
import { describeRecognized } from '@leeward/rows';
import { canonicalJson, type JsonValue } from '@leeward/terms';
import { openBook } from '../open-book.ts';
import type { BookFormat, BookSlice, ColumnType } from '../source/book-source.ts';
import type { ExtraColumn } from '../write/extra-columns.ts';

/** A file of a run. Its size and time of change show if it was changed since the run began. */
export interface RunInput {
  /** Absolute path. */
  readonly file: string;
  /** In messages. */
  readonly name: string;
  readonly format: BookFormat;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly rows: number;
}

/** Rows of a file that are evaluated together. */
export interface RunPart {
  /** Index in `inputs`. */
  readonly input: number;
  readonly slice: BookSlice;
  /** Row number in the book, from 0. */
  readonly firstRow: number;
}

/** Formats of statuses. With `none`, rows are only counted. */
export const statusFormats = ['parquet', 'arrow', 'csv', 'ndjson', 'none'] as const;
/** A format of statuses. */
export type StatusFormat = (typeof statusFormats)[number];

/** Settings of a run. Its output depends only on them and its rows. */
export interface RunSettings {
  readonly catalogSha256: string;
  /** Line of business: its name, or the absolute path of its module. Absent for homes. */
  readonly line?: string;
  readonly carrierKeys: readonly string[];
  /** Decision time, ISO 8601. */
  readonly asOf: string;
  readonly effectiveDate: string | null;
  /** Source of the column map, or null. */
  readonly columns: JsonValue;
  /** Known events. Absent if they are unknown. */
  readonly events?: readonly HazardEvent[];
  readonly output: StatusFormat;
  readonly reasons: boolean;
  /** Writes a line for each row and carrier, with reasons. */
  readonly long: boolean;
  /** Columns of the book that are carried to the output. */
  readonly keep: readonly ExtraColumn[];
  /** True if the book has addresses, points or footprints: the output has a column of notes about them. */
  readonly hasPlaces: boolean;
  /** Share of the rows whose missing fields are counted, from 0 to 1. */
  readonly questionShare: number;
  /** The slice of an array job, from 1: `index` of `count`. Absent for the whole book. */
  readonly share?: { readonly index: number; readonly count: number };
  readonly engineVersion: string;
}

/** A book in parts that threads evaluate, each alone. Plain JSON: a stopped run continues if it is equal. */
export interface BookRun extends RunSettings {
  readonly inputs: readonly RunInput[];
  readonly parts: readonly RunPart[];
}

/**
 * SHA-256 of a JSON value in canonical form, in hexadecimal.
 *
 * @example
 * const catalogSha256 = hashOf(ruleSets);
 */
export function hashOf(value: unknown): string {
  return createHash('sha256')
    .update(canonicalJson(value as JsonValue))
    .digest('hex');
}

/** A file with its slices. */
export interface CountedInput {
  readonly input: RunInput;
  readonly slices: readonly BookSlice[];
  readonly names: readonly string[];
  /** Types of the columns in the schema. Undefined for NDJSON. */
  readonly typeOf: ((name: string) => ColumnType) | undefined;
  /** Recognized properties of a text file, one sentence each. */
  readonly recognized: readonly string[];
}

/**
 * Counts the rows of a file, for `cutBook`.
 *
 * @param name The name of the file in messages.
 * @throws {BookFileError} if the file cannot be read.
 *
 * @example
 * const counted = await countInput('/data/policies.parquet', 'policies.parquet');
 */
export async function countInput(file: string, name: string, format?: BookFormat): Promise<CountedInput> {
  const source = await openBook(file, { name, ...(format ? { format } : {}) });
  try {
    const { size: bytes, mtimeMs: modifiedMs } = await stat(file);
    const slices = await source.slices();
    const recognized = source.recognized ? describeRecognized(name, source.recognized()) : [];
    const rows = slices.reduce((sum, slice) => sum + slice.rows, 0);
    const input = { file, name, format: source.format, bytes, modifiedMs, rows };
    return { input, slices, names: source.names, typeOf: source.typeOf, recognized };
  } finally {
    await source.close();
  }
}

/**
 * Cuts files into parts. A part never spans two files. The output of a run does not depend on the cuts.
 *
 * @param maxRows Maximum number of rows of a part.
 * @param rowsBefore Rows of the book before these files, if the files are already the slice of an array job.
 *
 * @example
 * const run = cutBook([await countInput('policies.parquet', 'policies.parquet')], 65_536, settings);
 */
export function cutBook(
  counted: readonly CountedInput[],
  maxRows: number,
  settings: RunSettings,
  rowsBefore?: number,
): BookRun {
  const total = counted.reduce((sum, { input }) => sum + input.rows, 0);
  const isCut = rowsBefore !== undefined;
  const { index, count } = (isCut ? undefined : settings.share) ?? { index: 1, count: 1 };
  const [begin, end] = [Math.floor((total * (index - 1)) / count), Math.floor((total * index) / count)];
  const parts: RunPart[] = [];
  let before = 0;
  counted.forEach((each, place) => {
    for (const slice of cutSlices(each, [begin - before, end - before], maxRows))
      parts.push({ input: place, slice, firstRow: (rowsBefore ?? 0) + before + slice.firstRow });
    before += each.input.rows;
  });
  return { ...settings, inputs: counted.map(({ input }) => input), parts };
}

/** A text file of one slice of this size is packed: each part would unpack it from the beginning. */
const PACKED_BYTES = 1 << 22;

/** The rows of a range of a file: small slices are joined up to `maxRows`, large ones are cut. */
function cutSlices(
  { input, slices }: CountedInput,
  [begin, end]: readonly [number, number],
  maxRows: number,
): readonly BookSlice[] {
  const isPacked = /csv|ndjson/.test(input.format) && slices.length === 1 && input.bytes >= PACKED_BYTES;
  const cut: BookSlice[] = [];
  for (const slice of slices) {
    const to = Math.min(end, slice.firstRow + slice.rows);
    for (let row = Math.max(begin, slice.firstRow), rows = 0; row < to; row += rows) {
      rows = isPacked ? to - row : Math.min(maxRows, to - row);
      const last = cut.at(-1);
      if (last && last.rows + rows <= maxRows) cut[cut.length - 1] = { ...last, to: slice.to, rows: last.rows + rows };
      else cut.push({ ...slice, firstRow: row, rows });
    }
  }
  return cut;
}
