import type { WireVerdict } from '@leeward/http';
import { z } from 'zod';
import { citing, type Statement, writeStatement } from '../statements/statement.ts';
import { verdictStatements } from '../statements/verdict-statements.ts';
import { askUnderwriting, decisionLabels, homeInput, verdictsOf } from '../tool/ask-underwriting.ts';
import { defineTool } from '../tool/tool.ts';

/** `explain`: a carrier's verdict, test by test. */
export const explain = defineTool({
  name: 'explain',
  title: 'Explain a verdict',
  description:
    'One carrier’s verdict on a home, rule by rule: which hold, which do not, which wait for a field, with the value of the home and the limit of the rule.',
  input: z.object({
    ...homeInput,
    carrier_key: z.string().describe('The carrier: bayou_mutual.'),
    only_deciding: z.boolean().default(false).describe('True leaves out the rules that do not decide the verdict.'),
  }),
  scopes: ['underwrite'],
  async run({ carrier_key, only_deciding, ...input }, context) {
    const decision = await askUnderwriting(input, context);
    const verdicts = verdictsOf(decision, carrier_key).map((verdict) => {
      const { policy_type, status, rule_set, possible_statuses } = verdict;
      const statements = [...verdictStatements(verdict), ...testStatements(verdict, only_deciding)];
      return { carrier_key, policy_type, status, possible_statuses, rule_set, statements };
    });
    const lines = verdicts.flatMap(({ statements }) => statements.map(writeStatement));
    return { text: lines.join('\n'), data: { ...decisionLabels(decision), verdicts } };
  },
});

const truths = { true: 'holds', false: 'does not hold', undecided: 'waits for a field' } as const;

/** A statement for every rule: its truth, and its tests in words. */
export function testStatements(verdict: WireVerdict, onlyDeciding: boolean): Statement[] {
  const { explanation } = verdict;
  if (!explanation) return [];
  const rules = onlyDeciding ? explanation.decided_by : explanation.rules;
  return rules.map(({ rule_id, outcome, truth, tests }) => ({
    kind: 'test',
    text: `${verdict.carrier} (${verdict.policy_type.toUpperCase()}): rule ${rule_id} (${outcome}) ${truths[truth]}. ${tests.map((test) => test.text).join(' ')}`,
    cites: citing(verdict, [rule_id]),
  }));
}
