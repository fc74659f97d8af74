import { matchingEvents, momentOfProperty } from '../condition/computed.ts';
import { type Aggregate, factsOf, type Operand } from '../condition/condition.ts';
import type { HazardEvent } from '../events/hazard-event.ts';
import type { Property } from '../request/property.ts';
import { eventList } from '../vocabulary/event-list.ts';
import { forEachRuleLeaf } from './check.ts';
import type { RuleSet } from './rule-set.ts';

const byRuleSet = new WeakMap<RuleSet, readonly Aggregate[]>();

/** The counts and sums over events that the rules of a rule set test. */
export function eventAggregates(ruleSet: RuleSet): readonly Aggregate[] {
  let result = byRuleSet.get(ruleSet);
  if (!result) {
    const aggregates = new Set<Aggregate>();
    forEachRuleLeaf(ruleSet, ({ computed }) => {
      if (computed) collect(computed, aggregates);
    });
    result = [...aggregates];
    byRuleSet.set(ruleSet, result);
  }
  return result;
}

function collect(operand: Operand, into: Set<Aggregate>): void {
  if (operand.kind === 'operation') for (const each of operand.of) collect(each, into);
  else if (operand.kind === 'aggregate' && operand.list.name === eventList.name) into.add(operand);
}

/**
 * Returns the events that a rule of some rule sets can match for a property, certainly or possibly. The other events
 * change no answer of these rule sets. Undefined if no rule tests events, or if they are unknown.
 *
 * @example eventsInReach([ruleSet], property)?.map(({ id }) => id);
 */
export function eventsInReach(ruleSets: Iterable<RuleSet>, property: Property): readonly HazardEvent[] | undefined {
  const moment = momentOfProperty(property);
  let matching: Set<HazardEvent> | undefined;
  for (const ruleSet of ruleSets) {
    for (const aggregate of eventAggregates(ruleSet)) {
      matching ??= new Set();
      for (const { event } of matchingEvents(aggregate, moment, property.effectiveDate)) matching.add(event);
    }
  }
  if (!matching || !moment.events) return undefined;
  return moment.events.filter((event) => matching.has(event));
}

/** True if an answer of the rule set depends on events through the position of the home. */
export function testsPlaceOfEvents(ruleSet: RuleSet): boolean {
  return eventAggregates(ruleSet).some(({ where, field }) => {
    const facts = new Set([...(field === undefined ? [] : [field]), ...(where ? factsOf(where) : [])]);
    return facts.has('miles_from_home') || facts.has('covers_home:axis');
  });
}
