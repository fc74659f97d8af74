import type { Accounts, Operation, SystemActor } from '@leeward/accounts';
import type { Resource } from '@leeward/accounts/operations';
import { createStoredHazardEvents, type StoredHazardEvents } from './hazard-events/hazard-event-feed.ts';
import { createHazardEvents, type HazardEvents } from './hazard-events/hazard-events.ts';
import { type CarrierItem, createCarriers } from './organization-rules/carriers.ts';
import { createOverrides, type OverrideItem } from './organization-rules/overrides.ts';
import { createRuleSetFeed, type RuleSetFeed } from './rule-set-feed.ts';
import { type ApprovalRules, defaultApprovalRules } from './rule-sets/approval-rules.ts';
import { createMoratoria, type Moratoria } from './rule-sets/moratoria.ts';
import { createRuleSets } from './rule-sets/rule-sets.ts';
import { createSavedDecisionOperations, type SavedDecisionOperations } from './rule-sets/saved-decisions.ts';
import { type SeedFile, seedRuleSets } from './rule-sets/seed.ts';
import { defaultRegistryLimits, type RegistryLimits, type RegistryServices } from './rule-sets/services.ts';
import type { RulesPort } from './rules-port.ts';
import {
  createSavedDecisions,
  defaultSavedDecisionLimits,
  type SavedDecisionLimits,
  type SavedDecisions,
} from './saved-decisions.ts';

/** Options of `createRegistry`. */
export interface RegistryOptions {
  /** Made with `readOrganizationRules`. */
  readonly accounts: Pick<Accounts, 'services'>;
  readonly rules: RulesPort;
  /** Conditions for publishing. If omitted, four eyes, and every fault and warning explained. */
  readonly approval?: Partial<ApprovalRules> | undefined;
  /** If omitted, 100 carriers, 500 overrides and 5,000 versions per organization. */
  readonly limits?: Partial<RegistryLimits> | undefined;
  /** If omitted, 30 days and 10,000 decisions per organization. */
  readonly savedDecisions?: Partial<SavedDecisionLimits> | undefined;
}

/** Rule sets in service. */
export interface Registry {
  readonly administration: RegistryAdministration;
  /** Rules of the catalog in force. */
  readonly feed: RuleSetFeed;
  /** Storms and other events that operators posted. */
  readonly hazardEvents: StoredHazardEvents;
  /** For testing rules. */
  readonly savedDecisions: SavedDecisions;
  /** Publishes files in an empty registry. Resolves with their number; 0 if anything was published before. */
  seed(files: readonly SeedFile[], actor: SystemActor): Promise<number>;
  /** Number of rule sets and overrides in force without approval. Zeros without four eyes. */
  countUnapproved(): Promise<{ readonly carriers: number; readonly overrides: number }>;
}

/** Operations on rule sets, by resource. */
export interface RegistryAdministration {
  readonly carriers: Resource<CarrierItem>;
  readonly overrides: Resource<OverrideItem>;
  readonly ruleSets: ReturnType<typeof createRuleSets>;
  readonly moratoria: Moratoria;
  readonly hazardEvents: HazardEvents;
  readonly savedDecisions: SavedDecisionOperations;
  /** All of them, for a server to mount. */
  readonly operations: readonly Operation[];
}

/**
 * Opens the registry in the store of accounts.
 *
 * @throws {TypeError} If the accounts lack `readOrganizationRules`.
 * @example
 * const accounts = createAccounts({ store, readOrganizationRules });
 * const registry = createRegistry({ accounts, rules });
 */
export function createRegistry(options: RegistryOptions): Registry {
  const { accounts, rules } = options;
  if (accounts.services.readOrganizationRules === undefined) {
    throw new TypeError(
      'The accounts lack readOrganizationRules: createAccounts({ store, readOrganizationRules }), from @leeward/registry.',
    );
  }
  const services: RegistryServices = {
    ...accounts.services,
    rules,
    approval: { ...defaultApprovalRules, ...options.approval },
    registryLimits: { ...defaultRegistryLimits, ...options.limits },
  };
  const { store, now, newId } = services;
  return {
    administration: createAdministration(services),
    feed: createRuleSetFeed(store),
    hazardEvents: createStoredHazardEvents(store),
    savedDecisions: createSavedDecisions({
      store,
      limits: { ...defaultSavedDecisionLimits, ...options.savedDecisions },
      now,
      newId,
    }),
    seed: (files, actor) => seedRuleSets(services, files, actor),
    async countUnapproved() {
      if (!services.approval.fourEyes) return { carriers: 0, overrides: 0 };
      const carriers = await store.reader.count('carriers', {});
      const overrides = await store.reader.count('overrides', {});
      return { carriers, overrides };
    },
  };
}

function createAdministration(services: RegistryServices): RegistryAdministration {
  const resources = {
    carriers: createCarriers(services),
    overrides: createOverrides(services),
    ruleSets: createRuleSets(services),
    moratoria: createMoratoria(services),
    hazardEvents: createHazardEvents(services),
    savedDecisions: createSavedDecisionOperations(services),
  };
  const operations = Object.values(resources).flatMap((resource): readonly Operation[] => Object.values(resource));
  return { ...resources, operations };
}
