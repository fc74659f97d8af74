import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccounts, createMemoryStore } from '@leeward/accounts';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { type Database, openDatabase } from '@leeward/database';
import { createCatalog } from '@leeward/engine';
import { createKeyHolder, createLeeward, type Leeward, type LeewardOptions } from '@leeward/http';
import { administrationRoutes, createRulesPort, quoteOperatorRoutes } from '@leeward/http-admin';
import { createQuotes, createSandboxCarrier, type Quotes, quoteMigrations } from '@leeward/quotes';
import { createPQueueBackend } from '@leeward/quotes/queues/p-queue';
import { createRegistry, readOrganizationRules } from '@leeward/registry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkedLeeward } from './support/checked-leeward.ts';
import { workspace } from './support/running-leeward.ts';
import { cellsOfRow } from './support/test-volume.ts';

const read = (path: string) => JSON.parse(readFileSync(join(workspace, path), 'utf8')) as Record<string, unknown>;
const token = `lw_test_${'t'.repeat(26)}_${'k'.repeat(43)}`;
const operatorToken = `lw_test_${'o'.repeat(26)}_${'k'.repeat(43)}`;
const directory = createKeyHolder([
  { token, scopes: ['underwrite', 'distance', 'quote', 'admin'], organizationId: 'org_1', teamId: 'team_1' },
  { token: operatorToken, scopes: ['operator'] },
]);

type Part = 'underwriting' | 'distance' | 'quoting' | 'administration';
type Parts = Readonly<Record<Part, Omit<LeewardOptions, 'directory'>>>;
/** Paths of each part. All other paths are always served. */
const placesOf: Readonly<Record<Part, RegExp>> = {
  underwriting: /^\/v1\/(underwrite|rule-sets)\//,
  distance: /^\/v1\/distance-to-coast/,
  quoting: /^\/(api\/v1\/(quote|rate)|carrier\/v1\/callback|v1\/admin\/quote-(carriers|exchanges|rates))\//,
  administration: /^\/v1\/admin\/(?!quote-)/,
};
/** Tags of the part's operations in the document. */
const tagsOf = (part: Part) => (part === 'underwriting' ? [part, 'rules'] : [part]);
const names = Object.keys(placesOf) as Part[];
const selections = Array.from({ length: 2 ** names.length }, (_, bits) =>
  names.filter((_, index) => bits & (1 << index)),
);

let parts: Parts;
/** The paths of a service that mounts all parts. */
let everything: readonly string[];
let database: Database;
let quotes: Quotes;
beforeAll(async () => {
  const catalog = createCatalog([
    { file: read('examples/carriers/bluestem_mutual.json') },
    { file: read('examples/carriers/saltgrass_shore.json') },
  ]);
  database = await openDatabase('sqlite::memory:', { migrations: [quoteMigrations] });
  quotes = createQuotes({
    database,
    queue: createPQueueBackend(),
    carriers: [createSandboxCarrier({ key: 'sandbox', name: 'Sandbox', latencyMs: 1 })],
    teams: { hasProducer: async () => true, appointments: async () => [{ carrierKey: 'sandbox' }] },
  });
  const accounts = createAccounts({
    store: createMemoryStore(),
    readOrganizationRules,
    catalog: new Set(catalog.carriers.map(({ key }) => key)),
  });
  const registry = createRegistry({ accounts, rules: createRulesPort(catalog) });
  const operations = [...accounts.administration.operations, ...registry.administration.operations];
  parts = {
    underwriting: { underwriting: { catalog } },
    distance: { distance: { coast: loadCoastlineUs() } },
    quoting: { quoting: { quotes }, routes: [quoteOperatorRoutes({ quotes })] },
    administration: { routes: [administrationRoutes({ operations })] },
  };
  everything = pathsOf(mount(names));
});
afterAll(() => database.close());

function mount(selected: readonly Part[]): Leeward {
  const chosen = selected.map((name) => parts[name]);
  const routes = chosen.flatMap((each) => each.routes ?? []);
  return checkedLeeward(createLeeward({ directory, rateLimit: null, ...Object.assign({}, ...chosen), routes }));
}

