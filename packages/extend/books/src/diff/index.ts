// What compares two catalogs over batches of a book: nothing of Node is in it, so that a page can compare what was dropped on it.
export { type BookDiff, type BookDiffOptions, createBookDiff } from './book-diff.ts';
export type { DiffCounts } from './diff-counts.ts';
export type { Move } from './move.ts';
