import type { Vocabulary } from '@leeward/engine';
import { distanceNames, type NamedAggregate, readAggregate } from '@leeward/engine/compiled';
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
import { bookNamesOf, evidenceNames } from './evidence-names.ts';
import { describeMapping } from './guess-columns.ts';
import { type WrittenStyles, writtenValueReader } from './written-value.ts';

/** Conversion factors to miles or dollars. */
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

/** Source of a field: a column of the book, or a constant. */
export type ColumnOrigin =
  | ({ readonly column: string; readonly unit?: string } & WrittenStyles)
  | { readonly constant: string | number | boolean };

/** Maps fields of requests to columns of a book. A column with the name of a field needs no entry. */
export interface ColumnMap extends WrittenStyles {
  readonly fields: Readonly<Record<string, ColumnOrigin>>;
  /** Ignored columns; `others` for all that are not fields. */
  readonly ignore: readonly string[] | 'others';
  /** Columns of numbers that were computed from lists. @default none */
  readonly aggregates?: readonly AggregateColumn[];
}

/** A column with an aggregate of a list, such as the number of water losses. */
export interface AggregateColumn extends NamedAggregate {
  readonly column: string;
}

/** The map of a book whose columns have the names of fields. */
export const noColumnMap: ColumnMap = { fields: {}, ignore: [] };

/**
 * Checks a column map from JSON.
 *
 * @param name The name of the map in messages.
 * @throws {BookFileError} with all faults.
 *
 * @example
 * const map = readColumnMap({ dwelling_a: 'cov_a', state: { constant: 'tx' }, ignore: ['policy_id'] }, 'columns.json', homeVocabulary);
 */
export function readColumnMap(json: unknown, name: string, vocabulary: Vocabulary): ColumnMap {
  if (!isObject(json))
    throw new BookFileError(`${name} is not a map of columns; give an object with a column for each field.`);
  const names = bookNamesOf(vocabulary);
  const faults: string[] = [];
  const fields: Record<string, ColumnOrigin> = {};
  let ignore: ColumnMap['ignore'] = [];
  let styles: WrittenStyles = {};
  const aggregates: AggregateColumn[] = [];
  for (const [field, origin] of Object.entries(json)) {
    if (field === 'ignore') {
      if (origin === 'others') ignore = origin;
      else if (Array.isArray(origin) && origin.every((each) => typeof each === 'string')) ignore = origin;
      else faults.push(`"ignore" is a list of columns, or "others" for all that are not fields.`);
      continue;
    }
    if (field === 'aggregates') {
      aggregates.push(...aggregatesOf(origin, vocabulary, faults));
      continue;
    }
    if (field === 'number' || field === 'date') {
      const read = stylesOf({ [field]: origin });
      if (read) styles = { ...styles, ...read };
      else
        faults.push(
          `${JSON.stringify(field)} must be an example of the style, one of: ${quoteList(stylesByName[field])}.`,
        );
      continue;
    }
    if (!names.includes(field)) {
      faults.push(`${JSON.stringify(field)} is not a field of a request.${didYouMean(field, names)}`);
      continue;
    }
    const read = originOf(origin);
    if (!read)
      faults.push(
        `${field}: give a column's name, { "column", "unit", "number", "date" } or { "constant" }; "number" is ${quoteList(numberStyles)}, "date" ${quoteList(dateStyles)}.`,
      );
    else if ('column' in read && read.unit !== undefined && !unitsOf(field).includes(read.unit)) {
      const units = unitsOf(field);
      const way = units.length === 0 ? 'omit the unit' : `give ${units.join(', ')}`;
      faults.push(`${field} has the unit ${JSON.stringify(read.unit)}; ${way}.`);
    } else fields[field] = read;
  }
  if (faults.length > 0) throw new BookFileError(`${name}: ${faults.join(' ')}`);
  return { fields, ignore, ...styles, ...(aggregates.length > 0 ? { aggregates } : {}) };
}

function aggregatesOf(json: unknown, vocabulary: Vocabulary, faults: string[]): readonly AggregateColumn[] {
  if (!isObject(json)) {
    faults.push('"aggregates" is an object with a count, sum, min or max for each column.');
    return [];
  }
  return Object.entries(json).flatMap(([column, source]) => {
    const read = readAggregate(source, vocabulary);
    if (!('faults' in read)) return [{ ...read, column }];
    for (const { path, message } of read.faults) faults.push(`aggregates/${column}${path}: ${message}`);
    return [];
  });
}

const stylesByName = { number: numberStyles, date: dateStyles } as const;

const quoteList = (styles: readonly string[]) => styles.map((style) => JSON.stringify(style)).join(' or ');

/** Undefined if a style is unknown. */
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

function factorOf(field: string, unit: string | undefined): number {
  const own = distanceNames.find(([name]) => name === field)?.[2] ?? 'miles';
  return unit === undefined || unit === own ? 1 : perUnit[unit]! / perUnit[own]!;
}

function unitsOf(field: string): readonly string[] {
  if (distanceNames.some(([name]) => name === field)) return lengths;
  return field === 'dwelling_a' ? amounts : [];
}

/**
 * Adds columns that are carried to the output to a map: those that are not fields are ignored.
 *
 * @example
 * const withId = ignoreExtraColumns(map, ['policy_id'], homeVocabulary);
 */
export function ignoreExtraColumns(map: ColumnMap, keep: readonly string[], vocabulary: Vocabulary): ColumnMap {
  if (map.ignore === 'others') return map;
  const names = bookNamesOf(vocabulary);
  const mapped = Object.values(map.fields).flatMap((origin) => ('column' in origin ? [origin.column] : []));
  const others = keep.filter((name) => !names.includes(name) && !mapped.includes(name));
  return { ...map, ignore: [...map.ignore, ...others] };
}

