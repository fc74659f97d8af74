/** The code of a `RowFileError`. */
export type RowFileErrorCode = 'empty_file' | 'not_text' | 'not_rows' | 'unreadable_header';

/** A file has no readable rows. The message explains how to fix it. */
export class RowFileError extends Error {
  override readonly name = 'RowFileError';
  readonly code: RowFileErrorCode;

  constructor(code: RowFileErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
