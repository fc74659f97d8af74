import type { Call, Services } from '@leeward/accounts/operations';
import type { RulesPort } from '../rules-port.ts';
import type { ApprovalRules } from './approval-rules.ts';

/** Maximum number per organization. */
export interface RegistryLimits {
  /** Entered with `carriers`. */
  readonly carriers: number;
  readonly overrides: number;
  /** Versions of any status. */
  readonly rule_sets: number;
}

export const defaultRegistryLimits: RegistryLimits = { carriers: 100, overrides: 500, rule_sets: 5_000 };

export interface RegistryServices extends Services {
  readonly rules: RulesPort;
  readonly approval: ApprovalRules;
  readonly registryLimits: RegistryLimits;
}

export type RegistryCall = Call<RegistryServices>;
