import type { RuleSet } from '@leeward/engine';
import { quoteValue } from '@leeward/terms';
import type { Finding } from '../finding/finding.ts';

/**
 * Adds the reason of the file's `allow` to each finding that it allows. An allowance without a finding becomes a finding itself,
 * because it would hide the next mistake of its kind.
 */
export function withAllowances(
  { allowed }: RuleSet,
  findings: readonly Finding[],
  isComplete = true,
): readonly Finding[] {
  if (allowed.length === 0) return findings;
  const used = new Set<number>();
  const results = findings.map((finding) => {
    const index = allowed.findIndex(({ code, ruleId }) => code === finding.code && ruleId === finding.ruleId);
    if (index < 0) return finding;
    used.add(index);
    return { ...finding, allowed: allowed[index]!.why };
  });
  // An incomplete analysis may have missed the finding.
  if (!isComplete) return results;
  const unused = allowed.flatMap(({ code, ruleId }, index): Finding[] => {
    if (used.has(index)) return [];
    const of = ruleId === undefined ? '' : ` of the rule ${quoteValue(ruleId)}`;
    const message = `The analysis has no finding ${quoteValue(code)}${of} for this allowance. Remove it.`;
    return [{ code: 'allowance_without_finding', path: `/allow/${index}`, severity: 'warning', message }];
  });
  return [...results, ...unused];
}
