import type { Rule } from '@leeward/engine';
import {
  type CompiledProgram,
  factIndex,
  forEachLeaf,
  type Leaf,
  operatorFunction,
  valueFact,
  warningsOf,
} from '@leeward/engine/compiled';
import { sourcePaths } from '../finding/source-paths.ts';
import { wordsOfTest } from '../finding/words-of-term.ts';
import type { AnalysisContext, RuleAcross } from './analysis-context.ts';

/** Finds values outside a field's domain, tests that always or never hold, and tests that cells cannot represent. */
export function findOddTests(context: AnalysisContext, rules: readonly RuleAcross[]): void {
  const { ruleSet, findings } = context;
  const warnings = warningsOf(ruleSet);
  for (const warning of warnings) findings.push({ ...warning, severity: 'warning' });
  const paths = sourcePaths(ruleSet.file);
  const reportedPaths = new Set(warnings.map(({ path }) => path.replace(/\/value(\/\d+)?$/, '')));
  for (const { rule, at } of rules) {
    const leaves = new Set<Leaf>();
    forEachLeaf(rule.condition, (leaf) => void leaves.add(leaf));
    for (const leaf of leaves) {
      const path = paths.get(leaf.written) ?? rule.path;
      if (reportedPaths.has(path)) continue;
      const answers = at.map(({ program }) => rangeOfAnswers(leaf, program));
      const answer = answers.every((each) => each === answers[0]) ? answers[0] : undefined;
      if (answer === undefined || answer === 'both') continue;
      reportedPaths.add(path);
      const test = wordsOfTest(leaf, at[0]!.program.vocabulary);
      findings.push(answer === 'opaque' ? opaque(rule, test, path) : fixed(rule, test, path, answer));
    }
  }
}

/** Returns `always` if a test holds for all values of its field, `both` for some, `never` for none. */
function rangeOfAnswers(leaf: Leaf, program: CompiledProgram): 'always' | 'never' | 'both' | 'opaque' {
  if (valueFact(leaf.value)) return 'opaque';
  const reference = factIndex(program.vocabulary).find(leaf.fact);
  if (!reference || reference.kind === 'place') return 'both';
  const axis = program.axes.find(
    (entry) => entry?.test === undefined && entry?.axis.name === reference.field.name,
  )?.axis;
  const test = operatorFunction(leaf.operator);
  if (!axis || !test) return 'opaque';
  const view = (sample: unknown) =>
    reference.kind === 'derived' ? reference.derived.view(sample as number, program) : sample;
  const answers = axis.samples.map((sample) => test(view(sample), leaf.value));
  return answers.every((each) => each) ? 'always' : answers.some((each) => each) ? 'both' : 'never';
}

function fixed(rule: Rule, test: string, path: string, answer: 'always' | 'never') {
  const result = answer === 'always' ? 'holds for every value of the fact' : 'holds for no value of the fact';
  return {
    code: `test_${answer}_holds`,
    path,
    ruleId: rule.id,
    severity: 'warning' as const,
    message: `The test "${test}" of "${rule.id}" ${result}.`,
  };
}

function opaque(rule: Rule, test: string, path: string) {
  return {
    code: 'opaque_test',
    path,
    ruleId: rule.id,
    severity: 'note' as const,
    message: `"${rule.id}" tests whether ${test}. The analysis treats this test as independent of all others, so it may miss findings about this rule.`,
  };
}
