import { randomBytes } from 'node:crypto';
import { homeSales, type SoldLine, soldLines } from '@leeward/terms';
import { type Administration, createAdministration } from './administration/administration.ts';
import { type AuditTrail, createAuditTrail } from './administration/audit-trail.ts';
import type { SystemActor } from './administration/authority.ts';
import { defaultLimits, type Limits } from './administration/limits.ts';
import type { Services } from './administration/operation.ts';
import { type ApprovalRules, defaultApprovalRules } from './administration/rule-sets/approval-rules.ts';
import { type SeedFile, seedRuleSets } from './administration/rule-sets/seed.ts';
import type { Directory } from './directory.ts';
import { createIdentifiers } from './identifier.ts';
import { createRuleSetFeed, type RuleSetFeed } from './rule-set-feed.ts';
import type { CarrierCatalog, RulesPort } from './rules-port.ts';
import {
  createSavedDecisions,
  defaultSavedDecisionLimits,
  type SavedDecisionLimits,
  type SavedDecisions,
} from './saved-decisions.ts';
import type { AccountStore } from './store/account-store.ts';
import { createStoreDirectory } from './store-directory.ts';
import { createLastUse } from './token/last-use.ts';
import { createOperatorToken } from './token/operator-token.ts';
import { environmentPattern } from './token/token-text.ts';

/** Options of `createAccounts`. */
export interface AccountsOptions {
  /** `createMemoryStore()` or `createSqlStore(database)`. */
  readonly store: AccountStore;
  /** Checks and reviews rule sets and overrides. */
  readonly rules: RulesPort;
  /** The carriers offered to all. If set, other carrier keys are refused on entry. */
  readonly catalog?: CarrierCatalog | undefined;
  /** Lines of business, other than homes, whose policy types can be appointed. */
  readonly lines?: readonly SoldLine[] | undefined;
  /** Tokens are made for this environment and accepted in no other. Lower-case letters and digits; default `live`. */
  readonly environment?: string | undefined;
  /** An operator's token of the host's own, of 32 characters or more: `LEEWARD_OPERATOR_TOKEN`. */
  readonly operatorToken?: string | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Conditions for publishing rules. Default: four eyes, and every fault and warning explained. */
  readonly approval?: Partial<ApprovalRules> | undefined;
  /** Retention of saved decisions. Default: 30 days, 10,000 per organization. */
  readonly savedDecisions?: Partial<SavedDecisionLimits> | undefined;
  /** Milliseconds since 1970; default the host's clock. */
  readonly now?: (() => number) | undefined;
  /** Default the host's source of chance for secrets. */
  readonly randomBytes?: ((count: number) => Uint8Array) | undefined;
}

/** The accounts of an instance: who may do what, and how that is changed. */
export interface Accounts {
  readonly directory: Directory;
  readonly administration: Administration;
  /** Lets other parts of the service write to the audit log. */
  readonly auditTrail: AuditTrail;
  /** The rules of the catalog that the registry has in force. */
  readonly ruleSets: RuleSetFeed;
  /**
   * Publishes the files that were served without a registry, if the catalog's registry is empty.
   * Resolves with the number of files; 0 if anything was published before.
   */
  seedRuleSets(files: readonly SeedFile[], actor: SystemActor): Promise<number>;
  /**
   * Rule sets and overrides of organizations that `carriers` and `overrides` put in force: no other person approved them. Zeros
   * where four eyes are off.
   */
  countUnapproved(): Promise<{ readonly carriers: number; readonly overrides: number }>;
  /** Stores the decisions that rules are tested against. */
  readonly savedDecisions: SavedDecisions;
  /** Resolves when the last uses of tokens noted so far are written. Call it before closing the database. */
  settle(): Promise<void>;
}

/** @throws {TypeError} if the environment has characters a token cannot hold, or the operator token is too short. */
export function createAccounts(options: AccountsOptions): Accounts {
  const { store, rules, catalog, environment = 'live', operatorToken, now = Date.now } = options;
  if (!environmentPattern.test(environment)) {
    throw new TypeError(
      `An environment is 1 to 16 lower-case letters and digits; this is ${JSON.stringify(environment)}.`,
    );
  }
  const chance = options.randomBytes ?? randomBytes;
  const operator = operatorToken === undefined ? undefined : createOperatorToken(operatorToken, environment);
  const lastUse = createLastUse((uses) => store.recordUses(uses), now);
  const newId = createIdentifiers(now, chance);
  const services: Services = {
    store,
    rules,
    catalog,
    lines: soldLines([homeSales, ...(options.lines ?? [])]),
    environment,
    limits: { ...defaultLimits, ...options.limits },
    approval: { ...defaultApprovalRules, ...options.approval },
    now,
    newId,
    randomBytes: chance,
  };
  return {
    auditTrail: createAuditTrail({ store, now, newId }),
    ruleSets: createRuleSetFeed(store),
    savedDecisions: createSavedDecisions({
      store,
      limits: { ...defaultSavedDecisionLimits, ...options.savedDecisions },
      now,
      newId,
    }),
    directory: createStoreDirectory({ store, environment, operator, lastUse, now }),
    administration: createAdministration(services),
    seedRuleSets: (files, actor) => seedRuleSets(services, files, actor),
    async countUnapproved() {
      if (!services.approval.fourEyes) return { carriers: 0, overrides: 0 };
      const [carriers, overrides] = [
        await store.reader.count('carriers', {}),
        await store.reader.count('overrides', {}),
      ];
      return { carriers, overrides };
    },
    settle: () => lastUse.settle(),
  };
}
