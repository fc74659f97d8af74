import { type Accounts, createAccounts, createSqlStore } from '@leeward/accounts';
import type { Database } from '@leeward/database';
import type { Catalog } from '@leeward/engine';
import { createRulesPort, type FairTurns } from '@leeward/http';

export interface KeptAccountsSettings {
  /** What tokens are made for. */
  readonly environment: string;
  readonly operatorToken?: string | undefined;
  /** Carriers that may be appointed though no rules of theirs are known. */
  readonly carrierKeys?: readonly string[];
  /** In whose turns rules are checked that are entered. */
  readonly turns?: FairTurns;
}

/** The accounts that a database keeps, over a catalog: carriers are appointed out of it, and overrides tighten it. */
export function keptAccounts(database: Database, catalog: Catalog, settings: KeptAccountsSettings): Accounts {
  return createAccounts({
    store: createSqlStore(database),
    rules: createRulesPort(catalog, settings.turns),
    catalog: new Set([...catalog.carriers.map((carrier) => carrier.key), ...(settings.carrierKeys ?? [])]),
    environment: settings.environment,
    operatorToken: settings.operatorToken,
  });
}
