import { LOCATION } from '../area/area.ts';
import { sourcesOf } from '../condition/condition.ts';
import { eventList } from '../vocabulary/event-list.ts';
import { forEachRuleLeaf } from './check.ts';
import { testsPlaceOfEvents } from './events-in-reach.ts';
import type { RuleSet } from './rule-set.ts';

const uses = new WeakMap<RuleSet, boolean>();

/** True if an answer of the rule set can depend on the position of the building. */
export function usesLocation(ruleSet: RuleSet): boolean {
  let result = uses.get(ruleSet);
  if (result === undefined) {
    result = testsPlaceOfEvents(ruleSet);
    forEachRuleLeaf(ruleSet, ({ computed }) => {
      if (!computed) return;
      const sources = sourcesOf(computed);
      if (sources.has(LOCATION) || sources.has(eventList.name)) result = true;
    });
    uses.set(ruleSet, result);
  }
  return result;
}
