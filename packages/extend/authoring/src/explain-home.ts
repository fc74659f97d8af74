import {
  type Decision,
  type Explanation,
  explainVerdict,
  type Property,
  type RuleSet,
  type Verdict,
  type WhatWouldChange,
  whatWouldChange,
} from '@leeward/engine';
import { catalogOf } from '@leeward/engine/compiled';

/** Answer for one policy type, with reasons and counterfactuals. */
export interface ExplainedAnswer {
  readonly policyType: string;
  /** Undefined if the policy type is not offered at the place or on the effective date of the home. */
  readonly verdict: Verdict | undefined;
  /** All rules that apply, each with its whole condition. */
  readonly explanation: Explanation;
  readonly wouldChange: WhatWouldChange;
}

/** The answers of one rule set to a home. */
export interface ExplainedHome {
  readonly decision: Decision;
  /** One per policy type: that of the home, or else all of the rule set. */
  readonly answers: readonly ExplainedAnswer[];
}

/**
 * Explains the answers of one rule set to a home. Ignores other versions of the carrier, so nothing is offered outside the effective
 * dates of the rule set.
 *
 * @example
 * const { answers } = await explainHome(ruleSet, property);
 * answers[0]?.explanation.decidedBy.map(({ ruleId }) => ruleId);
 */
export async function explainHome(ruleSet: RuleSet, property: Property): Promise<ExplainedHome> {
  const { vocabulary } = property;
  const { carrierKey } = ruleSet;
  const catalog = catalogOf(
    [{ key: carrierKey, name: ruleSet.carrierName, versions: [{ ruleSet, source: 'catalog' }] }],
    { vocabulary },
  );
  const policyTypes = vocabulary.policyTypes.filter((type) =>
    property.policyType === undefined
      ? ruleSet.programs.some((each) => each.policyTypes.includes(type))
      : type === property.policyType,
  );
  const decision = await catalog.decide(property);
  const answers: ExplainedAnswer[] = [];
  for (const policyType of policyTypes) {
    const key = { carrierKey, policyType };
    answers.push({
      policyType,
      verdict: decision.verdicts.find((each) => each.policyType === policyType),
      explanation: await explainVerdict(catalog, property, { ...key, tree: true }),
      wouldChange: whatWouldChange(catalog, property, key),
    });
  }
  return { decision, answers };
}
