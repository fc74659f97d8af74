import type { Decider } from '../catalog/organization-catalog.ts';
import { type Carrier, versionOn } from '../catalog/versions.ts';
import { atCertainty } from '../condition/at-certainty.ts';
import type { Leaf } from '../condition/condition.ts';
import { operatorFunction } from '../condition/operators.ts';
import { truthOfLeaf } from '../condition/tree-truth.ts';
import type { Truth } from '../condition/truth.ts';
import { type Almanac, createAlmanac, type FactOptions } from '../reference/almanac.ts';
import { readTestedFacts, testedFacts } from '../reference/fact-uses.ts';
import { createReferenceEvaluator } from '../reference/reference-evaluator.ts';
import type { Property } from '../request/property.ts';
import type { Rule } from '../rule-set/rule-set.ts';
import { identityOf } from '../verdict/carrier-rules.ts';
import type { Reason, SettledStatus } from '../verdict/verdict.ts';
import { verdictOf, verdictTier } from '../verdict/verdict-of.ts';
import { type ApplyingRule, findApplyingRules } from './applying-rules.ts';
import { type EvaluatedCarrier, evaluateCarrier, resolveKey, type VerdictKey } from './evaluate-carrier.ts';
import { explainTest } from './explain-test.ts';
import { type ExplainedFacts, explainedFacts } from './explained-facts.ts';
import type { ExplainedTier, Explanation } from './explanation.ts';
import { createTreeExplainer, type TreeExplainer } from './tree-explainer.ts';

/** Options of {@link explainVerdict} and {@link explainDecision}. */
export interface ExplainOptions extends FactOptions {
  /** Adds every applicable rule with its complete condition tree. @default false, for `explainDecision` true */
  readonly tree?: boolean;
}

/**
 * Explains the status of one carrier: the rules behind it, each with its tests and the property's values. Fields may be missing or known
 * within bounds.
 *
 * @throws RangeError for an unknown carrier or policy type
 * @example
 *  const { status, decidedBy } = await explainVerdict(catalog, property, { carrierKey: 'pine_ridge', policyType: 'ho3' });
 *  for (const rule of decidedBy) console.log(status, rule.message, rule.tests.map((test) => test.text));
 */
export async function explainVerdict(
  decider: Decider,
  home: Property,
  key: VerdictKey & ExplainOptions,
): Promise<Explanation> {
  const { carrier, policyType } = resolveKey(decider, home, key);
  const almanac = key.almanac ?? createAlmanac(decider.options, home, key);
  const property = atCertainty(home, versionOn(carrier, home.effectiveDate)?.ruleSet.certainty);
  const evaluated = await evaluateCarrier(decider, property, carrier, policyType, almanac);
  if (!evaluated) return explainNotOffered(carrier, property, policyType);
  return explainEvaluated(decider, property, policyType, evaluated, almanac, key.tree ?? false);
}

function explainNotOffered(carrier: Carrier, property: Property, policyType: string): Explanation {
  const version = versionOn(carrier, property.effectiveDate);
  return {
    carrierKey: carrier.key,
    carrierName: carrier.name,
    policyType,
    status: 'not_offered',
    ruleSet: version ? identityOf(version) : null,
    evaluator: 'compiled',
    decidedBy: [],
  };
}

