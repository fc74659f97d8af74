import { distanceNames, requestSchemaOf, type Vocabulary } from '@leeward/engine';
import {
  type DateStyle,
  dateStyles,
  didYouMean,
  isObject,
  METERS_PER_FOOT,
  METERS_PER_MILE,
  type NumberStyle,
  numberStyles,
} from '@leeward/terms';
import { BookFileError } from '../source/book-file-error.ts';
import type { BookFormat } from '../source/book-source.ts';
import { type WrittenStyles, writtenValueReader } from './written-value.ts';

/** Numbers of a book that are in another unit than requests have them. */
const perUnit: Readonly<Record<string, number>> = {
  miles: 1,
  feet: METERS_PER_FOOT / METERS_PER_MILE,
  meters: 1 / METERS_PER_MILE,
  kilometers: 1000 / METERS_PER_MILE,
  dollars: 1,
  thousands: 1000,
};
const lengths = ['miles', 'feet', 'meters', 'kilometers'];
const amounts = ['dollars', 'thousands'];

/** Whence one field of a request comes. */
export type ColumnOrigin =
  | ({ readonly column: string; readonly unit?: string } & WrittenStyles)
  | { readonly constant: string | number | boolean };

/**
 * Which column is which field, as written by whoever brings the book: ours ← theirs. Columns that bear a field's own name need no
 * entry.
 */
export interface ColumnMap extends WrittenStyles {
  readonly fields: Readonly<Record<string, ColumnOrigin>>;
  /** Columns that are left aside. */
  readonly ignore: readonly string[] | 'others';
}

/** Columns are read under their own names, none is ignored. */
export const noColumnMap: ColumnMap = { fields: {}, ignore: [] };

/**
 * Reads a map of columns: `{ "dwelling_a": "cov_a", "state": { "constant": "tx" }, "distance_to_coast_miles": { "column": "shore",
 * "unit": "feet" }, "ignore": ["policy_id"], "number": "1.234,56", "date": "31/1/2026" }`. Throws a `BookFileError` with all that is wrong with it.
 */
export function readColumnMap(written: unknown, name: string, vocabulary: Vocabulary): ColumnMap {
  if (!isObject(written))
    throw new BookFileError(`${name} is no map of columns; give an object with a column for each field.`);
  const known = requestFieldsOf(vocabulary);
  const faults: string[] = [];
  const fields: Record<string, ColumnOrigin> = {};
  let ignore: ColumnMap['ignore'] = [];
  let styles: WrittenStyles = {};
  for (const [field, origin] of Object.entries(written)) {
    if (field === 'ignore') {
      if (origin === 'others') ignore = origin;
      else if (Array.isArray(origin) && origin.every((each) => typeof each === 'string')) ignore = origin;
      else faults.push(`"ignore" is a list of columns, or "others" for all that are no field.`);
      continue;
    }
    if (field === 'number' || field === 'date') {
      const read = stylesOf({ [field]: origin });
      if (read) styles = { ...styles, ...read };
      else faults.push(`${JSON.stringify(field)} shows how the book writes one: ${shown(stylesByName[field])}.`);
      continue;
    }
    if (!known.includes(field)) {
      faults.push(`${JSON.stringify(field)} is not a field of a request.${didYouMean(field, known)}`);
      continue;
    }
    const read = originOf(origin);
    if (!read)
      faults.push(
        `${field}: give a column's name, { "column", "unit", "number", "date" } or { "constant" }; "number" is ${shown(numberStyles)}, "date" ${shown(dateStyles)}.`,
      );
    else if ('column' in read && read.unit !== undefined && !unitsOf(field).includes(read.unit)) {
      const units = unitsOf(field);
      const way = units.length === 0 ? 'leave the unit out' : `give ${units.join(', ')}`;
      faults.push(`${field} has the unit ${JSON.stringify(read.unit)}; ${way}.`);
    } else fields[field] = read;
  }
  if (faults.length > 0) throw new BookFileError(`${name}: ${faults.join(' ')}`);
  return { fields, ignore, ...styles };
}

const stylesByName = { number: numberStyles, date: dateStyles } as const;

const shown = (styles: readonly string[]) => styles.map((style) => JSON.stringify(style)).join(' or ');

/** The styles that are there; undefined if one of them is unknown. */
function stylesOf({ number, date }: { number?: unknown; date?: unknown }): WrittenStyles | undefined {
  if (number !== undefined && !numberStyles.includes(number as NumberStyle)) return undefined;
  if (date !== undefined && !dateStyles.includes(date as DateStyle)) return undefined;
  return {
    ...(number === undefined ? {} : { number: number as NumberStyle }),
    ...(date === undefined ? {} : { date: date as DateStyle }),
  };
}

