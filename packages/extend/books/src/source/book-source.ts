import type { Recognized } from '@leeward/rows';
import type { RawBatch } from './raw-batch.ts';

/** The formats of books. */
export const bookFormats = ['parquet', 'arrow', 'csv', 'ndjson'] as const;
/** A format of books. */
export type BookFormat = (typeof bookFormats)[number];

/**
 * A part of a file that can be read alone. Its units, counted from 0, are row groups of Parquet, record batches of Arrow, or bytes of
 * text.
 */
export interface BookSlice {
  readonly from: number;
  /** Unit after the last. */
  readonly to: number;
  /** Row number in the file, from 0, of its first unit's first row. */
  readonly unitFirstRow: number;
  /** Row number in the file of its first row, from 0. A unit may be cut between rows. */
  readonly firstRow: number;
  readonly rows: number;
  /** First line of a slice of text, from 1. */
  readonly firstLine?: number;
}

/** The type of a column: `text` for all that are neither numbers nor booleans. */
export type ColumnType = 'integer' | 'number' | 'boolean' | 'text';

/** Port: an open book. Each format has an implementation. */
export interface BookSource {
  readonly format: BookFormat;
  /** Names of the columns. For NDJSON, the keys of the first rows, and of all rows after `slices`. */
  readonly names: readonly string[];
  /** The type of a column in the schema of the file. Absent for NDJSON, which has no schema. */
  readonly typeOf?: (name: string) => ColumnType;
  /** The smallest slices of the file, in order. A text file is read to its end to count rows. */
  slices(): Promise<readonly BookSlice[]>;
  /**
   * Reads the rows of a slice, or of the whole file. If a slice cuts a unit of text, the other rows of the unit are read too.
   *
   * @throws {BookFileError} that names the unreadable part.
   */
  batches(options?: BatchOptions): AsyncIterable<RawBatch>;
  /** Properties of a text file recognized so far. */
  readonly recognized?: () => Recognized;
  close(): Promise<void>;
}

/** Options of `BookSource.batches`. */
export interface BatchOptions {
  /** @default the whole file */
  readonly slice?: BookSlice;
  /** True for a column to read. @default all columns */
  readonly isWanted?: (name: string) => boolean;
  /** Called with the size of each read, in bytes. @default none */
  readonly onBytes?: (bytes: number) => void;
}

/** Maximum number of rows of a batch; their columns stay in the cache. */
export const ROWS_A_BATCH = 16_384;

/** The range of rows of a unit or batch that belong to a slice. The unit begins with row `unitRow` of the file. */
export function rowsWithin(slice: BookSlice | undefined, unitRow: number, rows: number): readonly [number, number] {
  if (!slice) return [0, rows];
  return [Math.max(0, slice.firstRow - unitRow), Math.min(rows, slice.firstRow + slice.rows - unitRow)];
}
