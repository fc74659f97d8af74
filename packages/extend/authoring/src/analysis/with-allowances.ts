import type { RuleSet } from '@leeward/engine';
import { quoteValue } from '@leeward/terms';
import type { Finding } from '../finding/finding.ts';

/**
 * Findings with why they may stand, where the file's `allow` says so. An allowance that explains nothing any more is a finding
 * itself: it would explain the next mistake of its kind away.
 */
export function withAllowances(
  { allowed }: RuleSet,
  findings: readonly Finding[],
  isComplete = true,
): readonly Finding[] {
  if (allowed.length === 0) return findings;
  const used = new Set<number>();
  const explained = findings.map((finding) => {
    const index = allowed.findIndex(({ code, ruleId }) => code === finding.code && ruleId === finding.ruleId);
    if (index < 0) return finding;
    used.add(index);
    return { ...finding, allowed: allowed[index]!.why };
  });
  // Its finding may be among those that an incomplete analysis missed.
  if (!isComplete) return explained;
  const unused = allowed.flatMap(({ code, ruleId }, index): Finding[] => {
    if (used.has(index)) return [];
    const of = ruleId === undefined ? '' : ` of the rule ${quoteValue(ruleId)}`;
    const message = `Nothing is found that "allow" explains here: ${quoteValue(code)}${of}. Remove the allowance.`;
    return [{ code: 'allowance_without_finding', path: `/allow/${index}`, severity: 'warning', message }];
  });
  return [...explained, ...unused];
}
