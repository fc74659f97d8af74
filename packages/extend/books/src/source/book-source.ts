import type { Recognized } from '@leeward/rows';
import type { RawBatch } from './raw-batch.ts';

/** The formats of books. */
export const bookFormats = ['parquet', 'arrow', 'csv', 'ndjson'] as const;
/** A format of books. */
export type BookFormat = (typeof bookFormats)[number];

/**
 * A part of a file that can be read alone, as plain data. Its units are row groups of Parquet, record batches of Arrow, or bytes
 * of a text file, counted from 0.
 */
export interface BookSlice {
  /** First unit. */
  readonly from: number;
  /** Unit after the last. */
  readonly to: number;
  /** Place in the file, from 0, of the first row of its first unit. In text it equals `firstRow`. */
  readonly unitFirstRow: number;
  /** Place in the file of its first row, from 0. A unit of Parquet and Arrow may be cut between rows. */
  readonly firstRow: number;
  readonly rows: number;
  /** First line of a slice of a text file, from 1. */
  readonly firstLine?: number;
}

/** Port: an open file of a book. Each format has an implementation. */
export interface BookSource {
  readonly format: BookFormat;
  /** The names of the columns. For NDJSON, the keys of the first rows. */
  readonly names: readonly string[];
  /** The smallest slices, in order. Together they are the whole file. A text file is read to its end to count rows. */
  slices(): Promise<readonly BookSlice[]>;
  /**
   * Reads the rows of a slice, or of the whole file.
   *
   * @throws {BookFileError} that names the part that cannot be read.
   */
  batches(options?: BatchOptions): AsyncIterable<RawBatch>;
  /** The properties of a text file recognized up to now. */
  readonly recognized?: () => Recognized;
  close(): Promise<void>;
}

/** Options of `BookSource.batches`. */
export interface BatchOptions {
  /** @default the whole file */
  readonly slice?: BookSlice;
  /** True for a column to read. @default all columns */
  readonly isWanted?: (name: string) => boolean;
  /** Called with the number of bytes of each read. Without it, progress is not reported. */
  readonly onBytes?: (bytes: number) => void;
}

/** Maximum number of rows of a batch: few enough that their columns stay in the cache. */
export const ROWS_A_BATCH = 16_384;

/** The range of rows of a unit that belong to a slice. The unit begins with row `unitRow` of the file. */
export function rowsWithin(slice: BookSlice | undefined, unitRow: number, rows: number): readonly [number, number] {
  if (!slice) return [0, rows];
  return [Math.max(0, slice.firstRow - unitRow), Math.min(rows, slice.firstRow + slice.rows - unitRow)];
}
