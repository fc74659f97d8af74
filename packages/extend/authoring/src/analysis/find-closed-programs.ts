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
import type { ExampleHome } from '../finding/finding.ts';
import { wordsOfTypes } from '../finding/words-of-term.ts';
import { type AnalysisContext, confirmed } from './analysis-context.ts';

/** Finds programs that decline every home, or that decline or refer every home. */
export function findClosedPrograms(context: AnalysisContext): void {
  for (const program of context.ruleSet.programs) findClosed(context, program);
}

interface Closed {
  readonly code: 'declines_everybody' | 'refers_everybody';
  /** A smallest set of rules that together stop every home. */
  readonly rules: readonly Rule[];
  readonly policyTypes: string[];
  readonly example: ExampleHome;
}

function findClosed(context: AnalysisContext, written: Program): void {
  const closedPrograms = new Map<string, Closed>();
  for (const program of context.programs.filter((each) => each.programs.includes(written))) {
    const places = program.place.cellsWhere((place) => covers(written.places, place));
    if (isEmpty(places)) continue;
    const whole = wholeBox(program, places);
    const declining = program.rules.filter(({ rule }) => rule.outcome === 'decline');
    const stopping = program.rules.filter(({ rule }) => rule.outcome === 'decline' || rule.outcome === 'refer');
    const declines = coversAll(context, whole, declining);
    if (!declines && !coversAll(context, whole, stopping)) continue;
    const rules = smallestSet(context, whole, declines ? declining : stopping);
    const example = exampleOf(context, program, whole, declines ? 'ineligible' : 'referral', rules);
    if (!example) continue;
    const code = declines ? 'declines_everybody' : 'refers_everybody';
    const key = `${code} ${rules.map(({ id }) => id).join()}`;
    const closed = closedPrograms.get(key);
    if (closed) closed.policyTypes.push(program.policyType);
    else closedPrograms.set(key, { code, rules, policyTypes: [program.policyType], example });
  }
  for (const closed of closedPrograms.values()) report(context, written, closed);
}

function coversAll(context: AnalysisContext, whole: Box, rules: readonly CompiledRule[]): boolean {
  const terms = rules.flatMap((each) => each.terms);
  return terms.length > 0 && covered(whole, terms, context.allowance) === 'yes';
}

/** Drops rules, the last first, while the others still cover every home. */
function smallestSet(context: AnalysisContext, whole: Box, rules: readonly CompiledRule[]): readonly Rule[] {
  const alone = rules.find((each) => coversAll(context, whole, [each]));
  if (alone) return [alone.rule];
  let needed = rules.filter((each) => each.terms.length > 0);
  for (const each of needed.toReversed()) {
    const others = needed.filter((other) => other !== each);
    if (coversAll(context, whole, others)) needed = others;
  }
  return needed.map(({ rule }) => rule);
}

function exampleOf(
  context: AnalysisContext,
  program: CompiledProgram,
  whole: Box,
  status: 'ineligible' | 'referral',
  rules: readonly Rule[],
): ExampleHome | undefined {
  const homeWith = (accept: (status: string) => boolean) =>
    confirmed(context, program, whole, (evaluation) => {
      return accept(evaluation.status) && rules.some((rule) => evaluation.holding.has(rule));
    });
  // If some homes are declined and all others referred, prefer a home that is referred.
  return (
    homeWith((each) => each === status) ??
    (status === 'referral' ? homeWith((each) => each === 'ineligible') : undefined)
  );
}

function report(context: AnalysisContext, written: Program, { code, rules, policyTypes, example }: Closed): void {
  const [only] = rules;
  const does = code === 'declines_everybody' ? 'declines' : 'declines or refers';
  const types = wordsOfTypes(policyTypes);
  const names = rules.map(({ id }) => `"${id}"`).join(', ');
  const how =
    rules.length > 1
      ? `for any home one of ${names} holds. Should their limits leave a gap?`
      : hasNoTest(only!)
        ? `${names} has no test, so it holds for any home. That is right if the program is closed on purpose.`
        : `${names} holds for any home. Are its limits swapped?`;
  context.findings.push({
    code,
    path: rules.length === 1 ? only!.path : `/programs/${context.ruleSet.programs.indexOf(written)}`,
    severity: 'warning',
    message: `"${written.id}" ${does} every home (${types}): ${how}`,
    ...(only ? { ruleId: only.id } : {}),
    ...(rules.length > 1 ? { otherRuleIds: rules.slice(1).map(({ id }) => id) } : {}),
    policyTypes,
    example,
  });
}

function hasNoTest({ condition }: Rule): boolean {
  let tests = 0;
  forEachLeaf(condition, () => {
    tests++;
  });
  return tests === 0;
}
