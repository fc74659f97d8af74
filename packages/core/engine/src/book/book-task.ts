import type { BookTables } from './book-tables.ts';
import type { BookColumns } from './columns.ts';
import type { TallyCounts } from './tally.ts';

/** Where threads load a line's vocabulary from: a module and the name of its export. */
export interface VocabularySource {
  readonly module: string;
  readonly name: string;
}

/** What a thread is sent: rows of columns to be judged by tables it has, or is sent now. */
export interface BookTask {
  readonly run: number;
  readonly tablesId: number;
  readonly tables: BookTables | undefined;
  /** Tables that are not asked for again. */
  readonly forget: number | undefined;
  readonly columns: BookColumns;
  /** Place in the book of the first row of the columns. */
  readonly first: number;
  readonly codes: Uint8Array | undefined;
  /** In shared memory: the next row that nobody has taken, and whether to stop. */
  readonly control: Int32Array<SharedArrayBuffer>;
}

/** Places in `control`. */
export const NEXT_ROW = 0;
export const STOPPED = 1;

/** Rows a thread takes at a time. */
export const ROWS_TAKEN = 4096;

/** What a thread answers: rows done, all done, or why not. */
export type BookMessage =
  | { readonly run: number; readonly rows: number }
  | { readonly run: number; readonly counts: TallyCounts }
  | { readonly run: number; readonly error: unknown };
