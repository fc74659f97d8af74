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
  /** Present for a carrier with tiers. */
  readonly ladder?: LadderFindings;
}

/** The tiers of a carrier whose programs form a ladder. */
export interface LadderFindings {
  /** The tiers that take or refer the home in some completion, best first. */
  readonly possible: readonly Program[];
  /** True if `possible` has one tier, which is the tier in every completion. */
  readonly isSettled: boolean;
  /** The tier whose rules are the reasons, if every tier declines. */
  readonly last: Program | undefined;
  /** Evaluates every tier alone. Leaves out those that do not cover the place. */
  evaluate(): readonly { readonly program: Program; readonly findings: Findings }[];
}

export interface Joint {
  readonly territory: boolean;
  readonly moratoria: readonly Moratorium[];
  readonly rules: readonly Rule[];
}
