import type { Fault } from '@leeward/terms';

/**
 * What accounts must know of rules, declared here because it does not know the engine. Both checks apply the limits
 * for files from strangers, answer all faults at once, throw nothing, and take bounded time whatever they are given.
 * Paths of faults are JSON Pointers into the value checked.
 */
export interface RulesPort {
  checkCarrierRules(ruleSet: unknown, from: RulesSource): CheckedCarrierRules | Promise<CheckedCarrierRules>;
  /** `{ "carrier_key", "add_rules", "exclude" }`: whether it only tightens, and means something. */
  checkOverride(override: unknown, from: RulesSource): CheckedOverride | Promise<CheckedOverride>;
}

/** Who enters rules: whoever checks them may let others go first. */
export interface RulesSource {
  /** undefined: the operator. */
  readonly organizationId: string | undefined;
}

export interface CheckedCarrierRules {
  readonly faults: readonly Fault[];
  /** Present when there are no faults. */
  readonly ruleSet?: {
    readonly carrierKey: string;
    readonly carrierName: string;
    readonly version: string;
    /** Dates `YYYY-MM-DD`. */
    readonly effectiveFrom: string;
    readonly effectiveUntil?: string | undefined;
    readonly sha256: string;
  };
}

export interface CheckedOverride {
  readonly faults: readonly Fault[];
  /** Its hash in answers; left out, that of its JSON as it is stored. */
  readonly override?: { readonly sha256: string };
}

/** The carriers that the instance offers to all. Asked so that a misspelt key is refused on entry. */
export interface CarrierCatalog {
  has(carrierKey: string): boolean;
}
