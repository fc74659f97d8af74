import type { BookFormat, BookSource } from '../source/book-source.ts';

/** A book without rows. */
export function emptySource(format: BookFormat): BookSource {
  return { format, names: [], slices: async () => [], batches: async function* () {}, close: async () => {} };
}
