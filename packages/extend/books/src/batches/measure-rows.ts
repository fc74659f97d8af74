import type { Vocabulary } from '@leeward/engine';
import type { BookColumns } from '../columns/book-columns.ts';
import type { ReadBatch } from '../columns/book-reader.ts';
import type { BookTables } from '../planes/book-tables.ts';
import { createSameToRules, type SameToRules } from '../planes/same-to-rules.ts';
import { leaveRows, placedRows } from './placed-rows.ts';

/** Where the homes of some rows stand. */
export interface PlacesQuery {
  /** Degrees. */
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** FIPS code as a number, where one county is given; 0 or less of all others. */
  readonly counties: Int32Array;
  /** Distances that were given, in meters, by field; NaN where none was. */
  readonly given: ReadonlyMap<string, Float64Array>;
}

/** Between what their distances lie. */
export interface MeasuredPlaces {
  /** 1: not measured here; the row is read by itself. */
  readonly isLeft: Uint8Array;
  /** Meters, by field. */
  readonly ranges: ReadonlyMap<string, { readonly minima: Float64Array; readonly maxima: Float64Array }>;
  /** Rows by the code of a warning; those that are left are not among them. */
  readonly warnings: ReadonlyMap<string, number>;
}

/**
 * Measures the distances of many homes at once, as `ReadRow` measures one: `@leeward/http` has `measurePoints`. A port; undefined
 * where they are to be read by themselves.
 */
export type MeasurePlaces = (asked: PlacesQuery) => Promise<MeasuredPlaces | undefined>;

/** Between what distances lie, in meters, by field. */
type KnownRanges = ReadonlyMap<number, { readonly kind: 'between'; readonly min: number; readonly max: number }>;

/** Rows that were measured, and between what their distances lie. */
export interface MeasuredRows {
  readonly rows: readonly number[];
  readonly warnings: ReadonlyMap<string, number>;
  /** What is known of the row at a place in `rows`, by field; distances that were given are not among it. */
  known(place: number): KnownRanges;
  /**
   * Writes what is known within bounds into columns, where they can carry it because no rule has a limit between; whether they
   * could.
   */
  writeRange(row: number, known: KnownRanges, tables: BookTables): boolean;
  /** Takes out of the columns what was written there of these rows: their room is used again. */
  clear(): void;
}

/** Measures rows of a book that bring a point. */
export interface RowMeasuring {
  /** Measures those of a batch. What is left is marked: it is read by itself. */
  measure(read: ReadBatch, rows: number): Promise<MeasuredRows | undefined>;
}

/** What a book needs in order to measure points a batch at a time: give it as `measuring` of `createBookEvaluator`. */
export function createRowMeasuring(vocabulary: Vocabulary, measurePlaces: MeasurePlaces): RowMeasuring {
  const writeRange = createRangeWriter(vocabulary);
  return { measure: (read, rows) => measureRows(read, rows, vocabulary, measurePlaces, writeRange) };
}

async function measureRows(
  read: ReadBatch,
  rows: number,
  vocabulary: Vocabulary,
  measure: MeasurePlaces,
  writeRange: ReturnType<typeof createRangeWriter>,
): Promise<MeasuredRows | undefined> {
  const placed = placedRows(read, rows);
  if (placed.length === 0) return undefined;
  const { columns, doubtful } = read;
  const of = (column: Float64Array) => Float64Array.from(placed, (row) => column[row]!);
  const distances = new Map(
    vocabulary.fields.flatMap(({ name, unit }, field) => (unit === 'meters' ? [[name, field] as const] : [])),
  );
  const given = new Map([...distances].map(([name, field]) => [name, of(columns.fields[field] as Float64Array)]));
  const found = await measure({
    latitudes: of(read.lat!),
    longitudes: of(read.lng!),
    counties: Int32Array.from(placed, (row) => columns.county[row]!),
    given,
  });
  if (!found) {
    leaveRows(read, placed);
    return undefined;
  }
  const { isLeft, ranges, warnings } = found;
  const isGiven = (name: string, place: number) => !Number.isNaN(given.get(name)![place]!);
  const kept: number[] = [];
  placed.forEach((row, place) => {
    if (isLeft[place] === 1) doubtful[row] = 1;
    else kept.push(place);
  });
  const fields = [...ranges].flatMap(([name, range]) => {
    const field = distances.get(name);
    return field === undefined ? [] : [{ name, field, ...range }];
  });
  return {
    rows: kept.map((place) => placed[place]!),
    warnings,
    writeRange: (row, known, tables) => writeRange(columns, row, known, tables),
    known(index) {
      const place = kept[index]!;
      const known = new Map<number, { readonly kind: 'between'; readonly min: number; readonly max: number }>();
      for (const { name, field, minima, maxima } of fields)
        if (!isGiven(name, place)) known.set(field, { kind: 'between', min: minima[place]!, max: maxima[place]! });
      return known;
    },
    clear() {
      for (const { name, field } of fields)
        for (const place of kept) if (!isGiven(name, place)) columns.fields[field]![placed[place]!] = Number.NaN;
    },
  };
}

function createRangeWriter(vocabulary: Vocabulary) {
  const checks = new WeakMap<BookTables, SameToRules>();
  const placeOf = (name: string) => vocabulary.fields.findIndex((field) => field.name === name);
  const relations = vocabulary.relations.map(({ lower, higher }) => [placeOf(lower), placeOf(higher)] as const);
  return (columns: BookColumns, row: number, known: KnownRanges, tables: BookTables): boolean => {
    const isSame = checks.get(tables) ?? createSameToRules(tables);
    checks.set(tables, isSame);
    const type = columns.policyType[row]!;
    for (const [field, { min, max }] of known) {
      if (!isSame(type, field, min, max)) return false;
      // A field that nobody knows is bounded by one that is related to it, at its own limits.
      for (const related of relations) {
        const other = related[0] === field ? related[1] : related[1] === field ? related[0] : -1;
        if (other < 0 || known.has(other) || !Number.isNaN(columns.fields[other]![row]!)) continue;
        if (!isSame(type, other, min, max)) return false;
      }
    }
    for (const [field, { min }] of known) columns.fields[field]![row] = min;
    return true;
  };
}
