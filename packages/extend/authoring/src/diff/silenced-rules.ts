import type { RuleSet } from '@leeward/engine';
import { type AnalyseOptions, findRulesThatDecideNothing } from '../analysis/analyse.ts';
import type { Edit } from './compare-files.ts';

/** Rules of both versions that decided something before and decide nothing any more, each with a home that shows it. */
export function silencedRules(older: RuleSet, newer: RuleSet, options: AnalyseOptions): Edit[] {
  const silent = findRulesThatDecideNothing(newer, options).filter(({ ruleId }) => ruleId !== undefined);
  if (silent.length === 0) return [];
  const before = new Set(findRulesThatDecideNothing(older, options).map(({ ruleId }) => ruleId));
  const known = new Set([...older.rules, ...older.programs.flatMap(({ rules }) => rules)].map(({ id }) => id));
  return silent
    .filter(({ ruleId }) => known.has(ruleId!) && !before.has(ruleId))
    .map((finding) => ({
      ...finding,
      code: 'rule_decides_nothing_now',
      side: 'newer',
      message: `"${finding.ruleId}" decided before and decides nothing any more. ${finding.message}`,
    }));
}
