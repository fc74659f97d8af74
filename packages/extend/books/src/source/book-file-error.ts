/** A book, or a piece of it, that cannot be read, and what to do about it. */
export class BookFileError extends Error {
  override readonly name = 'BookFileError';
  /** `no_file` where there is nothing of that name, or a folder; `unreadable` where what is there cannot be read. */
  readonly code: 'no_file' | 'unreadable';

  constructor(message: string, options: ErrorOptions & { readonly code?: 'no_file' | 'unreadable' } = {}) {
    super(message, options);
    this.code = options.code ?? 'unreadable';
  }
}
