import type { Call, Services } from '@leeward/accounts/operations';
import type { RulesPort } from '../rules-port.ts';
import type { ApprovalRules } from './approval-rules.ts';

/** Maximum number of records per organization: more than any needs, too few to slow others down. */
export interface RegistryLimits {
  /** Rule sets entered with `carriers`. */
  readonly carriers: number;
  readonly overrides: number;
  /** Versions of any status. */
  readonly rule_sets: number;
}

/** Limits unless the host sets others. */
export const defaultRegistryLimits: RegistryLimits = { carriers: 100, overrides: 500, rule_sets: 5_000 };

/** The services of accounts, and those of the registry. */
export interface RegistryServices extends Services {
  readonly rules: RulesPort;
  readonly approval: ApprovalRules;
  readonly registryLimits: RegistryLimits;
}

/** One run of an operation of the registry. */
export type RegistryCall = Call<RegistryServices>;
