import { distanceNames, requestSchemaOf, type Vocabulary } from '@leeward/engine';
import { didYouMean, isObject } from '@leeward/terms';
import { BookFileError } from '../source/book-file-error.ts';

/** Numbers of a book that are in another unit than requests have them. */
const perUnit: Readonly<Record<string, number>> = {
  miles: 1,
  feet: 0.3048 / 1609.344,
  meters: 1 / 1609.344,
  kilometers: 1000 / 1609.344,
  dollars: 1,
  thousands: 1000,
};
const lengths = ['miles', 'feet', 'meters', 'kilometers'];
const amounts = ['dollars', 'thousands'];

/** Whence one field of a request comes. */
export type ColumnOrigin =
  | { readonly column: string; readonly unit?: string }
  | { readonly constant: string | number | boolean };

/**
 * Which column is which field, as written by whoever brings the book: ours ← theirs. Columns that bear a field's own name need no
 * entry.
 */
export interface ColumnMap {
  readonly fields: Readonly<Record<string, ColumnOrigin>>;
  /** Columns that are left aside. */
  readonly ignore: readonly string[] | 'others';
}

/** Columns are read under their own names, none is ignored. */
export const noColumnMap: ColumnMap = { fields: {}, ignore: [] };

/**
 * Reads a map of columns: `{ "dwelling_a": "cov_a", "state": { "constant": "tx" }, "distance_to_coast_miles": { "column": "shore",
 * "unit": "feet" }, "ignore": ["policy_id"] }`. Throws a `BookFileError` with all that is wrong with it.
 */
export function readColumnMap(written: unknown, name: string, vocabulary: Vocabulary): ColumnMap {
  if (!isObject(written))
    throw new BookFileError(`${name} is no map of columns; give an object with a column for each field.`);
  const known = requestFieldsOf(vocabulary);
  const faults: string[] = [];
  const fields: Record<string, ColumnOrigin> = {};
  let ignore: ColumnMap['ignore'] = [];
  for (const [field, origin] of Object.entries(written)) {
    if (field === 'ignore') {
      if (origin === 'others') ignore = origin;
      else if (Array.isArray(origin) && origin.every((each) => typeof each === 'string')) ignore = origin;
      else faults.push(`"ignore" is a list of columns, or "others" for all that are no field.`);
      continue;
    }
    if (!known.includes(field)) {
      faults.push(`${JSON.stringify(field)} is not a field of a request.${didYouMean(field, known)}`);
      continue;
    }
    const read = originOf(origin);
    if (!read) faults.push(`${field}: give a column's name, { "column", "unit" } or { "constant" }.`);
    else if ('column' in read && read.unit !== undefined && !unitsOf(field).includes(read.unit)) {
      const units = unitsOf(field);
      const way = units.length === 0 ? 'leave the unit out' : `give ${units.join(', ')}`;
      faults.push(`${field} has the unit ${JSON.stringify(read.unit)}; ${way}.`);
    } else fields[field] = read;
  }
  if (faults.length > 0) throw new BookFileError(`${name}: ${faults.join(' ')}`);
  return { fields, ignore };
}

function originOf(origin: unknown): ColumnOrigin | undefined {
  if (typeof origin === 'string') return { column: origin };
  if (!isObject(origin)) return undefined;
  const { column, constant, unit, ...more } = origin;
  if (Object.keys(more).length > 0) return undefined;
  if (typeof column === 'string' && constant === undefined) {
    if (unit === undefined) return { column };
    return typeof unit === 'string' ? { column, unit } : undefined;
  }
  const isConstant = typeof constant === 'string' || typeof constant === 'number' || typeof constant === 'boolean';
  return isConstant && column === undefined && unit === undefined ? { constant } : undefined;
}

function unitsOf(field: string): readonly string[] {
  if (distanceNames.some(([name]) => name === field)) return lengths;
  return field === 'dwelling_a' ? amounts : [];
}

/** Names of all fields of a request. */
export function requestFieldsOf(vocabulary: Vocabulary): readonly string[] {
  return Object.keys(requestSchemaOf(vocabulary).shape);
}

/** What of the book is what of a request. */
export interface FieldColumn {
  readonly field: string;
  /** Place among the names of the book; −1 for a constant. */
  readonly place: number;
  readonly constant?: string | number | boolean;
  /** What numbers are multiplied with. */
  readonly factor: number;
}

/**
 * The fields that a book brings. Throws a `BookFileError` that names every column that is missing, taken twice, or no field:
 * a misspelled one would leave its field unknown in every row. `isStrict` false lets those through that are no field (NDJSON, whose
 * rows are refused one by one).
 */
export function fieldColumns(
  names: readonly string[],
  { fields, ignore }: ColumnMap,
  vocabulary: Vocabulary,
  { name, isStrict }: { readonly name: string; readonly isStrict: boolean },
): readonly FieldColumn[] {
  const known = requestFieldsOf(vocabulary);
  const faults: string[] = [];
  const found: FieldColumn[] = [];
  const taken = new Set<string>();
  for (const [field, origin] of Object.entries(fields)) {
    if ('constant' in origin) {
      found.push({ field, place: -1, constant: origin.constant, factor: 1 });
      continue;
    }
    const place = names.indexOf(origin.column);
    taken.add(origin.column);
    if (place >= 0) found.push({ field, place, factor: perUnit[origin.unit ?? 'miles'] ?? 1 });
    else if (isStrict)
      faults.push(`It has no column ${JSON.stringify(origin.column)} for ${field}.${didYouMean(origin.column, names)}`);
  }
  names.forEach((column, place) => {
    if (taken.has(column) || fields[column] !== undefined) return;
    if (known.includes(column)) {
      if (ignore === 'others' || !ignore.includes(column)) found.push({ field: column, place, factor: 1 });
    } else if (
      isStrict &&
      column !== '' &&
      !column.startsWith('x_') &&
      ignore !== 'others' &&
      !ignore.includes(column)
    ) {
      faults.push(`Its column ${JSON.stringify(column)} is not a field.${didYouMean(column, known)}`);
    }
  });
  if (isStrict && !found.some(({ field }) => field === 'state'))
    faults.push('It has no column "state", without which nothing is judged.');
  if (faults.length === 0) return found;
  throw new BookFileError(
    `${name} cannot be read as a book. ${faults.join(' ')} Rename columns, or say in a map of columns which is which ("ignore" for those that are left aside).`,
  );
}
