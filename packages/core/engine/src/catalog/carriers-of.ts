import type { CarrierRules } from '../verdict/carrier-rules.ts';
import type { Carrier } from './versions.ts';

/**
 * Groups rule sets by carrier.
 *
 * @example
 * const [carrier] = carriersOf([{ ruleSet, source: 'catalog' }]);
 */
export function carriersOf(rules: readonly CarrierRules[]): Carrier[] {
  const byKey = new Map<string, CarrierRules[]>();
  for (const each of rules) {
    const versions = byKey.get(each.ruleSet.carrierKey) ?? [];
    versions.push(each);
    byKey.set(each.ruleSet.carrierKey, versions);
  }
  return [...byKey].map(([key, versions]) => {
    versions.sort((a, b) => (a.ruleSet.effectiveFrom < b.ruleSet.effectiveFrom ? 1 : -1));
    return { key, name: versions[0]!.ruleSet.carrierName, versions };
  });
}
