import { didYouMean, isObject, own } from '@leeward/terms';
import type { EvaluatedBatch } from '../batches/book-evaluator.ts';
import { BookFileError } from '../source/book-file-error.ts';
import type { BookFormat, BookSource, ColumnType } from '../source/book-source.ts';
import { cellOf, type RawBatch } from '../source/raw-batch.ts';
import { longColumns } from './long-rows.ts';
import type { WrittenBatch } from './status-writer.ts';

/** A column of the book that is carried to the output, or the notes of places. */
export interface ExtraColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** The column with the reasons why homes could not be placed, or only coarsely. */
export const PLACE_NOTE = 'place_note';

/** The extra columns of an output, with the notes about places. */
export function withPlaceNote(columns: readonly ExtraColumn[], hasPlaces: boolean): readonly ExtraColumn[] {
  return hasPlaces ? [...columns, { name: PLACE_NOTE, type: 'text' }] : columns;
}

/** Names of columns and keys of the output. */
const ownNames: readonly string[] = [...longColumns, 'statuses', 'faults', PLACE_NOTE];

/**
 * Checks the columns of a book that are carried to its output.
 *
 * @param name The name of the book in messages.
 * @throws {BookFileError} if the book lacks one, or if the output has another column of its name.
 *
 * @example
 * expectExtraColumns(['policy_id'], book, catalog.carriers.map(({ key }) => key), 'policies.csv');
 */
export function expectExtraColumns(
  keep: readonly string[],
  { names }: Pick<BookSource, 'names'>,
  carrierKeys: readonly string[],
  name: string,
): void {
  for (const column of keep) {
    if (!names.includes(column))
      throw new BookFileError(
        `${name} has no column ${JSON.stringify(column)} to keep.${didYouMean(column, [...names])}`,
      );
    const other = carrierKeys.includes(column) ? 'a carrier' : ownNames.includes(column) ? 'another column' : undefined;
    if (other)
      throw new BookFileError(
        `${name}: the column ${JSON.stringify(column)} cannot be extras, because the output has ${other} of that name; rename it in the book.`,
      );
  }
}

/** The columns between the row number and the statuses of an output. */
export interface ExtraColumns {
  readonly columns: readonly ExtraColumn[];
  /** A batch with their values. Throws a `BookFileError` for a number that would be rounded. */
  add(raw: RawBatch, evaluated: EvaluatedBatch): WrittenBatch;
}

/**
 * Carries columns of a book to its output, and the notes about places.
 *
 * @param name The name of the book in messages.
 *
 * @example
 * const extras = createExtraColumns({ columns: [{ name: 'policy_id', type: 'text' }], hasPlaces: false, format: 'csv', name: 'policies.csv' });
 * writer.write(extras.add(batch, await evaluator.evaluate(batch)));
 */
export function createExtraColumns({
  columns,
  hasPlaces,
  format,
  name,
}: {
  readonly columns: readonly ExtraColumn[];
  readonly hasPlaces: boolean;
  readonly format: BookFormat;
  readonly name: string;
}): ExtraColumns {
  const cellValue = (batch: RawBatch, row: number, column: ExtraColumn): unknown => {
    const whole = batch.whole?.get(row);
    const value = isObject(whole)
      ? own(whole, column.name)
      : cellOf(batch.columns[batch.names.indexOf(column.name)], row);
    if (value === undefined || value === null || typeof value === 'symbol') return null;
    if (column.type === 'integer' && !Number.isSafeInteger(value)) throw roundedError(column.name, name);
    // Quoted cells of CSV are read with their spaces, others without.
    return format === 'csv' ? String(value).trim() : value;
  };
  return {
    columns: withPlaceNote(columns, hasPlaces),
    add(raw, evaluated) {
      const rows = Array.from({ length: evaluated.rows }, (_, row) => row);
      const extras: unknown[][] = columns.map((column) => rows.map((row) => cellValue(raw, row, column)));
      if (hasPlaces) extras.push(rows.map((row) => evaluated.placeNotes?.get(row) ?? null));
      return { ...evaluated, extras };
    },
  };
}

function roundedError(column: string, name: string): BookFileError {
  return new BookFileError(
    `${name}: the column ${JSON.stringify(column)} has whole numbers above ${Number.MAX_SAFE_INTEGER.toLocaleString('en-US')}, which would be rounded; write it as text, or leave it out of --keep.`,
  );
}

/** A value as text; undefined if missing. Lists and groups are JSON. */
export function extraText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * The common type of a column in several files.
 *
 * @example
 * const type = commonType('integer', 'number'); // 'number'
 */
export function commonType(a: ColumnType | undefined, b: ColumnType): ColumnType {
  if (a === undefined || a === b) return b;
  const areNumbers = [a, b].every((type) => type === 'integer' || type === 'number');
  return areNumbers ? 'number' : 'text';
}

/** The type of a value of NDJSON; undefined if missing. */
export function valueType(value: unknown): ColumnType | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'text';
}
