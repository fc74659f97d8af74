import type { Property, Rule, RuleSet } from '@leeward/engine';
import {
  type Box,
  type CompiledLadder,
  type CompiledProgram,
  type CompiledRule,
  type Term,
  writtenRules,
} from '@leeward/engine/compiled';
import type { AskedAt } from '../finding/asked-at.ts';
import type { Allowance } from '../finding/boxes.ts';
import type { Evaluation, HomeEvaluator } from '../finding/evaluate-home.ts';
import { type Example, findExample } from '../finding/example-home.ts';
import type { ExampleHome, Finding } from '../finding/finding.ts';

/** State that all parts of an analysis share. */
export interface AnalysisContext {
  readonly ruleSet: RuleSet;
  /** `askedAt` with the effective date moved into the rule set's window. */
  readonly at: AskedAt;
  readonly askedAt: AskedAt;
  /** One per policy type that is offered and could be compiled; of a carrier with tiers, one per tier. */
  readonly programs: readonly CompiledProgram[];
  /** The tiers by policy type. */
  readonly ladders: readonly CompiledLadder[];
  /** For a tier, the evaluator of this tier alone. */
  readonly evaluatorOf: (program: CompiledProgram) => HomeEvaluator;
  readonly allowance: Allowance;
  readonly findings: Finding[];
  /** Rules whose search ran out of boxes. */
  readonly ranOut: Set<Rule>;
}

/** A home of a box whose evaluation `accept` accepts. */
export function confirmed(
  context: AnalysisContext,
  program: CompiledProgram,
  box: Box,
  accept: (evaluation: Evaluation) => boolean,
): ExampleHome | undefined {
  return confirmedExample(context, program, box, accept)?.home;
}

/** Like `confirmed`, but returns the property too. `near` has preferred values of fields. */
export function confirmedExample(
  context: AnalysisContext,
  program: CompiledProgram,
  box: Box,
  accept: (evaluation: Evaluation) => boolean,
  near?: ReadonlyMap<string, number | string>,
): Example | undefined {
  return findExample(program, box, context.at, (property) => isEvaluatedAs(context, program, property, accept), near);
}

export function isEvaluatedAs(
  context: AnalysisContext,
  program: CompiledProgram,
  property: Property,
  accept: (evaluation: Evaluation) => boolean,
): boolean {
  const evaluation = context.evaluatorOf(program).evaluate(property);
  return evaluation !== undefined && accept(evaluation);
}

/** A rule with the programs that use it, one per policy type and tier. */
export interface RuleAcross {
  readonly rule: Rule;
  readonly at: readonly { readonly program: CompiledProgram; readonly compiled: CompiledRule }[];
}

/** In the order of the file. */
export function rulesAcross({ ruleSet, programs }: AnalysisContext): RuleAcross[] {
  const compiled = new Map<Rule, { program: CompiledProgram; compiled: CompiledRule }[]>();
  for (const program of programs) {
    for (const each of program.rules) {
      const forms = compiled.get(each.rule) ?? [];
      forms.push({ program, compiled: each });
      compiled.set(each.rule, forms);
    }
  }
  const rules = writtenRules([...ruleSet.rules, ...ruleSet.programs.flatMap((program) => program.rules)]);
  return rules.flatMap((rule) => {
    const at = compiled.get(rule);
    return at ? [{ rule, at }] : [];
  });
}

/** True if the term compares one fact with another, or has another test that cells cannot represent. */
export function hasOpaqueTest(term: Term, program: CompiledProgram): boolean {
  return term.some(({ axis }) => program.axes[axis]?.test !== undefined);
}
