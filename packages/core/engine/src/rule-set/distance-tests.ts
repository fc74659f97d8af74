import { forEachLeaf, type LeafCondition } from '../condition/condition.ts';
import type { Rule } from './rule-set.ts';

/** A test of a distance against a number: a limit. */
export interface DistanceTest {
  /** The field that is tested, in metres: `distance_to_tidal_water_meters`. */
  readonly fact: string;
  readonly meters: number;
  /** Whether a home exactly at the limit counts as farther. */
  readonly isOpen: boolean;
  /** As the rule's author wrote it. */
  readonly written: LeafCondition;
}

const DISTANCES = /^distance_to_.+_meters$/;
const ORDERS = /(?:^|:)(lessThan|greaterThan)(Inclusive)?$/;

const testsOfRules = new WeakMap<Rule, readonly DistanceTest[]>();

/** The tests of a rule that compare a distance with a number, each once. */
export function distanceTests(rule: Rule): readonly DistanceTest[] {
  let tests = testsOfRules.get(rule);
  if (tests === undefined) {
    const found = new Map<string, DistanceTest>();
    forEachLeaf(rule.condition, ({ fact, operator, value, written }) => {
      const order = ORDERS.exec(operator);
      if (order === null || typeof value !== 'number' || !DISTANCES.test(fact)) return;
      // `lessThan` and `greaterThanInclusive` cut at the limit itself.
      const isOpen = (order[1] === 'lessThan') === (order[2] === undefined);
      found.set(`${fact} ${value} ${isOpen}`, { fact, meters: value, isOpen, written });
    });
    tests = [...found.values()];
    testsOfRules.set(rule, tests);
  }
  return tests;
}

/** Whether a distance is within the limit of a test. */
export function isWithinLimit(
  { meters: limit, isOpen }: Pick<DistanceTest, 'meters' | 'isOpen'>,
  meters: number,
): boolean {
  return isOpen ? meters < limit : meters <= limit;
}
