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
import type { Judgement } from '../finding/judge.ts';
import type { Witness } from '../finding/witness.ts';
import { wordsOfTerm } from '../finding/words-of-term.ts';
import { type AnalysisContext, confirmedWitness, isJudged, type RuleAcross, testsOf } from './analysis-context.ts';

const speaking = new Set(['decline', 'refer', 'require']);

/**
 * Pairs of rules with different outcomes that hold on one home: those that test a field in common, since
 * two rules of unlike things meet nearly always; `everywhere` reports those too.
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
      if (!speaking.has(a.rule.outcome) || !speaking.has(b.rule.outcome)) continue;
      if (coveredBy.get(a.rule)?.has(b.rule) || coveredBy.get(b.rule)?.has(a.rule)) continue;
      reportOverlap(context, a, b, everywhere);
    }
  }
}

function reportOverlap(context: AnalysisContext, a: RuleAcross, b: RuleAcross, everywhere: boolean): void {
  const policyTypes: string[] = [];
  let words = '';
  let witness: Witness | undefined;
  const bothHold = ({ holding }: Judgement) => holding.has(a.rule) && holding.has(b.rule);
  for (const { program, compiled } of a.at) {
    const other = b.at.find((each) => each.program === program)?.compiled;
    if (!other) continue;
    const { policyType } = program;
    // What two rules say of one home they mostly say of it whatever its policy type.
    if (witness && isJudged(context, { ...witness.property, policyType }, bothHold)) {
      policyTypes.push(policyType);
      continue;
    }
    const met = meetingTerm(context, program, compiled, other, everywhere);
    if (!met) continue;
    policyTypes.push(policyType);
    if (witness) continue;
    witness = met.witness;
    words = wordsOfTerm(met.term, program);
  }
  if (policyTypes.length === 0 || !witness) return;
  context.findings.push({
    code: 'outcomes_overlap',
    path: b.rule.path,
    ruleId: b.rule.id,
    severity: 'note',
    message: `"${a.rule.id}" says ${a.rule.outcome} and "${b.rule.id}" says ${b.rule.outcome} of the same homes: ${words}.`,
    otherRuleIds: [a.rule.id],
    policyTypes,
    witness: witness.home,
  });
}

/** A box that both rules hold, with a home of it. */
function meetingTerm(
  context: AnalysisContext,
  program: CompiledProgram,
  a: CompiledRule,
  b: CompiledRule,
  everywhere: boolean,
): { term: Term; witness: Witness } | undefined {
  for (const left of a.terms) {
    for (const right of b.terms) {
      const fields = new Set(left.flatMap(({ axis }) => (axis === PLACE ? [] : [axis])));
      if (!everywhere && !right.some(({ axis }) => fields.has(axis))) continue;
      const term = conjoin(left, right);
      if (isImpossible(term)) continue;
      const witness = confirmedWitness(context, program, meet(wholeBox(program), term)!, ({ holding }) => {
        return holding.has(a.rule) && holding.has(b.rule);
      });
      if (witness) return { term, witness };
      // Tests of one fact against another can exclude each other without their boxes showing it.
      if (!testsOf(term, program)) return undefined;
    }
  }
  return undefined;
}
