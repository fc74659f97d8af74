import type { Truth } from '../condition/truth.ts';
import type { Outcome } from '../rule-set/schema.ts';
import type { RuleSetIdentity, Status, VerdictTier } from '../verdict/verdict.ts';

/** Knowledge of a fact as JSON: a value, bounds (ends included), one of several words, or null if unknown. */
export type KnownValue =
  | string
  | number
  | boolean
  | null
  | { readonly min: number; readonly max: number }
  | { readonly oneOf: readonly (string | number)[] }
  | readonly unknown[]
  | Readonly<Record<string, unknown>>;

/** One test of a rule: its limit, the property's value, and whether it holds. */
export interface ExplainedTest {
  /** Fact, operator and limit as written in the rule set. */
  readonly fact: string;
  readonly operator: string;
  readonly limit: unknown;
  /** Set if the limit is another fact: its name. `limit` is then the knowledge of that fact. */
  readonly limitFact?: string;
  /** Request name of the fact. */
  readonly field: string;
  readonly label: string;
  readonly unit?: string;
  /** Knowledge of the fact, in the unit of the test. */
  readonly value: KnownValue;
  /** Present if the value was not given but follows from a related field. */
  readonly inferred?: true;
  readonly truth: Truth;
  /** The test as a sentence. */
  readonly text: string;
}

/**
 * A condition with the truth of each node, test by test. The truth of the whole rule can be more certain, because rules are evaluated
 * over all combinations of values of the unknown fields.
 */
export type ExplainedTree =
  | {
      readonly kind: 'all' | 'any' | 'not';
      readonly truth: Truth;
      readonly children: readonly ExplainedTree[];
      /** Present if the tree was too large and children were left out. */
      readonly truncated?: true;
    }
  | ({ readonly kind: 'test' } & ExplainedTest);

/** A rule, territory or moratorium and its truth for the property. */
export interface ExplainedRule {
  readonly ruleId: string;
  readonly kind: 'rule' | 'territory' | 'moratorium';
  readonly outcome: Outcome;
  readonly code: string;
  readonly message: string;
  /** The program of the rule; null if it applies to all programs. */
  readonly program: string | null;
  readonly truth: Truth;
  /** The tests that make it true, or leave it undecided. */
  readonly tests: readonly ExplainedTest[];
  /** The complete condition, if requested. For a rule with `unless`, its root is the `not`. */
  readonly tree?: ExplainedTree;
}

/** The explanation of a tier alone: the rules that keep the home out, or could. */
export interface ExplainedTier extends VerdictTier {
  readonly status: Exclude<Status, 'not_offered'>;
  readonly decidedBy: readonly ExplainedRule[];
}

/** Explanation of the status of one carrier for one policy type. Plain JSON. */
export interface Explanation {
  readonly carrierKey: string;
  readonly carrierName: string;
  readonly policyType: string;
  readonly status: Status;
  /** Null if no version is in force on the effective date. */
  readonly ruleSet: RuleSetIdentity | null;
  readonly evaluator: 'compiled' | 'reference';
  /**
   * The rules behind the status: those of the verdict's reasons and, while information is missing, those that could still change it.
   */
  readonly decidedBy: readonly ExplainedRule[];
  /** Every rule that applies at the location, with its tree, if requested. */
  readonly rules?: readonly ExplainedRule[];
  /** For a carrier with tiers: the tiers other than the one whose rules decide, best first. */
  readonly tiers?: readonly ExplainedTier[];
}
