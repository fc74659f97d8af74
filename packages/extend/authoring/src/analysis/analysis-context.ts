import type { Property, Rule, RuleSet } from '@leeward/engine';
import type { Box, CompiledProgram, CompiledRule, Term } from '@leeward/engine/compiled';
import type { AskedAt } from '../finding/asked-at.ts';
import type { Allowance } from '../finding/boxes.ts';
import type { Finding, WitnessHome } from '../finding/finding.ts';
import type { Judge, Judgement } from '../finding/judge.ts';
import { findWitness, type Witness } from '../finding/witness.ts';

/** What every part of an analysis works with. */
export interface AnalysisContext {
  readonly ruleSet: RuleSet;
  /** As asked, with the effective date moved into the rule set's window. */
  readonly at: AskedAt;
  /** As asked. */
  readonly askedAt: AskedAt;
  /** One a policy type that is offered and could be compiled. */
  readonly programs: readonly CompiledProgram[];
  readonly judge: Judge;
  readonly allowance: Allowance;
  readonly findings: Finding[];
  /** Rules of a question that ran out of its boxes. */
  readonly ranOut: Set<Rule>;
}

/** A home of a box that the engine judges as `wanted` says. */
export function confirmed(
  context: AnalysisContext,
  program: CompiledProgram,
  box: Box,
  wanted: (judgement: Judgement) => boolean,
): WitnessHome | undefined {
  return confirmedWitness(context, program, box, wanted)?.home;
}

/** The same, with the property that was judged. `near`: what some fields should be, where the box has room for it. */
export function confirmedWitness(
  context: AnalysisContext,
  program: CompiledProgram,
  box: Box,
  wanted: (judgement: Judgement) => boolean,
  near?: ReadonlyMap<string, number | string>,
): Witness | undefined {
  return findWitness(program, box, context.at, (property) => isJudged(context, property, wanted), near);
}

/** Whether the engine judges a home as `wanted` says. */
export function isJudged(
  context: AnalysisContext,
  property: Property,
  wanted: (judgement: Judgement) => boolean,
): boolean {
  const judgement = context.judge.judge(property);
  return judgement !== undefined && wanted(judgement);
}

/** A rule with the programs in which it is read, one a policy type. */
export interface RuleAcross {
  readonly rule: Rule;
  readonly at: readonly { readonly program: CompiledProgram; readonly compiled: CompiledRule }[];
}

/** Every rule of the file in its order, with what it means for each policy type. */
export function rulesAcross({ ruleSet, programs }: AnalysisContext): RuleAcross[] {
  const compiled = new Map<Rule, { program: CompiledProgram; compiled: CompiledRule }[]>();
  for (const program of programs) {
    for (const each of program.rules) {
      const known = compiled.get(each.rule) ?? [];
      known.push({ program, compiled: each });
      compiled.set(each.rule, known);
    }
  }
  const rules = [...ruleSet.rules, ...ruleSet.programs.flatMap((program) => program.rules)];
  return rules.flatMap((rule) => {
    const at = compiled.get(rule);
    return at ? [{ rule, at }] : [];
  });
}

export function testsOf(term: Term, program: CompiledProgram): boolean {
  return term.some(({ axis }) => program.axes[axis]?.test !== undefined);
}
