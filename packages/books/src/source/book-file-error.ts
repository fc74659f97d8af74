/** A book, or a piece of it, that cannot be read, and what to do about it. */
export class BookFileError extends Error {
  override readonly name = 'BookFileError';
}