/**
 * True if a book with these columns can place homes.
 *
 * @example
 * const hasNotes = hasPlaces(book.names, map);
 */
export function hasPlaces(names: readonly string[], { fields, ignore }: ColumnMap): boolean {
  return ['address', 'lat', 'lng', 'footprint'].some(
    (field) =>
      fields[field] !== undefined || (names.includes(field) && (ignore === 'others' || !ignore.includes(field))),
  );
}

/**
 * Creates a check of whether a column is used: it is a field, mapped to one, or an unknown name in NDJSON, for which rows are rejected.
 *
 * @example
 * const batches = book.batches({ isWanted: usedColumns(map, homeVocabulary, book.format) });
 */
export function usedColumns(map: ColumnMap, vocabulary: Vocabulary, format: BookFormat): (name: string) => boolean {
  const names = new Set(bookNamesOf(vocabulary));
  const mapped = new Set(Object.values(map.fields).map((origin) => ('column' in origin ? origin.column : undefined)));
  for (const { column } of map.aggregates ?? []) mapped.add(column);
  return (name) => {
    if (mapped.has(name)) return true;
    if (map.fields[name] !== undefined || (map.ignore !== 'others' && map.ignore.includes(name))) return false;
    return names.has(name) || (format === 'ndjson' && map.ignore !== 'others' && !name.startsWith('x_'));
  };
}

/** A field of a request that a book has. */
export interface FieldColumn {
  readonly field: string;
  /** Index of its column; −1 for a constant. */
  readonly place: number;
  /** In the form of a request. */
  readonly constant?: unknown;
  /** Converts a value of the book to the form of a request. Undefined if they are equal. */
  readonly convert: ((value: unknown) => unknown) | undefined;
  /** False if `convert` changes numbers too. */
  readonly keepsNumbers: boolean;
}

/**
 * The fields that a book has.
 *
 * @param isStrict Rejects columns that are not fields: a misspelled name would leave its field unknown in every row. False for NDJSON,
 *   which rejects single rows instead.
 * @throws {BookFileError} that names every missing or unknown column.
 */
export function fieldColumns(
  names: readonly string[],
  map: ColumnMap,
  vocabulary: Vocabulary,
  { name, isStrict }: { readonly name: string; readonly isStrict: boolean },
): readonly FieldColumn[] {
  const { fields, ignore } = map;
  const fieldNames = bookNamesOf(vocabulary);
  const faults: string[] = [];
  const fieldsOfBook: FieldColumn[] = [];
  const columnOf = (field: string, place: number, factor = 1, styles: WrittenStyles = {}): FieldColumn => {
    const read = writtenValueReader(field, vocabulary, { ...map, ...styles });
    const convert = factor === 1 ? read : (value: unknown) => multiply(read ? read(value) : value, factor);
    return { field, place, convert, keepsNumbers: factor === 1 };
  };
  const used = new Set<string>();
  const unknown: string[] = [];
  for (const [field, origin] of Object.entries(fields)) {
    if ('constant' in origin) {
      const { convert } = columnOf(field, -1);
      const constant = convert ? convert(origin.constant) : origin.constant;
      fieldsOfBook.push({ field, place: -1, constant, convert: undefined, keepsNumbers: true });
      continue;
    }
    const place = names.indexOf(origin.column);
    used.add(origin.column);
    if (place >= 0) fieldsOfBook.push(columnOf(field, place, factorOf(field, origin.unit), origin));
    else if (isStrict)
      faults.push(`It has no column ${JSON.stringify(origin.column)} for ${field}.${didYouMean(origin.column, names)}`);
  }
  for (const { column } of map.aggregates ?? []) {
    used.add(column);
    if (isStrict && !names.includes(column))
      faults.push(`It has no column ${JSON.stringify(column)} of aggregates.${didYouMean(column, names)}`);
  }
  names.forEach((column, place) => {
    if (used.has(column) || fields[column] !== undefined) return;
    if (fieldNames.includes(column)) {
      if (ignore === 'others' || !ignore.includes(column)) fieldsOfBook.push(columnOf(column, place));
    } else if (
      isStrict &&
      column !== '' &&
      !column.startsWith('x_') &&
      ignore !== 'others' &&
      !ignore.includes(column)
    ) {
      const hint = didYouMean(column, fieldNames);
      if (hint === '') unknown.push(JSON.stringify(column));
      else faults.push(`Its column ${JSON.stringify(column)} is not a field.${hint}`);
    }
  });
  if (unknown.length === 1) faults.push(`Its column ${unknown[0]} is not a field.`);
  else if (unknown.length > 1) faults.push(`Its columns ${unknown.join(', ')} are not fields.`);
  if (isStrict) faults.push(...valuesMissing(fieldsOfBook, vocabulary));
  if (isStrict && !fieldsOfBook.some(({ field }) => field === 'state'))
    faults.push('It has no column "state", which is required.');
  if (faults.length === 0) return fieldsOfBook;
  throw new BookFileError(
    `${name} cannot be read as a book. ${faults.join(' ')} ${describeMapping(names, Object.keys(fields).length > 0, vocabulary)}`,
  );
}

/** Faults of columns of evidence without the column of its value. */
function valuesMissing(fields: readonly FieldColumn[], vocabulary: Vocabulary): readonly string[] {
  return fields.flatMap(({ field }) => {
    const of = evidenceNames(vocabulary).get(field)?.of;
    if (of === undefined || fields.some((each) => each.field === of)) return [];
    return [`It has ${JSON.stringify(field)}, but no column of the value, ${JSON.stringify(of)}.`];
  });
}

function multiply(value: unknown, factor: number): unknown {
  return typeof value === 'number' ? value * factor : value;
}
