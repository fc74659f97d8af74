import { catalogOf } from '../catalog/catalog.ts';
import { isCompiled } from '../compiled/compile-program.ts';
import { compiledProgram } from '../compiled/compiled-programs.ts';
import { treeTruth } from '../condition/tree-truth.ts';
import type { Property } from '../request/property.ts';
import { coversCounty, coversState } from '../rule-set/places.ts';
import type { Rule, RuleSet } from '../rule-set/rule-set.ts';
import { factsOfProperty } from '../verdict/facts.ts';
import { fillMessage } from '../verdict/message.ts';
import type { Truth } from '../verdict/truth.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { type ExplainedCondition, explainCondition } from './explain-condition.ts';
import { type WouldChange, whatWouldChange } from './what-would-change.ts';

/** A rule that holds, or could once more is known. */
export interface ExplainedRule {
  readonly rule: Rule;
  readonly truth: Exclude<Truth, 'false'>;
  readonly condition: ExplainedCondition;
  /** With the facts that it quotes. */
  readonly message: string;
}

/** Why a rule set says of a home what it says, for one policy type. */
export interface Explanation {
  readonly policyType: string;
  /** Undefined: not offered. */
  readonly verdict: Verdict | undefined;
  readonly rules: readonly ExplainedRule[];
  readonly wouldChange: readonly WouldChange[];
}

/** Explains a home's answer, for its policy type or for every one that the rule set offers. */
export async function explainHome(ruleSet: RuleSet, property: Property): Promise<Explanation[]> {
  const { vocabulary } = property;
  const catalog = catalogOf([
    { key: ruleSet.carrierKey, name: ruleSet.carrierName, versions: [{ ruleSet, source: 'catalog' }] },
  ]);
  const offered = vocabulary.policyTypes.filter((type) =>
    ruleSet.programs.some((each) => each.policyTypes.includes(type)),
  );
  const asked = property.policyType === undefined ? offered : [property.policyType];
  const explanations: Explanation[] = [];
  for (const policyType of asked) {
    const of: Property = { ...property, policyType };
    const [verdict] = (await catalog.decide(of)).verdicts;
    if (!verdict) {
      explanations.push({ policyType, verdict: undefined, rules: [], wouldChange: [] });
      continue;
    }
    const program = compiledProgram(ruleSet, policyType, property.effectiveYear, vocabulary);
    const wouldChange = program && isCompiled(program) ? whatWouldChange(program, of, verdict.status, catalog) : [];
    explanations.push({ policyType, verdict, rules: explainRules(ruleSet, of, policyType), wouldChange });
  }
  return explanations;
}

function explainRules(ruleSet: RuleSet, property: Property, policyType: string): ExplainedRule[] {
  const { state, counties, vocabulary } = property;
  const county = counties?.length === 1 ? counties[0] : undefined;
  const facts = factsOfProperty(property, policyType, county);
  const programs = ruleSet.programs.filter(({ policyTypes, places }) => {
    if (!policyTypes.includes(policyType) || !coversState(places, state)) return false;
    return county === undefined || coversCounty(places, state, county);
  });
  if (programs.length === 0) return [];
  const rules = [...ruleSet.rules, ...programs.flatMap((program) => program.rules)];
  return rules.flatMap((rule) => {
    const truth = treeTruth(rule.condition, facts);
    if (truth === 'false') return [];
    const condition = explainCondition(rule.condition, facts, vocabulary);
    return [{ rule, truth, condition, message: fillMessage(rule.message, facts, vocabulary) }];
  });
}
