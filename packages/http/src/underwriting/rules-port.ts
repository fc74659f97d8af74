import type { RulesPort, RulesSource } from '@leeward/accounts';
import { type Catalog, checkOverrideSoon, checkRuleSetSoon, createTurn, type Turn } from '@leeward/engine';
import { organizationTenant } from '../admission/admission.ts';
import type { FairTurns } from '../admission/fair-turns.ts';

/**
 * What accounts must know of rules, told by the engine: files from strangers, under the limits for them. Checked in turns
 * of whoever enters them.
 */
export function createRulesPort(base: Catalog, turns?: FairTurns): RulesPort {
  const { vocabulary } = base;
  const turnOf = ({ organizationId }: RulesSource): Turn => {
    if (!turns) return createTurn();
    return turns.pieceOf(organizationId === undefined ? 'operator' : organizationTenant(organizationId));
  };
  return {
    async checkCarrierRules(file, from) {
      const { faults, ruleSet } = await checkRuleSetSoon(file, { vocabulary, fromStranger: true }, turnOf(from));
      return ruleSet ? { faults, ruleSet } : { faults };
    },
    async checkOverride(file, from) {
      const key =
        typeof file === 'object' && file !== null ? (file as { carrier_key?: unknown }).carrier_key : undefined;
      const carrier = base.carriers.find((each) => each.key === key);
      const ruleSets = carrier?.versions.map((version) => version.ruleSet) ?? [];
      const { faults, override } = await checkOverrideSoon(file, ruleSets, turnOf(from), vocabulary);
      return override ? { faults, sha256: override.sha256 } : { faults };
    },
  };
}
