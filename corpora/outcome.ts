import { join } from 'node:path';

/** The outcome of a corpus, for the table of `docs/corpora.md`. */
export interface Outcome {
  readonly name: string;
  readonly isWhole: boolean;
  readonly cases: number;
  readonly passed: number;
  readonly allowed: readonly { readonly reason: string; readonly cases: number }[];
}

/** A file for each corpus, of its last run. */
export const outcomes = join(import.meta.dirname, '../node_modules/.cache/corpora');
