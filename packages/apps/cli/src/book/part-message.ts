import type { BookPlan, BookTables } from '@leeward/books';

/** What a thread of a book begins with. */
export interface PartThreadData {
  readonly plan: BookPlan;
  /** The line that its homes are of: a name, or the whole path of the module that has it. */
  readonly line: string;
  /** Where parts are written. */
  readonly work: string;
  /** Compiled already, by effective date. */
  readonly tables: ReadonlyMap<string, BookTables>;
  /** For rows that must be judged by themselves. */
  readonly carriers: string;
  readonly terminal: { readonly environment: Readonly<Record<string, string | undefined>>; readonly folder: string };
}

/** What a thread says: rows judged, a part done, or why not. */
export type PartMessage =
  | { readonly rows: number }
  | { readonly done: number }
  | { readonly failed: number; readonly message: string; readonly isForeseen: boolean };
