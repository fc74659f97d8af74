/** A book cannot be read. The message explains how to fix it. */
export class BookFileError extends Error {
  override readonly name = 'BookFileError';
  /** `no_file` if the path is not a file, else `unreadable`. */
  readonly code: 'no_file' | 'unreadable';

  constructor(message: string, options: ErrorOptions & { readonly code?: 'no_file' | 'unreadable' } = {}) {
    super(message, options);
    this.code = options.code ?? 'unreadable';
  }
}
