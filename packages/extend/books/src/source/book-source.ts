import type { Recognized } from '@leeward/rows';
import type { RawBatch } from './raw-batch.ts';

/** Formats of books that are read. */
export const bookFormats = ['parquet', 'arrow', 'csv', 'ndjson'] as const;
/** How a book is written. */
export type BookFormat = (typeof bookFormats)[number];

/**
 * A piece of a book that can be read by itself, as plain data: row groups of Parquet, record batches of Arrow, bytes of a file of
 * text. `unit` counts those from 0.
 */
export interface BookSlice {
  /** First unit, and the first after the last. */
  readonly from: number;
  readonly to: number;
  /** Place in the file, from 0, of the first row of its first unit. Of text that is its own first row. */
  readonly unitFirstRow: number;
  /** Place in the file, from 0, of its own first row, and its rows. Units of Parquet and Arrow may be cut between rows. */
  readonly firstRow: number;
  readonly rows: number;
  /** Of a file of text: the line on which it begins, from 1. */
  readonly firstLine?: number;
}

/** A file of a book, opened. One object a format; the rest of the package knows this port only. */
export interface BookSource {
  readonly format: BookFormat;
  /** Names of the columns; of NDJSON, the keys of the first rows. */
  readonly names: readonly string[];
  /**
   * The smallest pieces that can be read by themselves, in order; together they are the whole file. Reads no more than it must to
   * know them: a file of text is counted from end to end.
   */
  slices(): Promise<readonly BookSlice[]>;
  /**
   * The rows of a slice, or of the whole file, `batchRows` at most together. Columns whose name is not wanted are left out.
   * Throws a `BookFileError` that names what cannot be read.
   */
  batches(options?: BatchOptions): AsyncIterable<RawBatch>;
  /** What was not said of a file of text but recognized, as far as it was read. */
  readonly recognized?: () => Recognized;
  close(): Promise<void>;
}

/** What to read of a book: rows and columns; `onBytes` hears how far the reader is. */
export interface BatchOptions {
  readonly slice?: BookSlice;
  /** Default: all. */
  readonly isWanted?: (name: string) => boolean;
  /** Called with bytes of the file as they are read. */
  readonly onBytes?: (bytes: number) => void;
}

/** Rows of a batch: few enough that their columns stay in the cache. */
export const ROWS_A_BATCH = 16_384;

/** Of a unit that begins with row `unitRow` of the file and has so many rows, those that belong to the slice. */
export function rowsWithin(slice: BookSlice | undefined, unitRow: number, rows: number): readonly [number, number] {
  if (!slice) return [0, rows];
  return [Math.max(0, slice.firstRow - unitRow), Math.min(rows, slice.firstRow + slice.rows - unitRow)];
}
