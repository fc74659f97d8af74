import type { Property, Vocabulary } from '@leeward/engine';
import type { BookColumns } from '../columns/book-columns.ts';
import type { ReadBatch } from '../columns/book-reader.ts';
import type { BookTables } from '../planes/book-tables.ts';
import { createSameToRules, type SameToRules } from '../planes/same-to-rules.ts';

/** Places of some homes to measure. */
export interface PlacesQuery {
  /** Degrees. */
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** The FIPS code of a known county as a number, else 0 or less. */
  readonly counties: Int32Array;
  /** Distances in the book, in meters, by field; NaN for others. */
  readonly distances: ReadonlyMap<string, Float64Array>;
  /** Certainties of the rule sets: each adds ranges. */
  readonly certainties: readonly number[];
}

interface RangeColumns {
  readonly minima: Float64Array;
  readonly maxima: Float64Array;
}

/** Ranges of the distances of some homes. */
export interface MeasuredPlaces {
  /** 1 for a home that was not measured: its row is read separately. */
  readonly isLeft: Uint8Array;
  /** Meters, by field. */
  readonly ranges: ReadonlyMap<string, RangeColumns>;
  /** As `ranges`, for each certainty. @default the ranges */
  readonly rangesByCertainty?: ReadonlyMap<number, ReadonlyMap<string, RangeColumns>>;
  /** Number of measured homes by the code of a warning. */
  readonly warnings: ReadonlyMap<string, number>;
}

/**
 * Port: measures the distances of many homes at once, with the same results as `ReadRow`. `measurePoints` of `@leeward/http` implements
 * it. Returns undefined if the rows must be read separately.
 */
export type MeasurePlaces = (query: PlacesQuery) => Promise<MeasuredPlaces | undefined>;

/** In meters, by field. */
type Ranges = ReadonlyMap<number, { readonly kind: 'between'; readonly min: number; readonly max: number }>;

export interface MeasuredRows {
  readonly rows: readonly number[];
  /** Number of rows by the code of a warning. */
  readonly warnings: ReadonlyMap<string, number>;
  /** Ranges of the row at an index in `rows`, without distances in the book. */
  rangesOf(place: number): Ranges;
  /** Like `rangesOf`, for each certainty. Undefined without certainties. */
  rangesByCertaintyOf(place: number): Property['rangesByCertainty'];
  /**
   * Writes the ranges of a row at an index in `rows` into columns. Returns false if columns cannot hold them, because a rule has a limit
   * inside of one of them.
   */
  writeRange(place: number, tables: BookTables): boolean;
  /** Removes the distances from the columns, which the next batch reuses. */
  clear(): void;
}

/** Measures rows with coordinates. */
export interface RowMeasuring {
  /** Measures the rows of a batch. Marks rows that it does not measure as doubtful. */
  measure(read: ReadBatch, rows: number, certainties?: readonly number[]): Promise<MeasuredRows | undefined>;
}

export function placedRows({ lat, lng, doubtful }: ReadBatch, rows: number): number[] {
  const placed: number[] = [];
  if (!lat || !lng) return placed;
  for (let row = 0; row < rows; row++) if (doubtful[row] === 0 && !Number.isNaN(lat[row]!)) placed.push(row);
  return placed;
}

export function leaveRows({ doubtful }: ReadBatch, rows: readonly number[]): void {
  for (const row of rows) doubtful[row] = 1;
}

/**
 * Creates the option `measuring` of `createBookEvaluator`.
 *
 * @example
 * const measuring = createRowMeasuring(homeVocabulary, (query) => measurePoints(query, coast));
 */
export function createRowMeasuring(vocabulary: Vocabulary, measurePlaces: MeasurePlaces): RowMeasuring {
  const writeRange = createRangeWriter(vocabulary);
  return {
    measure: (read, rows, certainties = []) =>
      measureRows(read, rows, certainties, vocabulary, measurePlaces, writeRange),
  };
}

