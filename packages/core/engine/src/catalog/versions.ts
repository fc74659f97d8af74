import type { CarrierRules } from '../verdict/carrier-rules.ts';

/** The versions of one carrier's rule set, latest `from` first. */
export interface Carrier {
  readonly key: string;
  readonly name: string;
  readonly versions: readonly CarrierRules[];
}

/** The version in force on a date: of those whose window holds it, the one with the latest `from`. */
export function versionOn(carrier: Carrier, date: string): CarrierRules | undefined {
  return carrier.versions.find(
    ({ ruleSet }) =>
      ruleSet.effectiveFrom <= date && (ruleSet.effectiveUntil === undefined || date < ruleSet.effectiveUntil),
  );
}
