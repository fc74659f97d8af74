import { type Accounts, createAccounts, createSqlStore } from '@leeward/accounts';
import type { Database } from '@leeward/database';
import type { Catalog, Line } from '@leeward/engine';
import type { LineSource } from '@leeward/engine/check-thread';
import { type ServedCatalog, servedCatalog, soldLine } from '@leeward/http';
import { createRulesPort } from '@leeward/http-admin';
import {
  type ApprovalRules,
  createRegistry,
  type Registry,
  readOrganizationRules,
  type SavedDecisionLimits,
} from '@leeward/registry';

export interface KeptAccountsSettings {
  /** Environment of created tokens. */
  readonly environment: string;
  readonly operatorToken?: string | undefined;
  /** Maximum lifetime of new tokens in days. */
  readonly tokenMaxDays?: number | undefined;
  /** Carriers that may be appointed though no rules of theirs are known. */
  readonly carrierKeys?: ReadonlySet<string>;
  /** Lines of business in addition to homes, with their carriers. */
  readonly lines?: readonly { readonly line: Line; readonly catalog: Catalog | ServedCatalog }[];
  /** Modules that have these lines, for the thread that reviews what goes into force. */
  readonly lineModules?: readonly LineSource[];
  readonly approval?: Partial<ApprovalRules>;
  readonly savedDecisions?: SavedDecisionLimits;
}

/** Accounts, and the registry in their store. */
export interface KeptAccounts extends Accounts {
  readonly registry: Registry;
}

/** The accounts that a database keeps, over a catalog: carriers are appointed out of it, and overrides tighten it. */
export function keptAccounts(
  database: Database,
  catalog: Catalog | ServedCatalog,
  settings: KeptAccountsSettings,
): KeptAccounts {
  const served = servedCatalog(catalog);
  const { lines = [], lineModules = [] } = settings;
  const all = [served, ...lines.map((each) => servedCatalog(each.catalog))];
  const { carrierKeys: others = new Set() } = settings;
  const accounts = createAccounts({
    store: createSqlStore(database),
    readOrganizationRules,
    lines: lines.map(({ line }) => soldLine(line)),
    catalog: {
      has: (key) => others.has(key) || all.some(({ latest }) => latest.carriers.some((carrier) => carrier.key === key)),
    },
    environment: settings.environment,
    operatorToken: settings.operatorToken,
    tokenMaxDays: settings.tokenMaxDays,
  });
  const registry = createRegistry({
    accounts,
    rules: createRulesPort(catalog, { lines: lines.map((each) => each.catalog), lineModules }),
    approval: settings.approval,
    savedDecisions: settings.savedDecisions,
  });
  return { ...accounts, registry };
}
