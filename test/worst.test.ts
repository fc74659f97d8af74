import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createAccounts, createMemoryStore } from '@leeward/accounts';
import { checkHttpCarrier, createHttpCarrier } from '@leeward/carriers';
import { certificateRoutes, createCertificateKey, createKeySigner } from '@leeward/certificate';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { openDatabase } from '@leeward/database';
import { createCatalog } from '@leeward/engine';
import {
  createFairScheduler,
  createHomeVerdicts,
  createLeeward,
  type FairScheduler,
  type Leeward,
} from '@leeward/http';
import { createNodeServer } from '@leeward/http/node';
import {
  adminRoutes,
  createAccountCatalogs,
  createMetrics,
  createRulesPort,
  metricsRoutes,
  type SignInProvider,
  signInRoutes,
} from '@leeward/http-admin';
import { mcpRoutes, referenceResources } from '@leeward/mcp';
import { loadZipGazetteer } from '@leeward/places/zips';
import { type CarrierAdapter, createQuotes, createSandboxCarrier, quoteMigrations } from '@leeward/quotes';
import { createPQueueBackend } from '@leeward/quotes/queues/p-queue';
import { createRegistry, readOrganizationRules } from '@leeward/registry';
import { sharedWorkerPool } from '@leeward/worker-pool';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { exampleCarrier } from '../packages/extend/carriers/src/testing/example-carrier.ts';
import { badEndpointPaths } from './support/bad-endpoints.ts';
import type { Contract } from './support/contract-check.ts';
import { fixtureEntries } from './support/engine/fixture-catalog.ts';
import { hostileRuleSets } from './support/engine/hostile-rule-sets.ts';
import { type CostlyRequest, costlyRequests } from './support/fuzz/costly-requests.ts';
import { settleTenant } from './support/fuzz/fuzzed-tenants.ts';
import type { HeldBodies } from './support/hold-bodies.program.ts';
import { operatorToken } from './support/journey.ts';
import { processorMs } from './support/processor-time.ts';
import { workspace } from './support/running-leeward.ts';
import { testVolume } from './support/test-volume.ts';

/**
 * A short version of the worst-case program (`npm run bench -- worst`) in one process: one tenant sends the worst
 * requests while another underwrites. It counts work, which a busy machine hardly changes: event-loop passes until an
 * answer, and this thread's processor time between two passes.
 */
/** Sliced work takes 5 ms of a pass; the rest is the longest step, the start of a request, and garbage collection. */
const maxTurnMs = Number(process.env['LEEWARD_MAX_TURN_MS'] ?? 150);
/** A tenant with few requests gets an answer within two time slices, for any number of steps. */
const MAX_TURNS = 15;
/** Its rivals are a network, an organization and the operator, each with an even share. */
const MAX_TURNS_OF_CALLERS = 3 * MAX_TURNS;
/**
 * While connections arrive, the scheduler works in one event-loop pass of 17. An idle tenant may have saved four such passes; the
 * answer needs a fifth, and reading requests may take a whole sixth.
 */
const MAX_TURNS_GIVEN_WAY = 17 * (4 + 2);

interface Team {
  readonly id: string;
  readonly token: string;
  readonly quote: string;
}

interface Tenant {
  readonly organizationId: string;
  readonly keys: readonly string[];
  readonly teamKey: string;
  /** With the scope `admin`, where a phase needs one. */
  adminKey?: string;
}

/** A carrier that calls back, with a signature over all that it sends. */
function createCallbackCarrier(): CarrierAdapter {
  const secrets = () => 'a secret of the carrier';
  const signature = { header: 'X-Signature', secret: '$' + '{CARRIER_HOOK}' };
  const callback = {
    signature,
    id: { path: '/event' },
    reference: { path: '/rate' },
    response: { premium: '/premium' },
  };
  const file = {
    ...exampleCarrier('https://carrier.example'),
    idempotent: false,
    lookup: undefined,
    job: { callback },
  };
  const { carrier, faults } = checkHttpCarrier(file, { secrets });
  expect(faults).toEqual([]);
  return createHttpCarrier(carrier!, { secrets });
}

const catalog = createCatalog(fixtureEntries());
// As it is served: today's rules are there, and stay.
beforeAll(() => catalog.prepare(new Date().toISOString().slice(0, 10)));

