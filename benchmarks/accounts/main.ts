/**
 * A thousand organizations with views of a catalog of 50 carriers: memory of the views, and the time of a decision with
 * and without reading accounts from a database file, as a request does.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountsMigrations, createAccounts, createSqlStore } from '@leeward/accounts';
import { openDatabase } from '@leeward/database';
import { createCatalog, createProperty, type Decider, homeVocabulary, type Property } from '@leeward/engine';
import type { OrganizationCatalogs } from '@leeward/http';
import { createAccountCatalogs, createRulesPort } from '@leeward/http-admin';
import { createRegistry, readOrganizationRules } from '@leeward/registry';
import { createRandom, pick, wholeNumber } from '../../test/support/random.ts';
import { createCarriers, states, toRuleSets } from '../engine/carriers.ts';
import { createHomes, type Facts } from '../engine/homes.ts';
import { median, type Row, report } from '../report.ts';

const SEED = 20261120;
const ORGANIZATIONS = 1_000;
const APPOINTMENTS = 20;
const DECISIONS = 2_000;
const ROUNDS = 7;
const host = { system: 'benchmark' };

const rows: Row[] = [];
const row = (name: string, value: number, unit: string) => rows.push({ name, median: value, unit });

function heldBytes(): number {
  for (let pass = 0; pass < 3; pass++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function toProperty(facts: Facts): Property {
  const { policy_type, state, county, home_age: _, roof_age, ...values } = facts;
  return createProperty({
    vocabulary: homeVocabulary,
    policyType: policy_type as string | undefined,
    state: state as string,
    counties: county === undefined ? undefined : [county as string],
    values: { ...values, ...(roof_age === undefined ? {} : { roof_year: 2026 - (roof_age as number) }) },
    asOfMs: Date.UTC(2026, 10, 20),
    effectiveDate: '2026-11-20',
  });
}

const random = createRandom(SEED + 2);
const entries = toRuleSets(createCarriers(SEED)).map((file) => ({ file }));
const properties = createHomes(SEED + 1, DECISIONS).map(toProperty);

const beforeBase = heldBytes();
const base = createCatalog(entries);
for (const property of properties) await base.decide(property);
row('the catalog of 50 carriers, warm', (heldBytes() - beforeBase) / 2 ** 20, 'MiB');

const folder = mkdtempSync(join(tmpdir(), 'leeward-accounts-'));
const database = await openDatabase(`sqlite:${join(folder, 'accounts.sqlite')}`, { migrations: [accountsMigrations] });
const accounts = createAccounts({
  store: createSqlStore(database),
  readOrganizationRules,
  catalog: new Set(base.carriers.map((carrier) => carrier.key)),
});
const { directory } = accounts;
const registry = createRegistry({ accounts, rules: createRulesPort(base) });
const administration = { ...accounts.administration, ...registry.administration };

/** Twenty appointments, some in some states only. */
async function createOrganization(number: number): Promise<string> {
  const { organization_id } = await administration.organizations.create.run(host, { name: `Agency ${number}` });
  const keys = new Set<string>();
  while (keys.size < APPOINTMENTS) keys.add(pick(random, base.carriers).key);
  await Promise.all(
    [...keys].map((carrier_key) => {
      const within = random() < 0.3 ? Array.from({ length: 5 }, () => pick(random, states)) : null;
      return administration.appointments.create.run(host, { organization_id, carrier_key, states: within });
    }),
  );
  return organization_id;
}
const organizations: string[] = [];
for (let number = 0; number < ORGANIZATIONS; number++) organizations.push(await createOrganization(number));

const viewOf = async (catalogs: OrganizationCatalogs, id: string): Promise<Decider> => {
  const view = await catalogs.catalogOf(id);
  if (view === undefined) throw new Error(`There is no organization ${id}.`);
  return view;
};

/** Median over rounds of one call, in µs. */
async function time(call: (index: number) => Promise<unknown>): Promise<number> {
  for (let index = 0; index < DECISIONS; index++) await call(index);
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.hrtime.bigint();
    for (let index = 0; index < DECISIONS; index++) await call(index);
    rounds.push(Number(process.hrtime.bigint() - start) / 1000 / DECISIONS);
  }
  return median(rounds);
}

const asked = properties.map(() => organizations[wholeNumber(random, 0, ORGANIZATIONS - 1)]!);

/** Memory of the views of these organizations, and the time of a decision with one of them. */
async function measure(name: string, ids: readonly string[]): Promise<number> {
  const among = new Set(ids);
  const before = heldBytes();
  const catalogs = createAccountCatalogs(base, directory);
  for (const id of ids) await (await viewOf(catalogs, id)).decide(properties[0]!);
  for (let index = 0; index < DECISIONS; index++) {
    const id = among.has(asked[index]!) ? asked[index]! : ids[index % ids.length]!;
    await (await viewOf(catalogs, id)).decide(properties[index]!);
  }
  row(`${name}: memory beside the catalog's`, (heldBytes() - before) / 1024, 'KiB');
  const pickOf = (index: number) => (among.has(asked[index]!) ? asked[index]! : ids[index % ids.length]!);
  const views = new Map<string, Decider>();
  for (const id of ids) views.set(id, await viewOf(catalogs, id));
  const judged = await time(async (index) => views.get(pickOf(index))!.decide(properties[index]!));
  row(`${name}: a decision`, judged, 'µs');
  row(
    `${name}: a decision with its stamp read from SQLite`,
    await time(async (index) => (await viewOf(catalogs, pickOf(index))).decide(properties[index]!)),
    'µs',
  );
  return judged;
}

row('everyone: a decision of 50 carriers', await time(async (index) => base.decide(properties[index]!)), 'µs');
const one = await measure('one organization', organizations.slice(0, 1));
const thousand = await measure('1,000 organizations', organizations);
const fresh = createAccountCatalogs(base, directory);
const starts: number[] = [];
for (const id of organizations) {
  const start = process.hrtime.bigint();
  await (await viewOf(fresh, id)).decide(properties[0]!);
  starts.push(Number(process.hrtime.bigint() - start) / 1000);
}
row('the first decision after a change', median(starts), 'µs');

report(
  {
    benchmark: `accounts: ${ORGANIZATIONS} organizations of ${APPOINTMENTS} appointments over ${base.carriers.length} carriers`,
    rows,
    ratios: { 'one organization ÷ a thousand: a decision': one / thousand },
  },
  process.argv.slice(2),
);
await database.close();
rmSync(folder, { recursive: true });
