import type { Facts } from '../condition/facts.ts';
import type { FindOperator } from '../condition/tree-truth.ts';
import type { Truth } from '../condition/truth.ts';
import type { Rule } from '../rule-set/rule-set.ts';
import type { Almanac } from './almanac.ts';

/**
 * Says of each rule whether it holds for what is known. The one seam between the meaning of a verdict
 * and how fast it is found: everything above is the same for every evaluator.
 */
export interface Evaluator {
  /** Operators as this evaluator knows them, a host's own included. */
  readonly findOperator?: FindOperator;
  /**
   * One truth a rule, in the order given. Sound: never true or false where a completion says otherwise. The almanac
   * gives the host's facts; default: one for this call.
   */
  evaluate(rules: readonly Rule[], facts: Facts, almanac?: Almanac): Promise<readonly Truth[]>;
}
