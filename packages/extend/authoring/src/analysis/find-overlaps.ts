import type { Rule } from '@leeward/engine';
import {
  type CompiledProgram,
  type CompiledRule,
  conjoin,
  isImpossible,
  PLACE,
  type Term,
} from '@leeward/engine/compiled';
import { meet, wholeBox } from '../finding/boxes.ts';
import type { Evaluation } from '../finding/evaluate-home.ts';
import type { Example } from '../finding/example-home.ts';
import { wordsOfTerm } from '../finding/words-of-term.ts';
import {
  type AnalysisContext,
  confirmedExample,
  hasOpaqueTest,
  isEvaluatedAs,
  type RuleAcross,
} from './analysis-context.ts';

const outcomesCompared = new Set(['decline', 'refer', 'require']);

/**
 * Finds pairs of rules with different outcomes that hold for the same home. Rules without a common field nearly always overlap, so they
 * are reported only if `everywhere` is set.
 */
export function findOverlaps(
  context: AnalysisContext,
  rules: readonly RuleAcross[],
  coveredBy: ReadonlyMap<Rule, ReadonlySet<Rule>>,
  everywhere: boolean,
): void {
  for (const [index, a] of rules.entries()) {
    for (const b of rules.slice(index + 1)) {
      if (a.rule.outcome === b.rule.outcome) continue;
      if (!outcomesCompared.has(a.rule.outcome) || !outcomesCompared.has(b.rule.outcome)) continue;
      if (coveredBy.get(a.rule)?.has(b.rule) || coveredBy.get(b.rule)?.has(a.rule)) continue;
      reportOverlap(context, a, b, everywhere);
    }
  }
}

function reportOverlap(context: AnalysisContext, a: RuleAcross, b: RuleAcross, everywhere: boolean): void {
  const policyTypes: string[] = [];
  let words = '';
  let example: Example | undefined;
  const bothHold = ({ holding }: Evaluation) => holding.has(a.rule) && holding.has(b.rule);
  for (const { program, compiled } of a.at) {
    const other = b.at.find((each) => each.program === program)?.compiled;
    if (!other) continue;
    const { policyType } = program;
    // One home usually shows the overlap for several policy types.
    if (example && isEvaluatedAs(context, program, { ...example.property, policyType }, bothHold)) {
      policyTypes.push(policyType);
      continue;
    }
    const overlap = overlapOf(context, program, compiled, other, everywhere);
    if (!overlap) continue;
    policyTypes.push(policyType);
    if (example) continue;
    example = overlap.example;
    words = wordsOfTerm(overlap.term, program);
  }
  if (policyTypes.length === 0 || !example) return;
  context.findings.push({
    code: 'outcomes_overlap',
    path: b.rule.path,
    ruleId: b.rule.id,
    severity: 'note',
    message: `"${a.rule.id}" (${a.rule.outcome}) and "${b.rule.id}" (${b.rule.outcome}) hold for the same homes: ${words}.`,
    otherRuleIds: [a.rule.id],
    policyTypes,
    example: example.home,
  });
}

/** A term in which both rules hold, and a home of it. */
function overlapOf(
  context: AnalysisContext,
  program: CompiledProgram,
  a: CompiledRule,
  b: CompiledRule,
  everywhere: boolean,
): { term: Term; example: Example } | undefined {
  for (const left of a.terms) {
    for (const right of b.terms) {
      const fields = new Set(left.flatMap(({ axis }) => (axis === PLACE ? [] : [axis])));
      if (!everywhere && !right.some(({ axis }) => fields.has(axis))) continue;
      const term = conjoin(left, right);
      if (isImpossible(term)) continue;
      const example = confirmedExample(context, program, meet(wholeBox(program), term)!, ({ holding }) => {
        return holding.has(a.rule) && holding.has(b.rule);
      });
      if (example) return { term, example };
      // Opaque tests can exclude each other although their boxes overlap: try the next pair.
      if (!hasOpaqueTest(term, program)) return undefined;
    }
  }
  return undefined;
}
