import type { Truth } from '../condition/truth.ts';
import type { Outcome } from '../rule-set/schema.ts';
import type { RuleSetIdentity, Status } from '../verdict/verdict.ts';

/**
 * What is known of a fact, as JSON has it: a value, bounds (ends included), one of several words, or null
 * where nobody said.
 */
export type KnownValue =
  | string
  | number
  | boolean
  | null
  | { readonly min: number; readonly max: number }
  | { readonly oneOf: readonly (string | number)[] }
  | readonly unknown[]
  | Readonly<Record<string, unknown>>;

/** One test of a rule: what it asks, what the property has, and whether it holds. */
export interface ExplainedTest {
  /** Fact, operator and limit as the author of the rule set wrote them. */
  readonly fact: string;
  readonly operator: string;
  readonly limit: unknown;
  /** Where the limit is another fact: its name; `limit` is then what is known of that. */
  readonly limitFact?: string;
  /** Request name under which the fact is given. */
  readonly field: string;
  readonly label: string;
  readonly unit?: string;
  /** What is known of the fact, in the author's unit. */
  readonly value: KnownValue;
  /** Present where nobody gave the value: what is known follows from a related field. */
  readonly inferred?: true;
  readonly truth: Truth;
  /** The same as a sentence. */
  readonly text: string;
}

/**
 * A condition with the truth of each of its nodes, test by test. The truth of a whole rule can be surer:
 * rules are judged over all values that the unknown fields can take together.
 */
export type ExplainedTree =
  | {
      readonly kind: 'all' | 'any' | 'not';
      readonly truth: Truth;
      readonly children: readonly ExplainedTree[];
      /** Present where children are left out of a tree too large to tell. */
      readonly truncated?: true;
    }
  | ({ readonly kind: 'test' } & ExplainedTest);

/** A rule, territory or moratorium and what it says of the property. */
export interface ExplainedRule {
  readonly ruleId: string;
  readonly kind: 'rule' | 'territory' | 'moratorium';
  readonly outcome: Outcome;
  readonly code: string;
  readonly message: string;
  /** The program it belongs to; null for what applies to all of them. */
  readonly program: string | null;
  readonly truth: Truth;
  /** The tests on which its truth rests: those that make it true, or leave it undecided. */
  readonly tests: readonly ExplainedTest[];
  /** Where asked for: the whole condition. Of a rule written with `unless`, the `not` is its root. */
  readonly tree?: ExplainedTree;
}

/** Why one carrier says what it says for one policy type. Plain JSON. */
export interface Explanation {
  readonly carrierKey: string;
  readonly carrierName: string;
  readonly policyType: string;
  readonly status: Status;
  /** Null where no version is in force on the effective date. */
  readonly ruleSet: RuleSetIdentity | null;
  readonly evaluator: 'compiled' | 'reference';
  /**
   * The rules behind the status: those of the verdict's reasons and, while it needs information, those
   * that could still change it.
   */
  readonly decidedBy: readonly ExplainedRule[];
  /** Where the tree is asked for: every rule that applies where the property stands, each with its tree. */
  readonly rules?: readonly ExplainedRule[];
}
