import type { Facts } from '../condition/fact-map.ts';
import type { FindOperator } from '../condition/tree-truth.ts';
import type { Truth } from '../condition/truth.ts';
import type { Rule } from '../rule-set/rule-set.ts';
import type { Almanac } from './almanac.ts';

/** Evaluates rules against the known facts of a property. */
export interface Evaluator {
  readonly findOperator?: FindOperator;
  /**
   * The truth of each rule, in the same order. Sound: never `true` or `false` if some completion of the unknown fields disagrees.
   *
   * @param almanac source of host facts; by default a new one
   */
  evaluate(rules: readonly Rule[], facts: Facts, almanac?: Almanac): Promise<readonly Truth[]>;
}
