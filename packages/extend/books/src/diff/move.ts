import type { STATUS_CODES } from '@leeward/engine';

/** The answer of a carrier that differs between two catalogs. */
export interface Move {
  /** Place of the policy in the book, from 1. */
  readonly row: number;
  /** Its line in a text file, from 1. */
  readonly line: number | undefined;
  readonly carrierKey: string;
  readonly policyType: string;
  readonly before: (typeof STATUS_CODES)[number];
  readonly after: (typeof STATUS_CODES)[number];
  /** The edits that cause it: they hold, or may hold, for this home in one version only. */
  readonly reasons: readonly { readonly ruleId: string; readonly code: string }[];
  /** Lower-case code. */
  readonly state: string;
  /** Name with state, as `Harris County, TX`; `unknown` if the county is. */
  readonly county: string;
  readonly distanceBand: string;
  /** Undefined if the book has no premiums. */
  readonly premium: number | undefined;
}
