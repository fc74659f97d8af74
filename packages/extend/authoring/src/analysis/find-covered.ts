import type { Rule } from '@leeward/engine';
import {
  type CompiledProgram,
  type CompiledRule,
  impossibleTerms,
  isInside,
  isSame,
  type Term,
  type TermPart,
  union,
} from '@leeward/engine/compiled';
import { covered, meet, wholeBox } from '../finding/boxes.ts';
import { type AnalysisContext, confirmed, type RuleAcross } from './analysis-context.ts';

/**
 * A rule is covered if other rules with an outcome at least as strict hold for every home that it holds for. Each term of the rule is a
 * box, so the question is whether the terms of the others cover that box. Three steps, the cheap ones first:
 *
 * 1. A rule without terms never holds. A rule whose terms lie within the impossible homes (a roof older than its house) never holds
 *    for a consistent home.
 * 2. One other rule covers it. Only rules whose outline, the smallest box around all their terms, contains every term are tried.
 * 3. All others together cover it. Then others are dropped while the rest still covers, so that the finding names few.
 */

/** Reports rules that never hold or change no answer. Returns the rules that one other rule covers, with that rule. */
export function findCovered(
  context: AnalysisContext,
  rules: readonly RuleAcross[],
): ReadonlyMap<Rule, ReadonlySet<Rule>> {
  const coveredBy = new Map<Rule, ReadonlySet<Rule>>();
  const programsByRule = new Map(rules.map((each) => [each, programsOf(each)]));
  const order = new Map(rules.map(({ rule }, index) => [rule, index]));
  for (const across of rules) {
    const { rule } = across;
    if (across.at.every(({ compiled }) => compiled.terms.length === 0)) {
      context.findings.push({
        code: 'rule_never_holds',
        path: rule.path,
        ruleId: rule.id,
        severity: 'warning',
        message: `No home can meet the rule "${rule.id}": its conditions exclude each other, are outside the values of a field, or only concern homes that the program does not write.`,
        policyTypes: across.at.map(({ program }) => program.policyType),
      });
      continue;
    }
    if (onlyOfInconsistentHomes(context, across)) {
      context.findings.push({
        code: 'rule_needs_inconsistent_home',
        path: rule.path,
        ruleId: rule.id,
        severity: 'warning',
        message: `Only a home that contradicts itself can meet the rule "${rule.id}", such as a roof older than its house or an ocean nearer than the nearest tidal water.`,
        policyTypes: across.at.map(({ program }) => program.policyType),
      });
      continue;
    }
    const single = coveringAlone(context, across, programsByRule, order);
    if (single) {
      coveredBy.set(rule, new Set([single.rule]));
      report(context, across, [single.rule]);
      continue;
    }
    const several = coveringTogether(context, across, rules);
    if (several) report(context, across, several);
  }
  return coveredBy;
}

/** True if the rule holds only for homes that the relations of the vocabulary exclude. */
function onlyOfInconsistentHomes({ allowance }: AnalysisContext, { at }: RuleAcross): boolean {
  return at.every(({ program, compiled }) => {
    const impossible = impossibleTerms(program);
    if (impossible.length === 0) return compiled.terms.length === 0;
    const whole = wholeBox(program);
    return compiled.terms.every((term) => covered(meet(whole, term)!, impossible, allowance) === 'yes');
  });
}

function haveSameTerms(a: Rule, b: Rule): boolean {
  return JSON.stringify(a.terms) === JSON.stringify(b.terms);
}

/** True if `rule` changes no answer for homes for which `other` holds. */
function silences(other: Rule, rule: Rule): boolean {
  if (other === rule) return false;
  switch (rule.outcome) {
    case 'decline':
      return other.outcome === 'decline';
    case 'refer':
      return other.outcome === 'decline' || other.outcome === 'refer';
    default:
      return (
        other.outcome === 'decline' ||
        (other.outcome === rule.outcome && other.code === rule.code && haveSameTerms(other, rule))
      );
  }
}

function isCovered(
  context: AnalysisContext,
  across: RuleAcross,
  by: (rule: Rule) => boolean,
): 'yes' | 'no' | 'unknown' {
  let answer: 'yes' | 'unknown' = 'yes';
  for (const { program, compiled } of across.at) {
    if (compiled.terms.length === 0) continue;
    const others: Term[] = program.rules.filter((each) => by(each.rule)).flatMap((each) => each.terms);
    const whole = wholeBox(program);
    for (const term of compiled.terms) {
      const result = covered(meet(whole, term)!, others, context.allowance);
      if (result === 'unknown') answer = 'unknown';
      else if (result !== 'yes') return 'no';
    }
  }
  return answer;
}

