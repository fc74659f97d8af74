import type { WireVerdict } from '@leeward/http';
import { citing, type Statement } from './statement.ts';

/** All statements of a verdict. */
export function verdictStatements(verdict: WireVerdict): Statement[] {
  const say = (kind: Statement['kind'], text: string, ruleIds: readonly string[]): Statement => {
    return { kind, text, cites: citing(verdict, ruleIds) };
  };
  const who = `${verdict.carrier} (${verdict.policy_type.toUpperCase()})`;
  const terms = Object.values(verdict.terms ?? {});
  return [
    ...statusStatements(verdict, who, say),
    ...verdict.requirements.map((each) => say('requirement', `${who} requires: ${each.message}`, [each.rule_id])),
    ...verdict.possible_requirements.map((each) =>
      say('requirement', `${who} may require, depending on missing fields: ${each.message}`, [each.rule_id]),
    ),
    ...terms.map(({ text, rules }) =>
      say(
        'term',
        `${who} sets a term: ${text}.`,
        rules.map((each) => each.rule_id),
      ),
    ),
    ...verdict.notes.map((each) => say('note', `${who} notes: ${each.message}`, [each.rule_id])),
  ];
}

function statusStatements(
  verdict: WireVerdict,
  who: string,
  say: (kind: Statement['kind'], text: string, ruleIds: readonly string[]) => Statement,
): Statement[] {
  switch (verdict.status) {
    case 'eligible': {
      const silent = silentRules(verdict);
      const many = silent.length === 1 ? '1 rule' : `${silent.length} rules`;
      const why =
        silent.length === 0
          ? 'none of its rules declines or refers it'
          : `none of the ${many} that could decline or refer it here holds`;
      return [say('status', `${who} is eligible: ${why}.`, silent)];
    }
    case 'needs_information': {
      const possible = verdict.possible_statuses.join(' or ');
      const waiting = (verdict.explanation?.decided_by ?? []).map((each) => each.rule_id);
      return [
        say('status', `${who} needs information: ${verdict.missing_fields.join(', ')}; then ${possible}.`, waiting),
        ...verdict.reasons.map((each) => say('reason', `${who} considers: ${each.message}`, [each.rule_id])),
      ];
    }
    default: {
      const does = verdict.status === 'referral' ? 'refers the home to an underwriter' : 'is ineligible';
      const reasons = verdict.reasons.map((each) => say('reason', `${who} ${does}: ${each.message}`, [each.rule_id]));
      if (reasons.length > 0) return reasons;
      const deciding = (verdict.explanation?.decided_by ?? []).map((each) => each.rule_id);
      return [say('status', `${who} ${does}.`, deciding)];
    }
  }
}

/** Rules that could have declined or referred the home, and do not hold. */
function silentRules({ explanation }: WireVerdict): string[] {
  const rules = explanation?.rules ?? [];
  return rules
    .filter(({ outcome, truth }) => truth === 'false' && (outcome === 'decline' || outcome === 'refer'))
    .map((each) => each.rule_id);
}
