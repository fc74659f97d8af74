import type { Property } from '../request/property.ts';
import { coversCounty, coversState } from '../rule-set/places.ts';
import type { Program, Rule } from '../rule-set/rule-set.ts';
import type { Reason } from '../verdict/verdict.ts';
import { moratoriumReason, quotedFacts, ruleReason, territoryReason } from '../verdict/verdict-of.ts';
import type { EvaluatedCarrier } from './evaluate-carrier.ts';
import { countyTests, moratoriumTests, territoryTests } from './explain-places.ts';
import type { ExplainedRule } from './explanation.ts';
import type { TreeExplainer } from './tree-explainer.ts';

/** A rule, territory or moratorium that applies at the location of the property. */
export interface ApplyingRule {
  readonly rule: ExplainedRule;
  readonly reason: Reason;
  readonly condition?: Rule['condition'];
}

/** The territory, moratoria, and rules by priority at the location of the property. */
export function findApplyingRules(
  { version: { ruleSet }, findings }: EvaluatedCarrier,
  property: Property,
  policyType: string,
  explainer: TreeExplainer,
): ApplyingRule[] {
  const { vocabulary } = property;
  const facts = quotedFacts(property, policyType);
  const applying: ApplyingRule[] = [];
  const add = (
    kind: ExplainedRule['kind'],
    reason: Reason,
    { outcome, program, truth, tests }: Pick<ExplainedRule, 'outcome' | 'program' | 'truth' | 'tests'>,
    condition?: Rule['condition'],
  ) => {
    const { code, message, ruleId } = reason;
    const rule = { ruleId, kind, outcome, code, message, program, truth, tests };
    applying.push({ reason, rule, ...(condition ? { condition } : {}) });
  };
  if (findings.territory !== 'false') {
    add('territory', territoryReason(findings.program, ruleSet, policyType, property), {
      outcome: 'decline',
      program: findings.program.id,
      truth: findings.territory,
      tests: territoryTests(ruleSet, policyType, property),
    });
  }
  for (const { moratorium, truth } of findings.moratoria) {
    if (truth === 'false') continue;
    const tests = moratoriumTests(moratorium, property);
    add('moratorium', moratoriumReason(moratorium, facts, vocabulary), {
      outcome: 'decline',
      program: null,
      truth,
      tests,
    });
  }
  // An unknown county leaves the applicable rules open.
  const isPlaced = property.counties?.length === 1;
  const programOf = new Map<Rule, Program>();
  for (const program of ruleSet.programs) for (const rule of program.rules) programOf.set(rule, program);
  for (const { rule, truth } of findings.rules) {
    const program = programOf.get(rule);
    if (program ? !mayApply(program, property) : findings.territory === 'true') continue;
    const placeTests = isPlaced
      ? []
      : program
        ? countyTests(program.places, property)
        : territoryTests(ruleSet, policyType, property);
    add(
      rule.isMoratorium ? 'moratorium' : 'rule',
      ruleReason(rule, facts, vocabulary),
      {
        outcome: rule.outcome,
        program: program?.id ?? null,
        truth,
        tests: [...placeTests, ...explainer.decisive(rule.condition)],
      },
      rule.condition,
    );
  }
  return applying;
}

function mayApply({ places }: Program, { state, counties }: Property): boolean {
  if (!coversState(places, state)) return false;
  return counties === undefined || counties.some((fips) => coversCounty(places, state, fips));
}
