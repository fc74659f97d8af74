import type { Vocabulary } from '@leeward/engine';
import type { RangeColumns } from '../columns/book-columns.ts';
import type { ReadBatch } from '../columns/book-reader.ts';

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

/** By field, the ends of the ranges of some homes, in meters. */
type MeasuredRanges = ReadonlyMap<string, { readonly minima: Float64Array; readonly maxima: Float64Array }>;

/** Ranges of the distances of some homes. */
export interface MeasuredPlaces {
  /** 1 for a home that was not measured: its row is read separately. */
  readonly isLeft: Uint8Array;
  /** Meters, by field. */
  readonly ranges: MeasuredRanges;
  /** As `ranges`, for each certainty. @default the ranges */
  readonly rangesByCertainty?: ReadonlyMap<number, MeasuredRanges>;
  /** Number of measured homes by the code of a warning. */
  readonly warnings: ReadonlyMap<string, number>;
}

/**
 * Port: measures the distances of many homes at once, with the same results as `ReadRow`. `measurePoints` of `@leeward/http` implements
 * it. Returns undefined if the rows must be read separately.
 */
export type MeasurePlaces = (query: PlacesQuery) => Promise<MeasuredPlaces | undefined>;

/** Measures rows with coordinates. */
export interface RowMeasuring {
  /**
   * Measures the rows of a batch and writes the ranges into its columns. Marks rows that it does not measure as doubtful. Returns the
   * number of rows by the code of a warning.
   */
  measure(read: ReadBatch, rows: number, certainties?: readonly number[]): Promise<ReadonlyMap<string, number>>;
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
  return {
    measure: (read, rows, certainties = []) => measureRows(read, rows, certainties, vocabulary, measurePlaces),
  };
}

const NO_WARNINGS: ReadonlyMap<string, number> = new Map();

async function measureRows(
  read: ReadBatch,
  rows: number,
  certainties: readonly number[],
  vocabulary: Vocabulary,
  measure: MeasurePlaces,
): Promise<ReadonlyMap<string, number>> {
  const { columns, doubtful } = read;
  columns.ranges = undefined;
  columns.rangesByCertainty = undefined;
  const placed = placedRows(read, rows);
  if (placed.length === 0) return NO_WARNINGS;
  const of = (column: Float64Array) => Float64Array.from(placed, (row) => column[row]!);
  const distances = new Map(
    vocabulary.fields.flatMap(({ name, unit }, field) => (unit === 'meters' ? [[name, field] as const] : [])),
  );
  const measured = await measure({
    latitudes: of(read.lat!),
    longitudes: of(read.lng!),
    counties: Int32Array.from(placed, (row) => columns.county[row]!),
    distances: new Map([...distances].map(([name, field]) => [name, of(columns.fields[field] as Float64Array)])),
    certainties,
  });
  if (!measured) {
    leaveRows(read, placed);
    return NO_WARNINGS;
  }
  const { isLeft, ranges, rangesByCertainty, warnings } = measured;
  leaveRows(
    read,
    placed.filter((_, place) => isLeft[place] === 1),
  );
  /** Moves the ranges of measured homes to their rows. */
  const byRow = (measuredRanges: MeasuredRanges): RangeColumns =>
    new Map(
      [...measuredRanges].flatMap(([name, own]) => {
        const field = distances.get(name);
        if (field === undefined) return [];
        const spread = (column: Float64Array) => {
          const whole = new Float64Array(rows).fill(Number.NaN);
          placed.forEach((row, place) => {
            if (doubtful[row] === 0) whole[row] = column[place]!;
          });
          return whole;
        };
        return [[field, { minima: spread(own.minima), maxima: spread(own.maxima) }] as const];
      }),
    );
  columns.ranges = byRow(ranges);
  columns.rangesByCertainty =
    rangesByCertainty && new Map([...rangesByCertainty].map(([certainty, own]) => [certainty, byRow(own)] as const));
  return warnings;
}
