// Evaluates batches of a book without opening files. Runs in a browser.

export { type ColumnMap, type ColumnOrigin, noColumnMap, usedColumns } from '../columns/column-map.ts';
export { type GuessedFields, guessFields, usualFields } from '../columns/guess-columns.ts';
export { type WrittenStyles, writtenValueReader } from '../columns/written-value.ts';
export type { ParquetFile } from '../parquet/parquet-file.ts';
export { createParquetSource } from '../parquet/parquet-source.ts';
export { BookFileError } from '../source/book-file-error.ts';
export type { RawBatch, RawColumn, UnreadRow } from '../source/raw-batch.ts';
export { cellOf } from '../source/raw-batch.ts';
export { type BookSummary, summarize } from '../tally/tally.ts';
export { readCsvHeading } from '../text/csv-heading.ts';
export { MAX_LINE_CHARACTERS } from '../text/max-line.ts';
export { type BookCarriers, carriersOfCatalog } from './book-carriers.ts';
export type { BookCounts } from './book-counter.ts';
export {
  type BookEvaluator,
  type BookEvaluatorOptions,
  createBookEvaluator,
  type EvaluatedBatch,
} from './book-evaluator.ts';
export { type ReadRow, type ReadRowResult, type RejectedRow, writeReject } from './single-rows.ts';
