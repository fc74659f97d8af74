import type { Rule } from '@leeward/engine';
import {
  type Box,
  type CompiledProgram,
  type CompiledRule,
  covers,
  forEachLeaf,
  isEmpty,
  type Program,
} from '@leeward/engine/compiled';
import { covered, wholeBox } from '../finding/boxes.ts';
import type { WitnessHome } from '../finding/finding.ts';
import { type AnalysisContext, confirmed } from './analysis-context.ts';

/** Programs that take nobody, whatever the home: all are declined, or none is better than referred. */
export function findClosedPrograms(context: AnalysisContext): void {
  for (const program of context.ruleSet.programs) findClosed(context, program);
}

interface Closed {
  readonly code: 'declines_everybody' | 'refers_everybody';
  /** The fewest rules that do it together. */
  readonly rules: readonly Rule[];
  readonly policyTypes: string[];
  readonly witness: WitnessHome;
}

function findClosed(context: AnalysisContext, written: Program): void {
  const found = new Map<string, Closed>();
  for (const program of context.programs.filter((each) => each.programs.includes(written))) {
    const places = program.place.cellsWhere((place) => covers(written.places, place));
    if (isEmpty(places)) continue;
    const whole = wholeBox(program, places);
    const declining = program.rules.filter(({ rule }) => rule.outcome === 'decline');
    const stopping = program.rules.filter(({ rule }) => rule.outcome === 'decline' || rule.outcome === 'refer');
    const declines = coversAll(context, whole, declining);
    if (!declines && !coversAll(context, whole, stopping)) continue;
    const rules = fewest(context, whole, declines ? declining : stopping);
    const witness = witnessOf(context, program, whole, declines ? 'ineligible' : 'referral', rules);
    if (!witness) continue;
    const code = declines ? 'declines_everybody' : 'refers_everybody';
    const key = `${code} ${rules.map(({ id }) => id).join()}`;
    const known = found.get(key);
    if (known) known.policyTypes.push(program.policyType);
    else found.set(key, { code, rules, policyTypes: [program.policyType], witness });
  }
  for (const closed of found.values()) report(context, written, closed);
}

function coversAll(context: AnalysisContext, whole: Box, rules: readonly CompiledRule[]): boolean {
  const terms = rules.flatMap((each) => each.terms);
  return terms.length > 0 && covered(whole, terms, context.allowance) === 'yes';
}

/** Rules left out one by one while the rest still takes in every home; those that matter least, the later ones, first. */
function fewest(context: AnalysisContext, whole: Box, rules: readonly CompiledRule[]): readonly Rule[] {
  const alone = rules.find((each) => coversAll(context, whole, [each]));
  if (alone) return [alone.rule];
  let kept = rules.filter((each) => each.terms.length > 0);
  for (const each of kept.toReversed()) {
    const others = kept.filter((other) => other !== each);
    if (coversAll(context, whole, others)) kept = others;
  }
  return kept.map(({ rule }) => rule);
}

function witnessOf(
  context: AnalysisContext,
  program: CompiledProgram,
  whole: Box,
  status: 'ineligible' | 'referral',
  rules: readonly Rule[],
): WitnessHome | undefined {
  const isShown = (wanted: (status: string) => boolean) =>
    confirmed(context, program, whole, (judgement) => {
      return wanted(judgement.status) && rules.some((rule) => judgement.holding.has(rule));
    });
  // Where some are declined and all others referred, a home that is referred shows it best.
  return (
    isShown((each) => each === status) ?? (status === 'referral' ? isShown((each) => each === 'ineligible') : undefined)
  );
}

function report(context: AnalysisContext, written: Program, { code, rules, policyTypes, witness }: Closed): void {
  const [only] = rules;
  const does = code === 'declines_everybody' ? 'declines' : 'declines or refers';
  const types = policyTypes.join(', ');
  const names = rules.map(({ id }) => `"${id}"`).join(', ');
  const how =
    rules.length > 1
      ? `for any home one of ${names} holds. Do their limits leave a gap where homes were meant to pass?`
      : testsNothing(only!)
        ? `${names} tests nothing, so it holds for any home. Where the program is closed on purpose, that says so.`
        : `${names} holds for any home, whatever its value. Are its limits swapped?`;
  context.findings.push({
    code,
    path: rules.length === 1 ? only!.path : `/programs/${context.ruleSet.programs.indexOf(written)}`,
    severity: 'warning',
    message: `"${written.id}" ${does} every home (${types}): ${how}`,
    ...(only ? { ruleId: only.id } : {}),
    ...(rules.length > 1 ? { otherRuleIds: rules.slice(1).map(({ id }) => id) } : {}),
    policyTypes,
    witness,
  });
}

function testsNothing({ condition }: Rule): boolean {
  let isBare = true;
  forEachLeaf(condition, () => {
    isBare = false;
  });
  return isBare;
}