const outlines = new WeakMap<CompiledRule, Term>();

/** The smallest box around all terms of a rule. The rule covers nothing outside it. */
function outlineOf(rule: CompiledRule, program: CompiledProgram): Term {
  let outline = outlines.get(rule);
  if (!outline) {
    outline = rule.terms.reduce((all, term) => around(all, term, program), rule.terms[0] ?? []);
    outlines.set(rule, outline);
  }
  return outline;
}

function around(a: Term, b: Term, { place, axes }: CompiledProgram): Term {
  return a.flatMap(({ axis, cells }): TermPart[] => {
    const other = b.find((part) => part.axis === axis);
    if (!other) return [];
    const both = union(cells, other.cells);
    return isSame(both, axes[axis]?.axis.full ?? place.full) ? [] : [{ axis, cells: both, leaves: [] }];
  });
}

function programsOf({ at }: RuleAcross): ReadonlyMap<CompiledProgram, CompiledRule> {
  return new Map(at.map(({ program, compiled }) => [program, compiled]));
}

function coveringAlone(
  context: AnalysisContext,
  across: RuleAcross,
  programsByRule: ReadonlyMap<RuleAcross, ReadonlyMap<CompiledProgram, CompiledRule>>,
  order: ReadonlyMap<Rule, number>,
): RuleAcross | undefined {
  for (const [other, where] of programsByRule) {
    if (!silences(other.rule, across.rule)) continue;
    const canCover = across.at.every(({ program, compiled }) => {
      if (compiled.terms.length === 0) return true;
      const others = where.get(program);
      return others !== undefined && compiled.terms.every((term) => isInside(term, outlineOf(others, program)));
    });
    if (!canCover) continue;
    if (isCovered(context, across, (rule) => rule === other.rule) !== 'yes') continue;
    // If both rules hold for the same homes, report the later one.
    const isMutual =
      silences(across.rule, other.rule) && isCovered(context, other, (rule) => rule === across.rule) === 'yes';
    if (isMutual && order.get(other.rule)! > order.get(across.rule)!) continue;
    return other;
  }
  return undefined;
}

function coveringTogether(
  context: AnalysisContext,
  across: RuleAcross,
  rules: readonly RuleAcross[],
): readonly Rule[] | undefined {
  const others = rules.map(({ rule }) => rule).filter((rule) => silences(rule, across.rule));
  const all = new Set(others);
  const result = isCovered(context, across, (rule) => all.has(rule));
  if (result === 'unknown') context.ranOut.add(across.rule);
  if (result !== 'yes') return undefined;
  for (const other of others) {
    all.delete(other);
    if (isCovered(context, across, (rule) => all.has(rule)) !== 'yes') all.add(other);
  }
  // One rule is left if it holds for the same homes. The finding is then reported for the later of the two.
  return all.size > 1 ? [...all] : undefined;
}

function report(context: AnalysisContext, across: RuleAcross, by: readonly Rule[]): void {
  const { rule } = across;
  const names = by.map(({ id }) => `"${id}"`);
  const [only] = by;
  const one = by.length === 1 && only;
  const consequence =
    rule.outcome === only?.outcome && by.every(({ outcome }) => outcome === rule.outcome)
      ? `it changes no answer${by.every(({ code }) => code === rule.code) ? '' : `, but still adds ${rule.code} as a reason`}`
      : 'that outcome is stricter, so it changes no answer';
  const message = one
    ? `Whenever "${rule.id}" (${rule.outcome}) holds, ${names[0]} (${one.outcome}) holds too: ${consequence}.`
    : `Whenever "${rule.id}" (${rule.outcome}) holds, one of ${names.join(', ')} holds too: ${consequence}.`;
  let example: ReturnType<typeof confirmed>;
  for (const { program, compiled } of across.at) {
    for (const term of compiled.terms) {
      example ??= confirmed(context, program, meet(wholeBox(program), term)!, ({ holding }) => {
        return holding.has(rule) && by.some((each) => holding.has(each));
      });
    }
  }
  context.findings.push({
    code: one ? 'rule_covered_by_one' : 'rule_covered_by_several',
    path: rule.path,
    ruleId: rule.id,
    severity: 'warning',
    message,
    otherRuleIds: by.map(({ id }) => id),
    policyTypes: across.at.flatMap(({ program, compiled }) => (compiled.terms.length > 0 ? [program.policyType] : [])),
    ...(example ? { example } : {}),
  });
}
