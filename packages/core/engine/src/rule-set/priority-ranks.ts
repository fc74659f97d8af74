import type { RuleSet } from './rule-set.ts';

/**
 * Maps priorities to whole numbers from 1, as json-rules-engine requires. Keeps valid priorities; otherwise uses ranks in the same
 * order.
 */
export function priorityRanks(ruleSet: RuleSet): (priority: number) => number {
  const rules = [...ruleSet.rules, ...ruleSet.programs.flatMap((program) => program.rules)];
  const priorities = [...new Set(rules.map((rule) => rule.priority))];
  if (priorities.every((priority) => Number.isSafeInteger(priority) && priority >= 1)) return (priority) => priority;
  const ranks = new Map(priorities.sort((a, b) => a - b).map((priority, index) => [priority, index + 1]));
  return (priority) => ranks.get(priority) ?? 1;
}
