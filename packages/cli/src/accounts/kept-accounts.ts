import { type Accounts, createAccounts, createSqlStore } from '@leeward/accounts';
import type { Database } from '@leeward/database';
import type { Catalog } from '@leeward/engine';
import { createRulesPort } from '@leeward/http';

export interface KeptAccountsSettings {
  /** What tokens are made for. */
  readonly environment: string;
  readonly operatorToken?: string | undefined;
  /** Carriers that may be appointed though no rules of theirs are known. */
  readonly carrierKeys?: readonly string[];
}

/** The accounts that a database keeps, over a catalog: carriers are appointed out of it, and overrides tighten it. */
export function keptAccounts(database: Database, catalog: Catalog, settings: KeptAccountsSettings): Accounts {
  return createAccounts({
    store: createSqlStore(database),
    rules: createRulesPort(catalog),
    catalog: new Set([...catalog.carriers.map((carrier) => carrier.key), ...(settings.carrierKeys ?? [])]),
    environment: settings.environment,
    operatorToken: settings.operatorToken,
  });
}