async function explainEvaluated(
  decider: Decider,
  property: Property,
  policyType: string,
  evaluated: EvaluatedCarrier,
  almanac: Almanac,
  tree: boolean,
): Promise<Explanation> {
  const { verdict, evaluator, version, findings } = evaluated;
  const facts = explainedFacts(property, policyType, evaluator === 'compiled');
  const alone = findings.ladder?.evaluate() ?? [];
  const all = [findings, ...alone.map((each) => each.findings)].flatMap((each) => each.rules.map(({ rule }) => rule));
  const rules = [...new Set(all)];
  const host = await hostAnswersOf(rules, almanac, policyType);
  const explainer = createExplainer(decider, facts, host);
  const applying = findApplyingRules(evaluated, property, policyType, explainer);
  const decidedBy = decidingRules(evaluated, applying);
  const deciding = findings.ladder?.isSettled ? findings.ladder.possible[0] : findings.ladder?.last;
  const tiers = alone
    .filter(({ program }) => program !== deciding)
    .map(({ program, findings }): ExplainedTier => {
      const tier = { version, evaluator, findings, verdict: verdictOf(findings, version, policyType, property) };
      const ofTier = findApplyingRules(tier, property, policyType, explainer);
      return {
        ...verdictTier(program),
        status: tier.verdict.status,
        decidedBy: decidingRules(tier, ofTier).map(({ rule }) => rule),
      };
    });
  return {
    carrierKey: verdict.carrierKey,
    carrierName: verdict.carrierName,
    policyType,
    status: verdict.status,
    ruleSet: verdict.ruleSet,
    evaluator,
    decidedBy: decidedBy.map((each) => each.rule),
    ...(tree
      ? {
          rules: applying.map(({ rule, condition }) => ({
            ...rule,
            ...(condition ? { tree: explainer.explain(condition) } : {}),
          })),
        }
      : {}),
    ...(tiers.length > 0 ? { tiers } : {}),
  };
}

function decidingRules(evaluated: EvaluatedCarrier, applying: readonly ApplyingRule[]): readonly ApplyingRule[] {
  const open = openOutcomes(evaluated);
  return applying.filter(
    ({ rule, reason }) =>
      evaluated.verdict.reasons.some((each) => isSame(each, reason)) ||
      (rule.truth === 'undecided' && open.has(rule.outcome)),
  );
}

/** Outcomes of undecided rules that could still change the status. */
function openOutcomes({ verdict }: EvaluatedCarrier): ReadonlySet<string> {
  if (verdict.status !== 'needs_information') return new Set();
  const can = (status: SettledStatus) => verdict.possibleStatuses.includes(status);
  return new Set([...(can('ineligible') ? ['decline'] : []), ...(can('eligible') && can('referral') ? ['refer'] : [])]);
}

function isSame(a: Reason, b: Reason): boolean {
  return a.ruleId === b.ruleId && a.code === b.code && a.message === b.message;
}

function createExplainer(decider: Decider, facts: ExplainedFacts, host: HostAnswers): TreeExplainer {
  const findOperator = createReferenceEvaluator(decider.options).findOperator ?? operatorFunction;
  const withHost = (leaf: Leaf, answersOfHome: ExplainedFacts['testFacts']) => {
    const answers = host.get(leaf);
    return answers ? new Map([...answersOfHome, ...answers]) : answersOfHome;
  };
  return createTreeExplainer(
    (leaf): Truth => truthOfLeaf(leaf, withHost(leaf, facts.testFacts), findOperator),
    (leaf, truth) =>
      explainTest(
        leaf,
        truth,
        {
          testFacts: facts.testFacts,
          knownFacts: withHost(leaf, facts.knownFacts),
          givenFacts: withHost(leaf, facts.givenFacts),
        },
        decider.vocabulary,
      ),
  );
}

type HostAnswers = ReadonlyMap<Leaf, ReadonlyMap<string, unknown>>;

/** The host facts of some rules' tests, by test, because of its `params`. */
async function hostAnswersOf(rules: readonly Rule[], almanac: Almanac, policyType: string): Promise<HostAnswers> {
  const readFact = await readTestedFacts(rules, almanac, policyType);
  const answers = new Map<Leaf, Map<string, unknown>>();
  for (const { leaf, name, params } of testedFacts(rules, almanac)) {
    const ofLeaf = answers.get(leaf) ?? new Map<string, unknown>();
    answers.set(leaf, ofLeaf.set(name, readFact(name, params)));
  }
  return answers;
}
