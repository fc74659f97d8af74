import { type AskedAt, carriersOf, checkCases, coverageOf } from '@leeward/authoring';
import type { RuleSet } from '@leeward/engine';
import type { TestedCases } from './rules-messages.ts';

/** Returns each case with its expected and actual result, and the number of cases by rule. */
export async function testCases(ruleSet: RuleSet, text: string, at: AskedAt): Promise<TestedCases> {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    return { cases: [], faults: [`The cases are not JSON: ${(error as Error).message}`], reached: {} };
  }
  const [carrier] = carriersOf([{ ruleSet, source: 'catalog' }]);
  const checked = await checkCases(carrier!, file);
  const coverage = await coverageOf(carrier!, ruleSet, checked, at);
  const failures = (path: string) => checked.findings.filter((each) => each.path.startsWith(`${path}/`));
  return {
    cases: checked.cases.map(({ note, path, expect }, index) => ({
      note: note === '' ? `Case ${path.slice(1)}` : note,
      expected: expect.status,
      came: checked.answers[index]!.status,
      failures: failures(path).map(({ message }) => message),
    })),
    faults: checked.findings
      .filter(({ code }) => code !== 'case_fails')
      .map(({ path, message }) => `${path}: ${message}`),
    reached: Object.fromEntries(
      coverage.byRule.map(({ ruleId, holds, doesNotHold, sides }) => [ruleId, { holds, doesNotHold, sides }]),
    ),
  };
}
