import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '@leeward/terms';
import { BookFileError } from '../source/book-file-error.ts';
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

/** A slice of a file that is evaluated separately. */
export interface PlanPart {
  /** Index in `inputs`. */
  readonly input: number;
  readonly slice: BookSlice;
  /** Row number in the book, from 0. */
  readonly firstRow: number;
  readonly hash: string;
}

/** Formats of statuses. With `none`, rows are only counted. */
export const statusFormats = ['parquet', 'arrow', 'csv', 'ndjson', 'none'] as const;
/** A format of statuses. */
export type StatusFormat = (typeof statusFormats)[number];

/** Settings of a plan. A part's output depends only on them and its rows. */
export interface PlanTerms {
  readonly catalogSha256: string;
  /** Line of business: its name, or the absolute path of its module. Absent for homes. */
  readonly line?: string;
  readonly carrierKeys: readonly string[];
  /** Decision time, ISO 8601. */
  readonly asOf: string;
  readonly effectiveDate: string | null;
  /** Source of the column map, or null. */
  readonly columns: JsonValue;
  /** Known events, in wire form. Absent if they are unknown. */
  readonly events?: JsonValue;
  readonly output: StatusFormat;
  readonly reasons: boolean;
  /** Writes a line for each row and carrier, with reasons. */
  readonly long: boolean;
  readonly engineVersion: string;
}

/** A book cut into parts that can be evaluated independently. Equal inputs give equal plans. */
export interface BookPlan extends PlanTerms {
  readonly version: 1;
  readonly inputs: readonly PlanInput[];
  readonly parts: readonly PlanPart[];
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

/** Base name of a part's files. */
export function partName(index: number, { hash }: PlanPart): string {
  return `part-${String(index).padStart(5, '0')}-${hash.slice(0, 16)}`;
}

/** A file with its slices. */
export interface CountedInput {
  readonly input: PlanInput;
  readonly slices: readonly BookSlice[];
  /** Recognized properties of a text file, one sentence each. */
  readonly recognized: readonly string[];
}

/**
 * Cuts files into about `partCount` parts with about equal numbers of rows. A part never spans two files.
 *
 * @example
 * const plan = planBook([await countInput('policies.parquet', 'policies.parquet')], 64, terms);
 */
export function planBook(counted: readonly CountedInput[], partCount: number, terms: PlanTerms): BookPlan {
  const total = counted.reduce((sum, { input }) => sum + input.rows, 0);
  const maxRows = Math.max(1, Math.ceil(total / partCount));
  const parts: PlanPart[] = [];
  let before = 0;
  counted.forEach(({ input, slices }, place) => {
    for (const slice of balanceSlices(slices, maxRows, input.format)) {
      const { sha256, format } = input;
      const hash = hashOf({ sha256, format, slice, firstRow: before + slice.firstRow, ...terms });
      parts.push({ input: place, slice, firstRow: before + slice.firstRow, hash });
    }
    before += input.rows;
  });
  return { version: 1, ...terms, inputs: counted.map(({ input }) => input), parts };
}

/** Joins small slices and cuts large ones. Slices of text are not cut. */
function balanceSlices(slices: readonly BookSlice[], maxRows: number, format: BookFormat): BookSlice[] {
  const isText = format === 'csv' || format === 'ndjson';
  const cut: BookSlice[] = [];
  for (const slice of slices) {
    const pieces = isText ? 1 : Math.max(1, Math.ceil(slice.rows / maxRows));
    const size = Math.ceil(slice.rows / pieces);
    for (let from = 0; from < slice.rows || (from === 0 && slice.rows === 0); from += size || 1)
      cut.push({ ...slice, firstRow: slice.firstRow + from, rows: Math.min(size, slice.rows - from) });
  }
  const result: BookSlice[] = [];
  for (const slice of cut) {
    const last = result.at(-1);
    if (last && last.rows + slice.rows <= maxRows)
      result[result.length - 1] = { ...last, to: slice.to, rows: last.rows + slice.rows };
    else result.push(slice);
  }
  return result;
}

/**
 * Formats a plan as JSON, one line per part.
 *
 * @example
 * writeFileSync('plan.json', writePlan(planBook([await countInput(path, path)], 64, terms)));
 */
export function writePlan(plan: BookPlan): string {
  const { parts, ...rest } = plan;
  const head = JSON.stringify(rest, null, 2).replace(/\n}$/, '');
  return `${head},\n  "parts": [\n${parts.map((part) => `    ${JSON.stringify(part)}`).join(',\n')}\n  ]\n}\n`;
}

/**
 * Parses the output of `writePlan`.
 *
 * @param name The name of the file in messages.
 * @throws {BookFileError} if the text is not a plan.
 *
 * @example
 * const plan = readPlan(readFileSync('plan.json', 'utf8'), 'plan.json');
 */
export function readPlan(text: string, name: string): BookPlan {
  let plan: BookPlan;
  try {
    plan = JSON.parse(text) as BookPlan;
  } catch (error) {
    throw new BookFileError(`${name} is not a plan: ${(error as Error).message}.`);
  }
  const isPlan = plan?.version === 1 && Array.isArray(plan.parts) && Array.isArray(plan.inputs);
  if (!isPlan)
    throw new BookFileError(`${name} is not a plan of this version; create it again with leeward book plan.`);
  return plan;
}
