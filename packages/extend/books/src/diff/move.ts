import type { STATUS_CODES } from '@leeward/engine';

/** A carrier's status that differs between two catalogs. */
export interface Move {
  /** Row number in the book, from 1. */
  readonly row: number;
  /** Line in a text file, from 1. */
  readonly line: number | undefined;
  readonly carrierKey: string;
  readonly policyType: string;
  readonly before: (typeof STATUS_CODES)[number];
  readonly after: (typeof STATUS_CODES)[number];
  /** The edits that cause it: they hold, or may hold, for this home in one version only. */
  readonly reasons: readonly { readonly ruleId: string; readonly code: string }[];
  /** Lower-case code. */
  readonly state: string;
  /** Name with state, as `Harris County, TX`, or `unknown`. */
  readonly county: string;
  readonly distanceBand: string;
  readonly premium: number | undefined;
}
