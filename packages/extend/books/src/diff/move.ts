import type { STATUS_CODES } from '@leeward/engine';

/** An answer of one carrier that is another by the new rules. */
export interface Move {
  /** Place of the policy in the book, from 1, and its line in a file of text. */
  readonly row: number;
  readonly line: number | undefined;
  readonly carrierKey: string;
  readonly policyType: string;
  readonly before: (typeof STATUS_CODES)[number];
  readonly after: (typeof STATUS_CODES)[number];
  /** The edits behind it: those that hold, or may hold, of this home on one side and not on the other. */
  readonly reasons: readonly { readonly ruleId: string; readonly code: string }[];
  /** Lower-case code. */
  readonly state: string;
  /** As people write it, with its state; `unknown` where nobody said. */
  readonly county: string;
  readonly distanceBand: string;
  /** What the book says the policy costs; undefined where it does not say. */
  readonly premium: number | undefined;
}
