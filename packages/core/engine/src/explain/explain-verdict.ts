import type { Decider } from '../catalog/organization-catalog.ts';
import { type Carrier, versionOn } from '../catalog/versions.ts';
import type { Leaf } from '../condition/condition.ts';
import { operatorFunction } from '../condition/operators.ts';
import { truthOfLeaf } from '../condition/tree-truth.ts';
import type { Truth } from '../condition/truth.ts';
import { type Almanac, createAlmanac, type FactOptions } from '../reference/almanac.ts';
import { createReferenceEvaluator } from '../reference/reference-evaluator.ts';
import type { Property } from '../request/property.ts';
import { identityOf } from '../verdict/carrier-rules.ts';
import type { Reason, SettledStatus } from '../verdict/verdict.ts';
import { type ApplyingRule, applyingRules } from './applying-rules.ts';
import { explainTest } from './explain-test.ts';
import type { Explanation } from './explanation.ts';
import { type FactsToTell, factsToTell } from './facts-to-tell.ts';
import { type HostAnswers, hostAnswersOf } from './host-answers.ts';
import { type JudgedCarrier, judgeCarrier, resolveKey, type VerdictKey } from './judge-carrier.ts';
import { createTreeExplainer, type TreeExplainer } from './tree-explainer.ts';

/** How much is told. */
export interface ExplainOptions extends FactOptions {
  /** True adds every rule that applies, each with its whole three-valued condition. Default false. */
  readonly tree?: boolean;
}

/**
 * Why a carrier says what it says: the rules behind its status, each with what it asks and what the
 * property has. Works with fields missing or known within bounds. Throws a `RangeError` for a carrier or
 * policy type that is not there.
 */
export async function explainVerdict(
  decider: Decider,
  property: Property,
  key: VerdictKey & ExplainOptions,
): Promise<Explanation> {
  const { carrier, policyType } = resolveKey(decider, property, key);
  const almanac = key.almanac ?? createAlmanac(decider.options, property, key);
  const judged = await judgeCarrier(decider, property, carrier, policyType, almanac);
  if (!judged) return notOffered(carrier, property, policyType);
  return explainJudged(decider, property, policyType, judged, almanac, key.tree ?? false);
}

function notOffered(carrier: Carrier, property: Property, policyType: string): Explanation {
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

async function explainJudged(
  decider: Decider,
  property: Property,
  policyType: string,
  judged: JudgedCarrier,
  almanac: Almanac,
  tree: boolean,
): Promise<Explanation> {
  const { verdict, evaluator } = judged;
  const told = factsToTell(property, policyType, evaluator === 'compiled');
  const rules = judged.findings.rules.map((each) => each.rule);
  const host = await hostAnswersOf(rules, almanac, policyType);
  const explainer = createExplainer(decider, told, host);
  const applying = applyingRules(judged, property, policyType, explainer);
  const isReason = (each: ApplyingRule) => verdict.reasons.some((reason) => isSame(reason, each.reason));
  const open = openOutcomes(judged);
  const decidedBy = applying.filter(
    (each) => isReason(each) || (each.rule.truth === 'undecided' && open.has(each.rule.outcome)),
  );
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
  };
}

/** The outcomes of undecided rules that could still change the status. */
function openOutcomes({ verdict }: JudgedCarrier): ReadonlySet<string> {
  if (verdict.status !== 'needs_information') return new Set();
  const can = (status: SettledStatus) => verdict.possibleStatuses.includes(status);
  return new Set([...(can('ineligible') ? ['decline'] : []), ...(can('eligible') && can('referral') ? ['refer'] : [])]);
}

function isSame(a: Reason, b: Reason): boolean {
  return a.ruleId === b.ruleId && a.code === b.code && a.message === b.message;
}

function createExplainer(decider: Decider, told: FactsToTell, host: HostAnswers): TreeExplainer {
  const findOperator = createReferenceEvaluator(decider.options).findOperator ?? operatorFunction;
  const withHost = (leaf: Leaf, facts: FactsToTell['judged']) => {
    const answers = host.get(leaf);
    return answers ? new Map([...facts, ...answers]) : facts;
  };
  return createTreeExplainer(
    (leaf): Truth => truthOfLeaf(leaf, withHost(leaf, told.judged), findOperator),
    (leaf, truth) =>
      explainTest(
        leaf,
        truth,
        { judged: told.judged, known: withHost(leaf, told.known), given: withHost(leaf, told.given) },
        decider.vocabulary,
      ),
  );
}
