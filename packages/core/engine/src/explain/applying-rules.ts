import type { Property } from '../request/property.ts';
import { coversCounty, coversState } from '../rule-set/places.ts';
import type { Program, Rule } from '../rule-set/rule-set.ts';
import type { Reason } from '../verdict/verdict.ts';
import { moratoriumReason, quotedFacts, ruleReason, territoryReason } from '../verdict/verdict-of.ts';
import { countyTests, moratoriumTests, territoryTests } from './explain-places.ts';
import type { ExplainedRule } from './explanation.ts';
import type { JudgedCarrier } from './judge-carrier.ts';
import type { TreeExplainer } from './tree-explainer.ts';

/** A rule, territory or moratorium that applies where the property stands. */
export interface ApplyingRule {
  readonly rule: ExplainedRule;
  readonly reason: Reason;
  readonly condition?: Rule['condition'];
}

/** What applies where the property stands: a territory, moratoria, rules by priority; each with its truth. */
export function applyingRules(
  { version: { ruleSet }, findings }: JudgedCarrier,
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
  // While the county is not known, neither is which rules apply.
  const isPlaced = property.counties?.length === 1;
  const programOf = new Map<Rule, Program>();
  for (const program of ruleSet.programs) for (const rule of program.rules) programOf.set(rule, program);
  for (const { rule, truth } of findings.rules) {
    const program = programOf.get(rule);
    // Where the carrier does not write, no rule of its own applies.
    if (program ? !mayApply(program, property) : findings.territory === 'true') continue;
    const where = isPlaced
      ? []
      : program
        ? countyTests(program.places, property)
        : territoryTests(ruleSet, policyType, property);
    add(
      'rule',
      ruleReason(rule, facts, vocabulary),
      {
        outcome: rule.outcome,
        program: program?.id ?? null,
        truth,
        tests: [...where, ...explainer.decisive(rule.condition)],
      },
      rule.condition,
    );
  }
  return applying;
}

/** Whether a program can be the one for where the property stands. */
function mayApply({ places }: Program, { state, counties }: Property): boolean {
  if (!coversState(places, state)) return false;
  return counties === undefined || counties.some((fips) => coversCounty(places, state, fips));
}
