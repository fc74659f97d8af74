import type { CarrierRules } from '../verdict/carrier-rules.ts';

/** The versions of one carrier's rule set, by `from`, latest first. */
export interface Carrier {
  readonly key: string;
  readonly name: string;
  readonly versions: readonly CarrierRules[];
}

/** If several are in force, the one with the latest `from`. */
export function versionOn(carrier: Carrier, date: string): CarrierRules | undefined {
  return carrier.versions.find(
    ({ ruleSet }) =>
      ruleSet.effectiveFrom <= date && (ruleSet.effectiveUntil === undefined || date < ruleSet.effectiveUntil),
  );
}
