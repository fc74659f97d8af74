import { join } from 'node:path';

/** What a corpus found, as the table of `docs/corpora.md` shows it. */
export interface Outcome {
  readonly name: string;
  readonly isWhole: boolean;
  readonly cases: number;
  readonly passed: number;
  readonly allowed: readonly { readonly reason: string; readonly cases: number }[];
}

/** A file for each corpus, of its last run. */
export const outcomes = join(import.meta.dirname, '../node_modules/.cache/corpora');