/** A scheduler that counts the work that waits in it. */
function watchScheduler() {
  const scheduler = createFairScheduler({ maxDelayMs: null }, { nowMs: processorMs, afterTurn: setImmediate });
  let waiting = 0;
  const count = <Result>(entered: Result): Result => {
    if (entered instanceof Promise) {
      waiting++;
      const leave = () => void waiting--;
      entered.then(leave, leave);
    }
    return entered;
  };
  const watched: FairScheduler = {
    ...scheduler,
    enter: (tenant) => count(scheduler.enter(tenant)),
    workOf(tenant, endOf) {
      const piece = scheduler.workOf(tenant, endOf);
      return { ...piece, rest: () => count(piece.rest()), resume: () => count(piece.resume()) };
    },
  };
  return { scheduler: watched, waiting: () => waiting };
}

/** A provider that answers at once, and knows one person. */
const nearProvider: SignInProvider = {
  name: 'near',
  authorizationUrl: async ({ state }) => ({
    url: `https://login.example/?state=${state}`,
    issuer: 'https://login.example',
  }),
  exchange: async () => ({
    issuer: 'https://login.example',
    subject: 'ana',
    verifiedEmail: undefined,
    hasUnverifiedEmail: false,
    name: undefined,
  }),
};

async function startService() {
  const { scheduler, waiting } = watchScheduler();
  const database = await openDatabase('sqlite::memory:', { migrations: [quoteMigrations] });
  onTestFinished(() => database.close());
  const accounts = createAccounts({
    store: createMemoryStore(),
    readOrganizationRules,
    catalog: new Set(catalog.carriers.map(({ key }) => key)),
    operatorToken,
  });
  const registry = createRegistry({ accounts, rules: createRulesPort(catalog) });
  const quotes = createQuotes({
    database,
    queue: createPQueueBackend(),
    carriers: [createSandboxCarrier({ key: 'sandbox', name: 'Sandbox', latencyMs: 1 }), createCallbackCarrier()],
    allowPrivateWebhooks: true,
    homeVerdicts: createHomeVerdicts({ rulesOf: async () => catalog, rulesStampOf: async () => 'fixtures' }),
    teams: { hasProducer: async () => true, appointments: async () => [{ carrierKey: 'sandbox' }] },
  });
  await quotes.start();
  onTestFinished(() => quotes.stop({ graceMs: 100 }));
  const file = { contentType: 'text/html', bytes: Buffer.alloc(1_000_000, '.'), version: 'v1' };
  const coast = loadCoastlineUs();
  const underwriting = { catalog, organizations: createAccountCatalogs(catalog, accounts.directory) };
  const certificates = certificateRoutes({
    signer: createKeySigner([createCertificateKey()]),
    underwriting,
    distance: { coast },
    map: { coastOf: () => coast, gazetteer: await loadZipGazetteer() },
  });
  const leeward: Leeward = createLeeward({
    directory: accounts.directory,
    scheduler,
    rateLimit: null,
    itemLimit: null,
    requestTimeoutMs: null,
    underwriting,
    distance: { coast },
    quoting: {
      quotes,
      eventStreams: { maxPerTeam: 20, maxPerOrganization: 150 },
    },
    workbench: { file: async (name) => (name === 'none.js' ? undefined : file) },
    announcedLines: ['condo', 'flood'],
    routes: [
      ...adminRoutes({ accounts, registry, quotes }),
      certificates,
      signInRoutes({ accounts, provider: nearProvider, redirectUris: ['https://leeward.palmetto-coast.example/'] }),
      metricsRoutes(createMetrics()),
      mcpRoutes({ service: () => leeward, resources: referenceResources(), onError: () => {} }),
    ],
  });
  const create = async (what: string, body: object) => {
    const answer = await ask(leeward, `/v1/admin/${what}/create`, operatorToken, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body as Record<string, string>;
  };
  const createTenant = async (name: string): Promise<Tenant> => {
    const { organization_id = '' } = await create('organizations', { name });
    const { team_id } = await create('teams', { organization_id, name });
    for (const carrier_key of ['bayou_mutual', 'sawpalm_home'])
      await create('appointments', { organization_id, carrier_key });
    const keys: string[] = [];
    for (let count = 0; count < 10; count++) keys.push((await create('tokens', { organization_id }))['token'] ?? '');
    const { token: teamKey = '' } = await create('tokens', { organization_id, team_id });
    return { organizationId: organization_id, keys, teamKey };
  };
  /** Further teams of an organization, each with a quote. */
  const createTeams = async ({ organizationId: organization_id }: Tenant, count: number): Promise<Team[]> => {
    const teams: Team[] = [];
    for (let index = 0; index < count; index++) {
      const { team_id: id = '' } = await create('teams', { organization_id, name: `Team ${index}` });
      const { token = '' } = await create('tokens', { organization_id, team_id: id });
      const quoted = await ask(leeward, '/api/v1/quote/request', token, JSON.parse(ordinaryQuote) as object);
      expect(quoted.status, JSON.stringify(quoted.body)).toBe(200);
      teams.push({ id, token, quote: (quoted.body as { quote_request_id: string }).quote_request_id });
    }
    return teams;
  };
  const greedy = await createTenant('Greedy');
  const modest = await createTenant('Modest');
  return {
    ...{ leeward, waiting, create, createTenant, createTeams, greedy, modest },
    ...{ others: [] as Tenant[], teams: [] as Team[], webhooks: [] as string[] },
  };
}

/** @param body of a POST; undefined for a GET */
function send(
  leeward: Leeward,
  path: string,
  token: string | undefined,
  body: string | undefined,
  signal?: AbortSignal,
): Promise<Response> {
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const sent = body === undefined ? { method: 'GET' } : { method: 'POST', body };
  const init = { ...sent, headers, ...(signal ? { signal } : {}) };
  return leeward.fetch(new Request(`https://host.example${path}`, init));
}

async function ask(leeward: Leeward, path: string, token: string, body: object) {
  const response = await send(leeward, path, token, JSON.stringify(body));
  return { status: response.status, body: (await response.json()) as unknown };
}

/** Counts passes of the event loop and measures the longest. */
function watchLoop() {
  const seen = { turns: 0, longestMs: 0, isOver: false };
  let last = processorMs();
  const turn = () => {
    const now = processorMs();
    seen.turns++;
    seen.longestMs = Math.max(seen.longestMs, now - last);
    last = now;
    if (!seen.isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return seen;
}

type Service = Awaited<ReturnType<typeof startService>>;
interface Worst {
  prepare?(service: Service): Promise<void>;
  /**
   * The path, token and body of his next request, without a body for a GET. The measurement excludes his own
   * reads and writes.
   */
  next(service: Service, count: number): readonly [path: string, token: string | undefined, body: string | undefined];
  /** Each is answered, and nothing else is. */
  readonly statuses: readonly number[];
  /** Requests of his at once; default 8. */
  readonly atOnce?: number;
  /** Turns that an answer may wait for; default those of one tenant against another. */
  readonly turns?: number;
}

const homeOf = (count: number) =>
  JSON.stringify({
    state: 'fl',
    county: 'marion',
    effective_date: `${2026 + (count % 40)}-06-15`,
    dwelling_a: 100_000 + count,
  });
const quote = JSON.parse(readFileSync(join(workspace, 'fixtures/quotes/marion-fl-2004-ho3.json'), 'utf8')) as {
  fields: object;
};
const ordinaryQuote = JSON.stringify({ ...quote, assigned_producer_email: 'pat@palmetto.example' });
/** Each takes seconds to review. */
const proposals = [1, 2, 3, 4].map((seed) =>
  JSON.stringify({ rule_set: hostileRuleSets.naive({ carrierKey: 'heavy_x', seed }) }),
);

/** In a thread, so that their computation does not count as passes of the service. */
async function startBadEndpoints(): Promise<number> {
  const endpoints = new Worker(new URL('./support/bad-endpoints.program.ts', import.meta.url));
  onTestFinished(async () => {
    await endpoints.terminate();
  });
  const [port] = (await once(endpoints, 'message')) as [number];
  return port;
}

const pages = ['/', '/docs', '/openapi.json', '/lines.json', '/problems', '/schemas/rule-set-1.json'];

const worst: Readonly<Record<string, Worst>> = {
  'hostile rule sets': {
    async prepare({ create, greedy: { organizationId: organization_id } }) {
      for (const name of ['naive', 'limits', 'longLists'] as const)
        await create('carriers', {
          organization_id,
          rule_set: hostileRuleSets[name]({ carrierKey: `hostile_${name.toLowerCase()}` }),
        });
    },
    next: ({ greedy }, count) => [`/v1/underwrite/home/${greedy.organizationId}`, greedy.keys[0]!, homeOf(count)],
    statuses: [200],
  },
  'many tokens': {
    next: ({ greedy }, count) => ['/v1/underwrite/home', greedy.keys[count % greedy.keys.length]!, homeOf(count)],
    statuses: [200],
  },
  'many views': {
    async prepare({ createTenant, others }) {
      for (let count = 0; count < 16; count++) others.push(await createTenant(`Agency ${count}`));
    },
    next({ others }, count) {
      const { organizationId, keys } = others[count % others.length]!;
      return [`/v1/underwrite/home/${organizationId}`, keys[0]!, homeOf(count)];
    },
    statuses: [200],
    // Many tenants exceed the common limit, yet each gets its quota.
    atOnce: 16,
    turns: 40,
  },
  'proposals of rule sets': {
    async prepare({ create, greedy }) {
      const { organizationId: organization_id } = greedy;
      greedy.adminKey = (await create('tokens', { organization_id, scopes: ['admin'] }))['token'] ?? '';
    },
    next({ greedy }, count) {
      const ruleSet = proposals[count % proposals.length]!.replace('heavy_x', `heavy_${count}`);
      return ['/v1/admin/rule-sets/propose', greedy.adminKey, ruleSet];
    },
    // One is reviewed, three wait, and the others are refused.
    statuses: [200, 429],
    atOnce: 10,
  },
  'event streams': {
    async prepare(service) {
      service.teams.push(...(await service.createTeams(service.greedy, 10)));
    },
    // More than the tenant's share: 50 of the 200 are refused and retried.
    next({ teams }, count) {
      const { token, quote: id } = teams[count % teams.length]!;
      return [`/api/v1/quote/${id}/events`, token, undefined];
    },
    statuses: [200, 429],
    atOnce: 200,
  },
  'bad webhooks': {
    async prepare(service) {
      const { create, createTeams, greedy, teams, webhooks } = service;
      const { organizationId: organization_id } = greedy;
      greedy.adminKey = (await create('tokens', { organization_id, scopes: ['admin'] }))['token'] ?? '';
      const port = await startBadEndpoints();
      teams.push(...(await createTeams(greedy, 4)));
      for (const path of badEndpointPaths) {
        for (const { id: team_id } of teams) {
          const { webhook_id = '' } = await create('webhooks', { team_id, url: `http://127.0.0.1:${port}/${path}` });
          webhooks.push(webhook_id);
        }
      }
    },
    // A test of an endpoint lasts as long as the endpoint does.
    next({ teams, webhooks, greedy }, count) {
      if (count % 2 === 0) return ['/api/v1/quote/request', teams[(count / 2) % teams.length]!.token, ordinaryQuote];
      const webhook_id = webhooks[((count - 1) / 2) % webhooks.length];
      return ['/v1/admin/webhooks/test', greedy.adminKey, JSON.stringify({ webhook_id })];
    },
    statuses: [200],
    atOnce: 16,
  },
};

it.each(Object.entries(worst))(
  '%s delay another tenant by a few short time slices',
  async (name, { prepare, next, statuses, atOnce = 8, turns = MAX_TURNS }) => {
    const service = await startService();
    const { leeward, modest } = service;
    await prepare?.(service);
    const underwrite = () =>
      ask(leeward, `/v1/underwrite/home/${modest.organizationId}`, modest.keys[0]!, {
        state: 'tx',
        county: 'harris',
        policy_type: 'ho3',
      });
    // Load and compile everything once first.
    expect((await underwrite()).status).toBe(200);
    const stop = new AbortController();
    let asked = 0;
    const answered: number[] = [];
    const attack = Array.from({ length: atOnce }, async () => {
      while (!stop.signal.aborted) {
        const response = await send(leeward, ...next(service, asked++), stop.signal);
        // A stream breaks when its caller leaves.
        await response.arrayBuffer().catch((error: unknown) => stop.signal.aborted || Promise.reject(error));
        if (!stop.signal.aborted) answered.push(response.status);
        // The next request of a connection comes in a later turn, also after an answer that took none.
        await new Promise(setImmediate);
      }
    });
    const loop = watchLoop();
    const waits: number[] = [];
    // Until the attack is answered as well: its rule sets are then checked on a thread and compiled here.
    while (waits.length < testVolume(12) || answered.length === 0) {
      const before = loop.turns;
      expect((await underwrite()).status).toBe(200);
      waits.push(loop.turns - before);
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    }
    stop.abort();
    // Abandoned work has stopped.
    const before = loop.turns;
    await Promise.all(attack);
    expect(loop.turns - before).toBeLessThan(turns);
    loop.isOver = true;
    expect(answered.filter((each) => !statuses.includes(each))).toEqual([]);
    waits.sort((a, b) => a - b);
    if (process.env['LEEWARD_MAX_TURN_MS']) console.log(name, { asked, waits: waits.slice(-5), ...loop });
    expect(waits.at(-1), `${waits}`).toBeLessThanOrEqual(turns);
    expect(loop.longestMs).toBeLessThan(maxTurnMs);
  },
  120_000,
);

/** Operations of the document of `leeward serve`, from its generated client. */
function servedOperations(): string[] {
  const client = readFileSync(join(workspace, 'packages/core/http/src/client/paths.generated.ts'), 'utf8');
  const [, operations = ''] = client.split('export interface operations {');
  return [...operations.matchAll(/^ {4}(\w+): \{$/gm)].map(([, id = '']) => id).sort();
}

/** Operations whose requests are all refused here: what they name, such as a pending rate, a saved decision or a session, does not exist. */
const neverAccepted: readonly string[] = [
  ...['requote', 'retryRate', 'readRateDocument', 'receiveCarrierCallback', 'getWatchedHome', 'removeWatchedHome'],
  ...['pauseQuoteCarrier', 'resumeQuoteCarrier', 'listTroubledRates', 'listCarrierExchanges', 'adminSavedDecisionsGet'],
  ...['renewSignIn', 'endSignIn'],
  ...['adminRuleSetsGet', 'adminRuleSetsApprove', 'adminRuleSetsRollback', 'adminRuleSetsWithdraw'],
  ...[
    'adminMoratoriaApprove',
    'adminMoratoriaWithdraw',
    'adminHazardEventsGet',
    'adminUsersUpdate',
    'adminUsersRemove',
  ],
];

it('the most expensive requests of every operation delay another tenant by a few short time slices, and end with their caller', async () => {
  const { leeward, create, modest, waiting } = await startService();
  const fetch = (input: string | URL | Request, init?: RequestInit) => leeward.fetch(new Request(input, init));
  const settled = await settleTenant('https://host.example', 'costly', fetch);
  const endpoint = { team_id: settled.team_id, url: 'https://crm.invalid/leeward' };
  const { webhook_id = '' } = await create('webhooks', endpoint);
  const { organization_id } = settled;
  await create('users', {
    organization_id,
    issuer: 'https://login.example',
    subject: 'ana',
    roles: [{ role: 'viewer' }],
  });
  const tenant = { ...settled, things: { ...settled.things, webhook_id: [webhook_id] } };
  const contract = leeward.document() as unknown as Contract;
  const underwrite = () =>
    ask(leeward, `/v1/underwrite/home/${modest.organizationId}`, modest.keys[0]!, { state: 'tx', county: 'harris' });
  await underwrite();
  // Pages and views of rules are made once, for all callers that wait for them.
  for (const page of [...pages, '/problems/not_found', '/schemas/fields-1.json'])
    await send(leeward, page, undefined, undefined);
  await ask(leeward, `/v1/underwrite/home/${tenant.organization_id}`, tenant.tokens.key, { state: 'fl' });
  const accepted = new Set<string>();
  const slow: string[] = [];
  const attack = async ({ operationId, method, path, headers, body }: CostlyRequest, signal: AbortSignal) => {
    const request = new Request(`https://host.example${path}`, {
      method,
      headers,
      signal,
      ...(body !== undefined && { body }),
    });
    const response = await leeward.fetch(request);
    if (response.status === 200 || response.status === 501) accepted.add(operationId);
    expect(response.status, `${operationId}: ${body?.slice(0, 300)}`).not.toBe(500);
    if (operationId === 'followQuote') await response.body?.cancel();
    else await response.arrayBuffer().catch(() => {});
  };
  const requests = costlyRequests({ contract, tenant, operatorToken });
  for (const [operationId, all] of requests) {
    const stop = new AbortController();
    const loop = watchLoop();
    let next = 0;
    const work = async () => {
      while (next < all.length && !stop.signal.aborted) {
        await attack(all[next++]!, stop.signal);
        await new Promise(setImmediate);
      }
    };
    const working = Promise.all(Array.from({ length: 6 }, work));
    const waits: number[] = [];
    const isMissing = () => !accepted.has(operationId) && !neverAccepted.includes(operationId);
    while ((next < all.length && waits.length < testVolume(10)) || (isMissing() && waits.length < 2_000)) {
      const before = loop.turns;
      expect((await underwrite()).status).toBe(200);
      waits.push(loop.turns - before);
      await new Promise(setImmediate);
    }
    stop.abort();
    const before = loop.turns;
    await working;
    const ending = loop.turns - before;
    for (let turn = 0; turn < MAX_TURNS && waiting() > 0; turn++) await new Promise(setImmediate);
    loop.isOver = true;
    const longestWait = Math.max(...waits);
    if (process.env['LEEWARD_MAX_TURN_MS']) console.log(operationId, { longestWait, ending, ...loop });
    if (longestWait > MAX_TURNS_OF_CALLERS || loop.longestMs > maxTurnMs || ending > MAX_TURNS || waiting() > 0)
      slow.push(`${operationId}: ${JSON.stringify({ longestWait, ending, waiting: waiting(), ...loop })}`);
  }
  expect(slow).toEqual([]);
  expect([...requests.keys()].filter((id) => id !== 'pages').sort()).toEqual(servedOperations());
  expect([...requests.keys()].filter((id) => !accepted.has(id) && !neverAccepted.includes(id))).toEqual([]);
  await expect.poll(() => sharedWorkerPool().stats).toMatchObject({ running: 0, waiting: 0 });
}, 120_000);

it('a thousand bodies that never arrive delay no other request for connections or a place', async () => {
  const connections = 1_050;
  const { leeward, greedy, modest } = await startService();
  const server = createNodeServer(leeward);
  server.listen(0, '127.0.0.1', 4_096);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const holder = new Worker(new URL('./support/hold-bodies.program.ts', import.meta.url), {
    workerData: { port, tokens: greedy.keys, connections } satisfies HeldBodies,
  });
  const refused: string[] = [];
  holder.on('message', (text: string) => refused.push(text));
  onTestFinished(async () => {
    await holder.terminate();
    agent.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const underwrite = async (): Promise<number> => {
    const path = `/v1/underwrite/home/${modest.organizationId}`;
    const headers = { authorization: `Bearer ${modest.keys[0]}`, 'content-type': 'application/json' };
    const asked = request({ port, host: '127.0.0.1', agent, method: 'POST', path, headers });
    asked.end(JSON.stringify({ state: 'tx', county: 'harris', policy_type: 'ho3' }));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return answer.statusCode ?? 0;
  };
  expect(await underwrite()).toBe(200);
  const loop = watchLoop();
  const waits: number[] = [];
  const held = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  // While they come, and when all are there.
  while (waits.length < 25 || (await held()) <= connections) {
    const before = loop.turns;
    expect(await underwrite()).toBe(200);
    waits.push(loop.turns - before);
  }
  loop.isOver = true;
  expect(refused).toEqual([]);
  waits.sort((a, b) => a - b);
  if (process.env['LEEWARD_MAX_TURN_MS']) console.log('slow bodies', { waits: waits.slice(-5), ...loop });
  expect(waits.at(-1), `${waits}`).toBeLessThanOrEqual(MAX_TURNS_GIVEN_WAY);
  expect(loop.longestMs).toBeLessThan(maxTurnMs);
});
