import { type Carrier, type Catalog, catalogOf, type Property, type RuleSet, type Verdict } from '@leeward/engine';

/** What a rule set says of homes, by policy type, as though it were in force. */
export function answering(ruleSet: RuleSet): (property: Property) => Promise<ReadonlyMap<string, Verdict>> {
  const inForce: RuleSet = { ...ruleSet, effectiveFrom: '0000-01-01', effectiveUntil: undefined };
  const carrier: Carrier = {
    key: ruleSet.carrierKey,
    name: ruleSet.carrierName,
    versions: [{ ruleSet: inForce, source: 'catalog' }],
  };
  let catalog: Catalog | undefined;
  return async (property) => {
    catalog ??= catalogOf([carrier], { vocabulary: property.vocabulary });
    const { verdicts } = await catalog.decide(property);
    return new Map(verdicts.map((verdict) => [verdict.policyType, verdict]));
  };
}
