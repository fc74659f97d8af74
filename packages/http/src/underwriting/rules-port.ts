import type { RulesPort } from '@leeward/accounts';
import { type Catalog, checkOverride, checkRuleSet } from '@leeward/engine';

/** What accounts must know of rules, told by the engine: files from strangers, under the limits for them. */
export function createRulesPort(base: Catalog): RulesPort {
  const { vocabulary } = base;
  return {
    checkCarrierRules(file) {
      const { faults, ruleSet } = checkRuleSet(file, { vocabulary, fromStranger: true });
      return ruleSet ? { faults, ruleSet } : { faults };
    },
    checkOverride(file) {
      const key =
        typeof file === 'object' && file !== null ? (file as { carrier_key?: unknown }).carrier_key : undefined;
      const carrier = base.carriers.find((each) => each.key === key);
      const ruleSets = carrier?.versions.map((version) => version.ruleSet) ?? [];
      const { faults, override } = checkOverride(file, ruleSets, vocabulary);
      return override ? { faults, sha256: override.sha256 } : { faults };
    },
  };
}
