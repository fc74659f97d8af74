import type { Truth } from '../condition/truth.ts';
import type { Moratorium, Program, Rule } from '../rule-set/rule-set.ts';
import type { OfferFindings } from './offers.ts';
import type { SettledStatus } from './verdict.ts';

/** Result of evaluating one rule set for a property and policy type. */
export interface Findings {
  /** Highest priority first, then in file order. */
  readonly rules: readonly { readonly rule: Rule; readonly truth: Truth }[];
  /** True if the carrier does not write the policy type in the county. */
  readonly territory: Truth;
  /** First program for the policy type and state. The reason for a territory names it. */
  readonly program: Program;
  /** Moratoria in force at the time of the request; `truth` is that of their covering the place. */
  readonly moratoria: readonly { readonly moratorium: Moratorium; readonly truth: Truth }[];
  readonly offers: OfferFindings;
  /** Set if the status is certain although no single rule is: a minimal set of rules, one of which must hold. */
  readonly jointly?: Joint;
  /** Possible statuses once everything is known. A single one is settled. */
  readonly possible: ReadonlySet<SettledStatus>;
  /** Request names that the status depends on. */
  readonly missing: ReadonlySet<string>;
  /** True if further reasoning could settle more. The result is sound either way. */
  readonly conservative: boolean;
}

export interface Joint {
  readonly territory: boolean;
  readonly moratoria: readonly Moratorium[];
  readonly rules: readonly Rule[];
}
