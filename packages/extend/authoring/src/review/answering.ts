import type { Catalog } from '../catalog/catalog.ts';
import { catalogOf } from '../catalog/catalog-of.ts';
import type { Carrier } from '../catalog/versions.ts';
import type { Property } from '../request/property.ts';
import type { RuleSet } from '../rule-set/rule-set.ts';
import type { Verdict } from '../verdict/verdict.ts';

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
