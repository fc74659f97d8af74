import type { WireVerdict } from '@leeward/http';
import { z } from 'zod';
import { type Citation, citing, type Statement, writeStatement } from '../statements/statement.ts';
import { askUnderwriting, decisionLabels, homeInput, verdictsOf } from '../tool/ask-underwriting.ts';
import { fieldsOfLine } from '../tool/fields-of-line.ts';
import { defineTool } from '../tool/tool.ts';

const MAX_QUESTIONS = 10;

/** `ask_next`: the questions that decide most. */
export const askNext = defineTool({
  name: 'ask_next',
  title: 'Ask the next question',
  description:
    'The missing fields that the carriers’ answers depend on, the most useful first, each with the rules that wait for it. Ask the person; never guess. An empty list means that every carrier has answered.',
  input: z.object({
    ...homeInput,
    limit: z.number().int().min(1).max(MAX_QUESTIONS).default(3).describe('Maximum number of questions.'),
  }),
  scopes: ['underwrite'],
  async run({ limit, ...input }, context) {
    const [decision, fields] = await Promise.all([
      askUnderwriting(input, context),
      fieldsOfLine(input.line, context.service),
    ]);
    const verdicts = verdictsOf(decision, undefined);
    const questions = decision.next_questions.slice(0, limit).map(({ field, would_settle, alternatives }) => {
      const entry = fields.get(field);
      const others = alternatives === undefined ? '' : ` (or measured: ${alternatives.join(', ')})`;
      const statement: Statement = {
        kind: 'question',
        text: `Ask for ${field}${others}${entry?.words ? `: ${entry.words}` : ''}`,
        cites: waitingRules(verdicts, [field, ...(alternatives ?? [])]),
      };
      return { field, alternatives, would_settle, schema: entry?.schema, statement };
    });
    const lines = questions.map(({ statement }) => writeStatement(statement));
    return {
      text: lines.length > 0 ? lines.join('\n') : 'No question is open: every carrier has answered.',
      data: { ...decisionLabels(decision), questions },
    };
  },
});

/** Rules whose truth depends on one of the fields, for each carrier that waits for it. */
function waitingRules(verdicts: readonly WireVerdict[], fields: readonly string[]): Citation[] {
  return verdicts
    .filter((each) => each.missing_fields.some((field) => fields.includes(field)))
    .flatMap((verdict) => {
      const rules = (verdict.explanation?.decided_by ?? []).filter(({ truth }) => truth === 'undecided');
      const own = rules.filter(({ tests }) => tests.some((test) => fields.includes(test.field)));
      return citing(
        verdict,
        (own.length > 0 ? own : rules).map((each) => each.rule_id),
      );
    });
}
