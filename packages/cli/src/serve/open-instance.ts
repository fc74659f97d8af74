import { mkdirSync } from 'node:fs';
import { type Accounts, accountsMigrations, createAccounts, createSqlStore } from '@leeward/accounts';
import { type Database, openDatabase } from '@leeward/database';
import type { Catalog } from '@leeward/engine';
import { createAccountCatalogs, createRulesPort, type DistancePorts, type UnderwritingPorts } from '@leeward/http';
import { openDistances } from './open-distances.ts';

export interface InstanceSettings {
  /** `sqlite:path` or `postgres://…`. */
  readonly databaseUrl: string;
  /** Made where it is not there: what is kept by default is kept in it. */
  readonly dataFolder: string;
  /** What tokens are made for: `live`, `demo`. */
  readonly environment: string;
  readonly operatorToken: string | undefined;
}

/** What an instance keeps, opened: its database, and its accounts over a catalog. */
export interface Instance {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly underwriting: UnderwritingPorts;
  readonly distance: DistancePorts;
  /** Writes what is still to be written, and closes. */
  close(): Promise<void>;
}

export async function openInstance(catalog: Catalog, settings: InstanceSettings): Promise<Instance> {
  mkdirSync(settings.dataFolder, { recursive: true, mode: 0o700 });
  const database = await openDatabase(settings.databaseUrl, { migrations: [accountsMigrations] });
  const keys = new Set(catalog.carriers.map((carrier) => carrier.key));
  const accounts = createAccounts({
    store: createSqlStore(database),
    rules: createRulesPort(catalog),
    catalog: keys,
    environment: settings.environment,
    operatorToken: settings.operatorToken,
  });
  return {
    database,
    accounts,
    distance: await openDistances(settings),
    underwriting: { catalog, organizations: createAccountCatalogs(catalog, accounts.directory) },
    async close() {
      await accounts.settle();
      await database.close();
    },
  };
}