async function ask(leeward: Leeward, path: string, body: unknown = {}, method = 'POST', as = token) {
  const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/json' };
  const text = method === 'POST' ? { body: JSON.stringify(body) } : {};
  const response = await leeward.fetch(new Request(`https://host.example${path}`, { method, headers, ...text }));
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const pathsOf = (leeward: Leeward) => Object.keys(leeward.document().paths ?? {});

describe.each(selections.map((selected, row) => [selected.join(' and ') || 'nothing', selected, row] as const))(
  'mounted: %s',
  (_, selected, row) => {
    it('serves and documents the mounted parts only', async () => {
      const leeward = mount(selected);
      const partOf = (path: string) => names.find((name) => placesOf[name].test(path));
      const isServed = (path: string) => partOf(path) === undefined || selected.includes(partOf(path)!);
      expect(pathsOf(leeward).sort()).toEqual(everything.filter(isServed).sort());
      expect(new Set(everything.map(partOf)).size).toBe(names.length + 1);
      const served = leeward.document().paths ?? {};
      const ofParts = everything.filter((each) => partOf(each) !== undefined);
      for (const path of cellsOfRow(ofParts, row, 3)) {
        const { status, body } = await ask(leeward, path.replaceAll(/\{\w+\}/g, 'one'));
        // A mounted route may not find `one`, but its detail differs.
        const isNowhere = status === 404 && String(body['detail']).startsWith('Nothing is served at this path');
        expect({ path, isNowhere }).toEqual({ path, isNowhere: !isServed(path) });
        const otherMethod = served[path]?.get === undefined ? 'GET' : 'POST';
        const other = await ask(leeward, path.replaceAll(/\{\w+\}/g, 'one'), {}, otherMethod);
        expect({ path, status: other.status }).toEqual({ path, status: isServed(path) ? 405 : 404 });
      }
    });

    it('has a consistent document, and a page of it', async () => {
      const leeward = mount(selected);
      const document = leeward.document() as unknown as {
        tags: { name: string }[];
        components: Record<string, Record<string, unknown>>;
      };
      expect(document.tags.map(({ name }) => name)).toEqual([...selected.flatMap(tagsOf), 'token', 'operation']);
      const text = JSON.stringify(document);
      const referred = new Set(
        [...text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)].map(([, kind, name]) => `${kind} ${name}`),
      );
      for (const each of referred) {
        const [kind = '', name = ''] = each.split(' ');
        expect({ each, is: document.components[kind]?.[name] !== undefined }).toEqual({ each, is: true });
      }
      const schemas = Object.keys(document.components['schemas'] ?? {}).filter(
        (name) => !referred.has(`schemas ${name}`),
      );
      expect(schemas).toEqual([]);
      const page = await leeward.fetch(new Request('https://host.example/docs'));
      const html = await page.text();
      const isThere = new Set(pathsOf(leeward));
      for (const path of everything)
        expect({ path, told: html.includes(path) }).toEqual({ path, told: isThere.has(path) });
    });
  },
);

describe('a part alone does its work', () => {
  const home = { state: 'fl', county: 'miami-dade', policy_type: 'ho3', roof_type: 'metal', roof_age: 3 };
  const onTheBeach = { ...home, lat: 25.7826, lng: -80.1341 };
  const statuses = ({ carriers, declined }: Record<string, unknown>) =>
    Object.fromEntries(
      [carriers, declined].flatMap((list) =>
        (list as { carrier_key: string; status: string }[]).map(({ carrier_key, status }) => [carrier_key, status]),
      ),
    );

  it('underwriting: fields that depend on distances stay open without them', async () => {
    const { status, body } = await ask(mount(['underwriting']), '/v1/underwrite/home', onTheBeach);
    expect(status).toBe(200);
    expect(statuses(body)).toEqual({ bluestem_mutual: 'eligible', saltgrass_shore: 'needs_information' });
  });

  it('underwriting with distance: it is decided', async () => {
    const { status, body } = await ask(mount(['underwriting', 'distance']), '/v1/underwrite/home', onTheBeach);
    expect(status).toBe(200);
    expect(statuses(body)).toEqual({ bluestem_mutual: 'eligible', saltgrass_shore: 'ineligible' });
  });

  it('underwriting with custom distances: the same, and the route is not mounted', async () => {
    const { catalog } = parts.underwriting.underwriting!;
    const { distance } = parts.distance;
    const underwriting = { catalog, ...(distance && { distance }) };
    const leeward = checkedLeeward(createLeeward({ directory, underwriting }));
    expect(statuses((await ask(leeward, '/v1/underwrite/home', onTheBeach)).body)['saltgrass_shore']).toBe(
      'ineligible',
    );
    expect((await ask(leeward, '/v1/distance-to-coast', { lat: 25.7826, lng: -80.1341 })).status).toBe(404);
  });

  it('distance', async () => {
    const { status, body } = await ask(mount(['distance']), '/v1/distance-to-coast', { lat: 25.7826, lng: -80.1341 });
    expect({ status, body }).toMatchObject({ status: 200, body: { compass_point: 'east' } });
  });

  it('quoting, which the host starts and stops', async () => {
    const leeward = mount(['quoting']);
    const request = { ...read('fixtures/quotes/marion-fl-2004-ho3.json'), assigned_producer_email: 'a@b.example' };
    await quotes.start();
    try {
      const created = await ask(leeward, '/api/v1/quote/request', request);
      expect(created).toMatchObject({ status: 200, body: { status: 'processing' } });
      const path = `/api/v1/quote/${created.body['quote_request_id']}`;
      let { body } = await ask(leeward, path);
      for (let tries = 0; tries < 200 && body['status'] !== 'complete'; tries++) {
        await sleep(50);
        ({ body } = await ask(leeward, path));
      }
      expect(body).toMatchObject({ status: 'complete', counts: { processing: 0, error: 0 } });
    } finally {
      await quotes.stop();
    }
  });

  it('administration', async () => {
    const path = '/v1/admin/organizations/create';
    const made = await ask(mount(['administration']), path, { name: 'Suncoast Agency' }, 'POST', operatorToken);
    expect(made).toMatchObject({ status: 200, body: { name: 'Suncoast Agency' } });
  });
});
