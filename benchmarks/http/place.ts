import { accountsMigrations, createAccounts, createSqlStore } from '@leeward/accounts';
import { type Database, openDatabase } from '@leeward/database';
import { createCatalog } from '@leeward/engine';
import { createAccountTeams } from '@leeward/http-admin';
import { createQuotes, type Quotes, quoteMigrations } from '@leeward/quotes';
import { createPQueueBackend } from '@leeward/quotes/queues/p-queue';
import { readOrganizationRules } from '@leeward/registry';
import { createCarriers, toRuleSets } from '../engine/carriers.ts';
import { benchCarrier, body } from '../quotes/carrier.ts';
import { createPlace as createDatabasePlace } from '../quotes/places.ts';

export const SEED = 20261120;
const QUOTED = 20;

/** Command-line input of both servers. */
export interface Place {
  readonly databaseUrl: string;
  readonly apiKey: string;
  readonly teamToken: string;
  readonly teamId: string;
  readonly quoteId: string;
  remove(): Promise<void>;
}

export function benchmarkCatalog() {
  return createCatalog(toRuleSets(createCarriers(SEED)).map((file) => ({ file })));
}

/** Quoting over a database that both servers read. Calls no carrier before it is started. */
export function benchmarkQuotes(database: Database, accounts: ReturnType<typeof benchmarkAccounts>): Quotes {
  const carriers = Array.from({ length: QUOTED }, (_, index) =>
    benchCarrier({ key: keyOf(index), latencyMs: 0, concurrency: 8 }),
  );
  return createQuotes({
    database,
    carriers,
    queue: createPQueueBackend(),
    teams: createAccountTeams(accounts.directory),
  });
}

export function benchmarkAccounts(database: Database, catalog = benchmarkCatalog()) {
  return createAccounts({
    store: createSqlStore(database),
    readOrganizationRules,
    catalog: new Set(catalog.carriers.map((carrier) => carrier.key)),
    environment: 'bench',
  });
}

/** A database with an agency, its tokens, and a quote that twenty carriers have answered. */
export async function createPlace(engine: 'sqlite' | 'postgres'): Promise<Place> {
  const { url: databaseUrl, remove } = await createDatabasePlace(engine);
  const database = await openDatabase(databaseUrl, { migrations: [accountsMigrations, quoteMigrations] });
  const accounts = benchmarkAccounts(database);
  const { organizations, teams, producers, appointments, tokens } = accounts.administration;
  const host = { system: 'benchmark' };
  const { organization_id } = await organizations.create.run(host, { name: 'Bench Agency' });
  for (let index = 0; index < QUOTED; index++) {
    await appointments.create.run(host, { organization_id, carrier_key: keyOf(index) });
  }
  const { team_id } = await teams.create.run(host, { organization_id, name: 'Bench' });
  await producers.create.run(host, { organization_id, team_id, email: body.assigned_producer_email });
  const key = await tokens.create.run(host, { organization_id, name: 'key' });
  const team = await tokens.create.run(host, { organization_id, team_id, name: 'team' });
  const quotes = benchmarkQuotes(database, accounts);
  const { quote_request_id } = await quotes.create(team_id, { ...body, form_types: ['ho3'] });
  await quotes.start();
  while ((await quotes.status(team_id, quote_request_id))?.status !== 'complete') {
    await new Promise((wait) => setTimeout(wait, 20));
  }
  await quotes.stop();
  await database.close();
  return {
    databaseUrl,
    apiKey: key.token,
    teamToken: team.token,
    teamId: team_id,
    quoteId: quote_request_id,
    remove,
  };
}

function keyOf(index: number): string {
  return createdKeys[index]!;
}
const createdKeys = createCarriers(SEED).map(({ key }) => key);
