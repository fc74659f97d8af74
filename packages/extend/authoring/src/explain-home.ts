import {
  catalogOf,
  type Decision,
  type Explanation,
  explainVerdict,
  type Property,
  type RuleSet,
  type Verdict,
  type WhatWouldChange,
  whatWouldChange,
} from '@leeward/engine';

/** What a rule set says of a home for one policy type, why, and what would change it. */
export interface ExplainedAnswer {
  readonly policyType: string;
  /** Undefined: not offered where the home stands, or on its effective date. */
  readonly verdict: Verdict | undefined;
  /** With every rule that applies, each with its whole condition. */
  readonly explanation: Explanation;
  readonly wouldChange: WhatWouldChange;
}

/** What one rule set says of a home. */
export interface ExplainedHome {
  readonly decision: Decision;
  /** Of the policy type that is asked for, else of every one that the rule set offers anywhere. */
  readonly answers: readonly ExplainedAnswer[];
}

/**
 * Explains what one rule set, and no other version of its carrier, says of a home. Its dates hold: outside
 * them nothing is offered.
 */
export async function explainHome(ruleSet: RuleSet, property: Property): Promise<ExplainedHome> {
  const { vocabulary } = property;
  const { carrierKey } = ruleSet;
  const catalog = catalogOf(
    [{ key: carrierKey, name: ruleSet.carrierName, versions: [{ ruleSet, source: 'catalog' }] }],
    { vocabulary },
  );
  const asked = vocabulary.policyTypes.filter((type) =>
    property.policyType === undefined
      ? ruleSet.programs.some((each) => each.policyTypes.includes(type))
      : type === property.policyType,
  );
  const decision = await catalog.decide(property);
  const answers: ExplainedAnswer[] = [];
  for (const policyType of asked) {
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
