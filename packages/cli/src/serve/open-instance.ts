import { type Accounts, accountsMigrations } from '@leeward/accounts';
import type { Database } from '@leeward/database';
import type { Catalog } from '@leeward/engine';
import { createAccountCatalogs, type DistancePorts, type FairTurns, type UnderwritingPorts } from '@leeward/http';
import { quoteMigrations } from '@leeward/quotes';
import { keptAccounts } from '../accounts/kept-accounts.ts';
import { makeFolder, nameDataFolder } from '../make-folder.ts';
import { openStore } from '../store/open-store.ts';
import type { GeocoderSettings } from './geocoder-settings.ts';
import { openDistances } from './open-distances.ts';

export interface InstanceSettings {
  /** `sqlite:path` or `postgres://…`. */
  readonly databaseUrl: string;
  /** Made where it is not there: what is kept by default is kept in it. */
  readonly dataFolder: string;
  /** What tokens are made for: `live`, `demo`. */
  readonly environment: string;
  readonly operatorToken: string | undefined;
  /** Who finds addresses; default those that need no network. */
  readonly geocoders?: GeocoderSettings;
  /** What distances are measured to; default the shipped coastline. */
  readonly coastlines?: readonly string[];
  /** Carriers that may be appointed though no rules of theirs are known. */
  readonly carrierKeys?: readonly string[];
  /** Whose turn it is, for all work of the process. */
  readonly turns: FairTurns;
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
  makeFolder(settings.dataFolder, nameDataFolder);
  const database = await openStore(settings.databaseUrl, [accountsMigrations, quoteMigrations]);
  const accounts = keptAccounts(database, catalog, settings);
  return {
    database,
    accounts,
    distance: await openDistances(settings),
    underwriting: {
      catalog,
      organizations: createAccountCatalogs(catalog, accounts.directory, { turns: settings.turns }),
    },
    async close() {
      await accounts.settle();
      await database.close();
    },
  };
}
