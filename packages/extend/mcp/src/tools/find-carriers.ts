import { z } from 'zod';
import { citing, type Statement, writeStatement } from '../statements/statement.ts';
import { askUnderwriting, decisionLabels, homeInput, verdictsOf } from '../tool/ask-underwriting.ts';
import { defineTool } from '../tool/tool.ts';

/** `find_carriers`: carriers that could take a home. */
export const findCarriers = defineTool({
  name: 'find_carriers',
  title: 'Find carriers',
  description:
    'Carriers that could take a home at a place: which offer the policy type there, which are still possible, which are ruled out, which do not offer it and why. Give the state, and other fields if the submission states them.',
  input: z.object({
    state: z.string().describe('The state: tx.'),
    policy_type: z.string().optional().describe('ho3, ho5, ho8, dp1, dp3 …; all types if left out.'),
    ...homeInput,
    home: homeInput.home.default({}),
  }),
  scopes: ['underwrite'],
  async run({ state, policy_type, home, ...input }, context) {
    const type = policy_type === undefined ? {} : { policy_type };
    const request = { ...input, home: { ...home, state, ...type } };
    const decision = await askUnderwriting(request, context, { include_not_offered: true });
    const carriers = verdictsOf(decision, undefined).map((verdict) => {
      const { carrier_key, carrier, status, possible_statuses, rule_set } = verdict;
      const could = status === 'ineligible' ? 'is ruled out' : `could still be ${possible_statuses.join(' or ')}`;
      const deciding = (verdict.explanation?.decided_by ?? []).map((each) => each.rule_id);
      const statement: Statement = {
        kind: 'status',
        text: `${carrier} offers ${verdict.policy_type.toUpperCase()} in ${state.toUpperCase()} and ${could}.`,
        cites: citing(verdict, deciding),
      };
      return { carrier_key, carrier, policy_type: verdict.policy_type, status, possible_statuses, rule_set, statement };
    });
    const not_offered = decision.not_offered ?? [];
    const lines = carriers.map(({ statement }) => writeStatement(statement));
    return {
      text: lines.length > 0 ? lines.join('\n') : 'No carrier offers this policy type here.',
      data: { ...decisionLabels(decision), carriers, not_offered },
    };
  },
});