function originOf(origin: unknown): ColumnOrigin | undefined {
  if (typeof origin === 'string') return { column: origin };
  if (!isObject(origin)) return undefined;
  const { column, constant, unit, number, date, ...more } = origin;
  const styles = stylesOf({ number, date });
  if (Object.keys(more).length > 0 || !styles) return undefined;
  if (typeof column === 'string' && constant === undefined) {
    if (unit === undefined) return { column, ...styles };
    return typeof unit === 'string' ? { column, unit, ...styles } : undefined;
  }
  const isConstant = typeof constant === 'string' || typeof constant === 'number' || typeof constant === 'boolean';
  return isConstant && column === undefined && unit === undefined && Object.keys(styles).length === 0
    ? { constant }
    : undefined;
}

/** Factor from the unit of the book to that of the field. */
function factorOf(field: string, unit: string | undefined): number {
  const own = distanceNames.find(([name]) => name === field)?.[2] ?? 'miles';
  return unit === undefined || unit === own ? 1 : perUnit[unit]! / perUnit[own]!;
}

function unitsOf(field: string): readonly string[] {
  if (distanceNames.some(([name]) => name === field)) return lengths;
  return field === 'dwelling_a' ? amounts : [];
}

/** Names of all fields of a request. */
export function requestFieldsOf(vocabulary: Vocabulary): readonly string[] {
  return Object.keys(requestSchemaOf(vocabulary).shape);
}

/**
 * True for a column of the book that is used: it is a field, or is mapped to one, or in NDJSON is a name that its row is refused for.
 * Others need not be read, whatever their type.
 */
export function usedColumns(map: ColumnMap, vocabulary: Vocabulary, format: BookFormat): (name: string) => boolean {
  const known = new Set(requestFieldsOf(vocabulary));
  const mapped = new Set(Object.values(map.fields).map((origin) => ('column' in origin ? origin.column : undefined)));
  return (name) => {
    if (mapped.has(name)) return true;
    if (map.fields[name] !== undefined || (map.ignore !== 'others' && map.ignore.includes(name))) return false;
    return known.has(name) || (format === 'ndjson' && map.ignore !== 'others' && !name.startsWith('x_'));
  };
}

/** What of the book is what of a request. */
export interface FieldColumn {
  readonly field: string;
  /** Place among the names of the book; −1 for a constant. */
  readonly place: number;
  /** As a request would have it. */
  readonly constant?: unknown;
  /** Makes of a value of the book what a request would have; undefined if they are the same. */
  readonly convert: ((value: unknown) => unknown) | undefined;
  /** False if `convert` changes numbers too. */
  readonly keepsNumbers: boolean;
}

/**
 * The fields that a book brings. Throws a `BookFileError` that names every column that is missing, taken twice, or no field:
 * a misspelled one would leave its field unknown in every row. `isStrict` false lets those through that are no field (NDJSON, whose
 * rows are refused one by one).
 */
export function fieldColumns(
  names: readonly string[],
  map: ColumnMap,
  vocabulary: Vocabulary,
  { name, isStrict }: { readonly name: string; readonly isStrict: boolean },
): readonly FieldColumn[] {
  const { fields, ignore } = map;
  const known = requestFieldsOf(vocabulary);
  const faults: string[] = [];
  const found: FieldColumn[] = [];
  const columnOf = (field: string, place: number, factor = 1, styles: WrittenStyles = {}): FieldColumn => {
    const read = writtenValueReader(field, vocabulary, { ...map, ...styles });
    const convert = factor === 1 ? read : (value: unknown) => multiplied(read ? read(value) : value, factor);
    return { field, place, convert, keepsNumbers: factor === 1 };
  };
  const taken = new Set<string>();
  for (const [field, origin] of Object.entries(fields)) {
    if ('constant' in origin) {
      const { convert } = columnOf(field, -1);
      const constant = convert ? convert(origin.constant) : origin.constant;
      found.push({ field, place: -1, constant, convert: undefined, keepsNumbers: true });
      continue;
    }
    const place = names.indexOf(origin.column);
    taken.add(origin.column);
    if (place >= 0) found.push(columnOf(field, place, factorOf(field, origin.unit), origin));
    else if (isStrict)
      faults.push(`It has no column ${JSON.stringify(origin.column)} for ${field}.${didYouMean(origin.column, names)}`);
  }
  names.forEach((column, place) => {
    if (taken.has(column) || fields[column] !== undefined) return;
    if (known.includes(column)) {
      if (ignore === 'others' || !ignore.includes(column)) found.push(columnOf(column, place));
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
    `${name} cannot be read as a book. ${faults.join(' ')} Rename them, begin those to leave out with x_, or describe them in a map of columns for leeward book run.`,
  );
}

function multiplied(value: unknown, factor: number): unknown {
  return typeof value === 'number' ? value * factor : value;
}
