/** What is wrong with a file as a whole. */
export type RowFileErrorCode = 'empty_file' | 'not_text' | 'not_rows' | 'unreadable_header';

/** A file as a whole is no file of rows. The message is a sentence for its owner, and names the way out. */
export class RowFileError extends Error {
  override readonly name = 'RowFileError';
  readonly code: RowFileErrorCode;

  constructor(code: RowFileErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
