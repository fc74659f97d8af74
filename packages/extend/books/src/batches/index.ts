// What judges batches of a book, without what opens files: nothing of Node is in it, so that a page can judge what was dropped on it.
export { noColumnMap, usedColumns } from '../columns/column-map.ts';
export type { ParquetFile } from '../parquet/parquet-file.ts';
export { createParquetSource } from '../parquet/parquet-source.ts';
export { BookFileError } from '../source/book-file-error.ts';
export type { RawBatch, RawColumn, UnreadRow } from '../source/raw-batch.ts';
export { type BookSummary, summarize } from '../tally/tally.ts';
export { readCsvHeading } from '../text/csv-heading.ts';
export { MAX_LINE_CHARACTERS } from '../text/max-line.ts';
export {
  type BookCounts,
  type BookEvaluator,
  type BookEvaluatorOptions,
  carriersOfCatalog,
  createBookEvaluator,
  type EvaluatedBatch,
} from './book-evaluator.ts';
export type { RejectedRow } from './reject.ts';
