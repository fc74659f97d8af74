import type { Truth } from '../condition/truth.ts';
import type { Moratorium, Program, Rule } from '../rule-set/rule-set.ts';
import type { SettledStatus } from './verdict.ts';

/** What an evaluator found for one rule set, policy type and property: all that a verdict is made of. */
export interface Findings {
  /** Highest priority first, then in the order of the file. */
  readonly rules: readonly { readonly rule: Rule; readonly truth: Truth }[];
  /** Whether the county is one in which the carrier does not write the policy type. */
  readonly territory: Truth;
  /** The first program for the policy type and state: named where the territory declines. */
  readonly program: Program;
  /** Moratoria in force at the instant of asking, with whether the place is theirs. */
  readonly moratoria: readonly { readonly moratorium: Moratorium; readonly truth: Truth }[];
  /**
   * Where the status is certain though nothing is by itself: as little as it takes, of which one must hold
   * whatever is unknown.
   */
  readonly jointly?: Joint;
  /** What the status can be once everything is known. One: settled. */
  readonly possible: ReadonlySet<SettledStatus>;
  /** Request names on which the status hangs. */
  readonly missing: ReadonlySet<string>;
  /** Sound, but more could be settled by leaning on what the evaluator does not reason about. */
  readonly conservative: boolean;
}

/** Rules, moratoria and the territory of which one must hold. */
export interface Joint {
  readonly territory: boolean;
  readonly moratoria: readonly Moratorium[];
  readonly rules: readonly Rule[];
}
