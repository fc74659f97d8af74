export { type BookCarriers, carriersOfCatalog } from './batches/book-carriers.ts';
export type { BookCounts } from './batches/book-counter.ts';
export {
  type BookEvaluator,
  type BookEvaluatorOptions,
  createBookEvaluator,
  type EvaluatedBatch,
} from './batches/book-evaluator.ts';
export {
  createRowMeasuring,
  type MeasuredPlaces,
  type MeasurePlaces,
  type PlacesQuery,
  type RowMeasuring,
} from './batches/measure-rows.ts';
export { type StateDates, stateDates } from './batches/moments.ts';
export type { OpenQuestions } from './batches/open-questions.ts';
export { type ReadRow, type ReadRowResult, type RejectedRow, writeReject } from './batches/single-rows.ts';
export { type BookColumns, createBookColumns, writeBookRow } from './columns/book-columns.ts';
export {
  type ColumnMap,
  type ColumnOrigin,
  hasPlaces,
  ignoreExtraColumns,
  readColumnMap,
} from './columns/column-map.ts';
export { type GuessedFields, guessFields, usualFields, writtenColumnMap } from './columns/guess-columns.ts';
export { type WrittenStyles, writtenValueReader } from './columns/written-value.ts';
export { type BookDiff, type BookDiffOptions, createBookDiff } from './diff/book-diff.ts';
export {
  type CarrierMoves,
  createDiffCounter,
  type DiffCounter,
  type DiffCounts,
  type DiffDimension,
  diffDimensions,
  type MovedCount,
} from './diff/diff-counts.ts';
export { distanceBands } from './diff/distance-band.ts';
export type { Move } from './diff/move.ts';
export { type BookChunk, type ReadBookOptions, readBook } from './evaluate/read-book.ts';
export { type OpenBookOptions, openBook, openBookStream } from './open-book.ts';
export {
  type BookRun,
  type CountedInput,
  countInput,
  cutBook,
  hashOf,
  type RunInput,
  type RunPart,
  type RunSettings,
  type StatusFormat,
  statusFormats,
} from './parts/book-run.ts';
export { createFinalFile, type FinalFile, writeFinalFile } from './parts/final-file.ts';
export { type JoinOptions, joinParts } from './parts/join-parts.ts';
export { type PartResult, type RunPartOptions, readResult, runPart } from './parts/run-part.ts';
export { BookFileError } from './source/book-file-error.ts';
export {
  type BatchOptions,
  type BookFormat,
  type BookSlice,
  type BookSource,
  bookFormats,
  type ColumnType,
} from './source/book-source.ts';
export { cellOf, type RawBatch, type RawColumn } from './source/raw-batch.ts';
export { type BookDates, type BookTables, bookTables, hasTablesFor } from './tables/book-tables.ts';
export {
  type BookSummary,
  type BookTally,
  createTally,
  type StatusCounts,
  summarize,
  type TallyCounts,
} from './tally/tally.ts';
export { createStatusWriter, type StatusWriterOptions } from './write/create-writer.ts';
export {
  commonType,
  createExtraColumns,
  type ExtraColumn,
  type ExtraColumns,
  expectExtraColumns,
} from './write/extra-columns.ts';
export type { ByteSink, StatusWriter, WrittenBatch } from './write/status-writer.ts';