async function measureRows(
  read: ReadBatch,
  rows: number,
  certainties: readonly number[],
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
  const distancesOfBook = new Map(
    [...distances].map(([name, field]) => [name, of(columns.fields[field] as Float64Array)]),
  );
  const measured = await measure({
    latitudes: of(read.lat!),
    longitudes: of(read.lng!),
    counties: Int32Array.from(placed, (row) => columns.county[row]!),
    distances: distancesOfBook,
    certainties,
  });
  if (!measured) {
    leaveRows(read, placed);
    return undefined;
  }
  const { isLeft, ranges: rangesByName, rangesByCertainty, warnings } = measured;
  const hasDistance = (name: string, place: number) => !Number.isNaN(distancesOfBook.get(name)![place]!);
  const measuredPlaces: number[] = [];
  placed.forEach((row, place) => {
    if (isLeft[place] === 1) doubtful[row] = 1;
    else measuredPlaces.push(place);
  });
  const fields = [...rangesByName].flatMap(([name, range]) => {
    const field = distances.get(name);
    return field === undefined ? [] : [{ name, field, ...range }];
  });
  const rangesOf = (index: number): Ranges => {
    const place = measuredPlaces[index]!;
    const ranges = new Map<number, { readonly kind: 'between'; readonly min: number; readonly max: number }>();
    for (const { name, field, minima, maxima } of fields)
      if (!hasDistance(name, place)) ranges.set(field, { kind: 'between', min: minima[place]!, max: maxima[place]! });
    return ranges;
  };
  const rangesByCertaintyOf = (index: number): Property['rangesByCertainty'] => {
    if (!rangesByCertainty || rangesByCertainty.size === 0) return undefined;
    const place = measuredPlaces[index]!;
    const ofRow: Record<string, Record<string, { min: number; max: number }>> = {};
    for (const [certainty, byName] of rangesByCertainty) {
      const own: Record<string, { min: number; max: number }> = {};
      for (const [name, { minima, maxima }] of byName)
        if (distances.has(name) && !hasDistance(name, place)) own[name] = { min: minima[place]!, max: maxima[place]! };
      ofRow[String(certainty)] = own;
    }
    return ofRow;
  };
  return {
    rows: measuredPlaces.map((place) => placed[place]!),
    warnings,
    rangesOf,
    rangesByCertaintyOf,
    writeRange(index, tables) {
      const row = placed[measuredPlaces[index]!]!;
      return writeRange(columns, row, unionOf(rangesOf(index), rangesByCertaintyOf(index), distances), tables);
    },
    clear() {
      for (const { name, field } of fields)
        for (const place of measuredPlaces)
          if (!hasDistance(name, place)) columns.fields[field]![placed[place]!] = Number.NaN;
    },
  };
}

/** Ranges that contain those of every certainty. */
function unionOf(
  ranges: Ranges,
  byCertainty: Property['rangesByCertainty'],
  fieldOf: ReadonlyMap<string, number>,
): Ranges {
  if (!byCertainty) return ranges;
  const union = new Map(ranges);
  for (const own of Object.values(byCertainty)) {
    for (const [name, { min, max }] of Object.entries(own)) {
      const field = fieldOf.get(name)!;
      const { min: low, max: high } = union.get(field) ?? { min, max };
      union.set(field, { kind: 'between', min: Math.min(low, min), max: Math.max(high, max) });
    }
  }
  return union;
}

function createRangeWriter(vocabulary: Vocabulary) {
  const checks = new WeakMap<BookTables, SameToRules>();
  const placeOf = (name: string) => vocabulary.fields.findIndex((field) => field.name === name);
  const relations = vocabulary.relations.map(({ lower, higher }) => [placeOf(lower), placeOf(higher)] as const);
  return (columns: BookColumns, row: number, ranges: Ranges, tables: BookTables): boolean => {
    const isSame = checks.get(tables) ?? createSameToRules(tables);
    checks.set(tables, isSame);
    const type = columns.policyType[row]!;
    for (const [field, { min, max }] of ranges) {
      if (!isSame(type, field, min, max)) return false;
      // A relation bounds an unknown field by this one.
      for (const related of relations) {
        const other = related[0] === field ? related[1] : related[1] === field ? related[0] : -1;
        if (other < 0 || ranges.has(other) || !Number.isNaN(columns.fields[other]![row]!)) continue;
        if (!isSame(type, other, min, max)) return false;
      }
    }
    for (const [field, { min }] of ranges) columns.fields[field]![row] = min;
    return true;
  };
}
