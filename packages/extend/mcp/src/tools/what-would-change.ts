import type { WireVerdict } from '@leeward/http';
import { z } from 'zod';
import { citing, type Statement, writeStatement } from '../statements/statement.ts';
import { askUnderwriting, carrierInput, decisionLabels, homeInput, verdictsOf } from '../tool/ask-underwriting.ts';
import { defineTool } from '../tool/tool.ts';

/** `what_would_change`: the smallest changes that give a better status. */
export const whatWouldChange = defineTool({
  name: 'what_would_change',
  title: 'Find changes that help',
  description:
    'For every carrier that declines or refers a home: the smallest changes of the home with which it would answer better. Each way was evaluated by the rules.',
  input: z.object({ ...homeInput, ...carrierInput }),
  scopes: ['underwrite'],
  async run({ carrier_key, ...input }, context) {
    const decision = await askUnderwriting(input, context);
    const verdicts = verdictsOf(decision, carrier_key).flatMap((verdict) => {
      const { policy_type, status, rule_set, would_change } = verdict;
      if (!would_change) return [];
      const statements = changeStatements(verdict, would_change);
      return [{ carrier_key: verdict.carrier_key, policy_type, status, rule_set, would_change, statements }];
    });
    const lines = verdicts.flatMap(({ statements }) => statements.map(writeStatement));
    return {
      text: lines.length > 0 ? lines.join('\n') : 'No carrier declines or refers this home.',
      data: { ...decisionLabels(decision), verdicts },
    };
  },
});

/** A statement for every way to a better status, or that there is none. */
export function changeStatements(verdict: WireVerdict, change: NonNullable<WireVerdict['would_change']>): Statement[] {
  const who = `${verdict.carrier} (${verdict.policy_type.toUpperCase()})`;
  const { ways, blocked_by, outcome, note } = change;
  const deciding = verdict.reasons.map((each) => each.rule_id);
  const say = (text: string, ruleIds: readonly string[]): Statement => {
    return { kind: 'change', text, cites: citing(verdict, ruleIds) };
  };
  if (outcome === 'ways') {
    return ways.map(({ changes, becomes }) =>
      say(`${who} becomes ${becomes} with ${changes.map((each) => each.text).join(', and ')}.`, deciding),
    );
  }
  if (outcome === 'none_helps') {
    const blocking = blocked_by.map((each) => each.rule_id);
    return [say(`${who}: no change that a person can make suffices.`, blocking.length > 0 ? blocking : deciding)];
  }
  const open = outcome === 'not_known' ? 'not known' : 'nothing has to change';
  return [say(`${who}: ${open}${note === undefined ? '' : `; ${note}`}.`, deciding)];
}
