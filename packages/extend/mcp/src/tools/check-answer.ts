import type { WireDecision } from '@leeward/http';
import { z } from 'zod';
import { writeStatement } from '../statements/statement.ts';
import { verdictStatements } from '../statements/verdict-statements.ts';
import { askUnderwriting, decisionLabels, homeInput, verdictsOf } from '../tool/ask-underwriting.ts';
import { defineTool } from '../tool/tool.ts';
import { testStatements } from './explain.ts';
import { changeStatements } from './what-would-change.ts';

/** `check_answer`: finds lines of a reply that the engine did not write. */
export const checkAnswer = defineTool({
  name: 'check_answer',
  title: 'Check a reply',
  description:
    'Evaluates the home again, and lists the lines of a drafted reply that are not statements of the engine. Remove those before a person reads the reply.',
  input: z.object({
    ...homeInput,
    answer: z.string().max(100_000).describe('The drafted reply, one statement a line, as decide wrote them.'),
  }),
  scopes: ['underwrite'],
  async run({ answer, ...input }, context) {
    const decision = await askUnderwriting(input, context);
    const statements = linesOf(decision);
    const lines = answer
      .split(/[\n\r\u2028\u2029]+/)
      .map((line) =>
        line
          .replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '')
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .filter((line) => line !== '')
      .map((line) => ({ line, is_statement: statements.has(line) }));
    const wrong = lines.filter(({ is_statement }) => !is_statement);
    const text =
      wrong.length === 0
        ? `All ${lines.length} lines are statements of the engine.`
        : [
            `${wrong.length} of ${lines.length} lines ${wrong.length === 1 ? 'is not a statement' : 'are not statements'} of the engine:`,
            ...wrong.map(({ line }) => line),
          ].join('\n');
    return { text, data: { ...decisionLabels(decision), ok: wrong.length === 0, lines } };
  },
});

/** Every line that a tool can write about this home, except questions. */
function linesOf(decision: WireDecision): ReadonlySet<string> {
  const statements = verdictsOf(decision, undefined).flatMap((verdict) => [
    ...verdictStatements(verdict),
    ...testStatements(verdict, false),
    ...(verdict.would_change ? changeStatements(verdict, verdict.would_change) : []),
  ]);
  return new Set(statements.map(writeStatement));
}
