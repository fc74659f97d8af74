// Compares two catalogs over batches of a book. Runs in a browser.
export { type BookDiff, type BookDiffOptions, createBookDiff } from './book-diff.ts';
export type { DiffCounts } from './diff-counts.ts';
export type { Move } from './move.ts';
