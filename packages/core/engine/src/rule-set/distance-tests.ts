import { forEachLeaf, type LeafCondition } from '../condition/condition.ts';
import type { Rule } from './rule-set.ts';

/** A test that compares a distance with a number. */
export interface DistanceTest {
  readonly fact: string;
  readonly meters: number;
  /** True if a home exactly at the limit counts as farther. */
  readonly isOpen: boolean;
  readonly written: LeafCondition;
}

const DISTANCES = /^distance_to_.+_meters$/;
const ORDERS = /(?:^|:)(lessThan|greaterThan)(Inclusive)?$/;

const testsOfRules = new WeakMap<Rule, readonly DistanceTest[]>();

/**
 * Returns the distance tests of a rule, without repetition.
 *
 * @example for (const { fact, meters } of distanceTests(rule)) console.log(fact, meters);
 */
export function distanceTests(rule: Rule): readonly DistanceTest[] {
  let tests = testsOfRules.get(rule);
  if (tests === undefined) {
    const byLimit = new Map<string, DistanceTest>();
    forEachLeaf(rule.condition, ({ fact, operator, value, written }) => {
      const order = ORDERS.exec(operator);
      if (order === null || typeof value !== 'number' || !DISTANCES.test(fact)) return;
      // `lessThan` and `greaterThanInclusive` exclude the limit.
      const isOpen = (order[1] === 'lessThan') === (order[2] === undefined);
      byLimit.set(`${fact} ${value} ${isOpen}`, { fact, meters: value, isOpen, written });
    });
    tests = [...byLimit.values()];
    testsOfRules.set(rule, tests);
  }
  return tests;
}

/**
 * Returns true if a distance is within the limit of a test.
 *
 * @example distanceTests(rule).every((test) => isWithinLimit(test, 1_200));
 */
export function isWithinLimit(
  { meters: limit, isOpen }: Pick<DistanceTest, 'meters' | 'isOpen'>,
  meters: number,
): boolean {
  return isOpen ? meters < limit : meters <= limit;
}
