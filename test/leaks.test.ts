import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type AnswerServer, startAnswerServer } from '@leeward/places/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DemoKeys } from './support/demo.ts';
import { send } from './support/example-host.ts';
import { killLeftovers, type LeewardProcess } from './support/leeward-process.ts';
import {
  carelessHeaders,
  carelessQuery,
  foundIn,
  type Planted,
  personalOf,
  plant,
  secretOf,
} from './support/planted.ts';
import { eventually, startQuoting } from './support/quoting-service.ts';
import { workspace } from './support/running-leeward.ts';

afterAll(killLeftovers);

// Every request plants unique values in its body, header fields, query and path. The end of the test searches for them.

interface Asked {
  readonly what: string;
  readonly status: number;
  /** Header fields and body. */
  readonly answer: string;
  /** Values that the answer to this request may repeat in a fault: a person in its body, never a token. */
  readonly ofBody: readonly string[];
  /** Values in header fields, the query or the path, and secrets: no output may contain them. */
  readonly around: readonly string[];
}

interface Question {
  readonly as?: string | undefined;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** The person in the body, or in values the answer must name: the media type. */
  readonly of?: Planted;
  /** Values planted around the body. */
  readonly around?: readonly string[];
}

const fixture = JSON.parse(readFileSync(join(workspace, 'fixtures/quotes/marion-fl-2004-ho3.json'), 'utf8')) as {
  fields: Record<string, unknown>;
};
const operatorToken = 'operator-of-the-leaking-demo-0123456789';
const fieldsKey = Buffer.alloc(32, 'leeward').toString('base64');
const underwrite = '/v1/underwrite/home';
const request = '/api/v1/quote/request';

let folder: string;
let geocoder: AnswerServer;
let service: LeewardProcess;
let keys: DemoKeys;
/** Offset of the log: a demo prints its keys on the first screen. */
let upAt = 0;
const asked: Asked[] = [];
/** Personal values sent to carriers. They are stored encrypted. */
const insuredPersonal: string[] = [];
const secrets = [operatorToken, fieldsKey];

async function ask(path: string, { as, method = 'POST', headers = {}, body, of, around = [] }: Question) {
  const careless = plant();
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const { status, ...received } = await send(`${keys.url}${path}${carelessQuery(careless)}`, {
    method,
    headers: {
      ...carelessHeaders(careless),
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(text === undefined ? {} : { body: text }),
  });
  asked.push({
    what: `${method} ${path}`,
    status,
    answer: `${JSON.stringify(received.headers)}\n${received.text}`,
    ofBody: of === undefined ? [] : personalOf(of),
    around: [
      ...personalOf(careless),
      ...[careless, ...(of ? [of] : [])].flatMap(({ token }) => secretOf(token)),
      ...around,
    ],
  });
  return { status, json: JSON.parse(received.text) as Record<string, string> };
}

async function refused(status: number, path: string, question: Question): Promise<void> {
  const { json, ...answer } = await ask(path, question);
  expect({ path, ...answer, code: json['code'] }).toEqual({ path, status, code: expect.any(String) });
}

function quoteOf({ first, last, email, born, phone, street, note, ssn }: Planted, more: object = {}) {
  const insured = { first_name: first, last_name: last, insured_email: email, insured_date_of_birth: born };
  const fields = { ...fixture.fields, ...insured, insured_phone: phone, street, note, ssn, ...more };
  return { ...fixture, assigned_producer_email: keys.producer_email, fields };
}

const producerOf = ({ last, email }: Planted) => {
  const { organization_id, team_id } = keys;
  return { organization_id, team_id, name: last, email };
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leeward-leaks-'));
  // Echoes its request: as a fault, as invalid JSON, or not at all.
  geocoder = await startAnswerServer(({ url, socket }, response) => {
    const turn = geocoder.requests.length;
    if (turn % 3 === 0) socket.destroy();
    else response.writeHead(turn % 3 === 1 ? 500 : 200, { 'content-type': 'application/json' }).end(`{"no": ${url}`);
  });
  service = await startQuoting(['serve', '--demo'], {
    LEEWARD_DATA_DIR: folder,
    LEEWARD_LOG_LEVEL: 'trace',
    LEEWARD_OPERATOR_TOKEN: operatorToken,
    LEEWARD_FIELDS_KEY: `k1:${fieldsKey}`,
    LEEWARD_GEOCODERS: 'photon',
    LEEWARD_PHOTON_URL: geocoder.baseUrl,
    LEEWARD_PHOTON_RATE: '0',
    LEEWARD_RATE_LIMIT: '0',
    LEEWARD_REQUEST_TIMEOUT_MS: '2000',
  });
  keys = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as DemoKeys;
  // Load lazy data before the requests: on a busy machine that takes longer than a request may.
  const warm = () =>
    fetch(`${keys.url}${underwrite}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'fl', lat: 25.79, lng: -80.13 }),
    });
  await vi.waitUntil(async () => (await warm()).ok, { timeout: 120_000 });
  upAt = service.output().length;
});
afterAll(async () => {
  service?.process.kill('SIGKILL');
  await geocoder?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('planted values', () => {
  it('go in with requests that are answered', async () => {
    const of = plant();
    const address = `1 ${of.street}, Miami Beach FL 33139`;
    const home = { state: 'fl', address, x_insured: of };
    expect((await ask(underwrite, { as: keys.api_key, of, body: home })).status).toBe(200);
    for (const place of [address, address, { line1: `8 ${of.street}`, city: 'Miami Beach', state: 'FL' }]) {
      const { status } = await ask('/v1/distance-to-coast', { as: keys.api_key, of, body: { address: place } });
      expect(status).toBe(200);
    }
    const items = [{ address: `${of.last} ${of.street}` }, { lat: of.email }, of];
    expect((await ask('/v1/distance-to-coast/batch', { as: keys.api_key, of, body: { items } })).status).toBe(200);

    const insured = plant();
    insuredPersonal.push(...personalOf(insured));
    const as = keys.team_token;
    const { status, json } = await ask(request, { as, of: insured, body: quoteOf(insured) });
    expect(status).toBe(200);
    const read = () => ask(`/api/v1/quote/${json['quote_request_id']}`, { as, body: { include_rates: true } });
    await eventually(
      async () => (await read()).json['status'] === 'complete',
      () => 'it is not complete',
      30_000,
    );

    const agent = plant();
    const made = await ask('/v1/admin/producers/create', { as: keys.admin_token, of: agent, body: producerOf(agent) });
    expect(made.status).toBe(200);
    const { organization_id, team_id } = keys;
    for (const more of [{}, { team_id }, { scopes: ['admin'] }]) {
      const body = { organization_id, name: agent.last, ...more };
      const { json } = await ask('/v1/admin/tokens/create', { as: operatorToken, of: agent, body });
      secrets.push(json['token']!);
      expect((await ask(underwrite, { as: json['token'], body: { state: 'fl' } })).status).toBeLessThan(404);
    }
  });

  it('go in with requests that are refused, each for another reason', async () => {
    const { api_key: as, team_token: team, admin_token: admin, organization_id } = keys;
    await refused(401, underwrite, { body: { state: 'fl' } });
    await refused(403, request, { as, body: {} });
    for (const token of [...secrets, as, team]) {
      const altered = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`;
      await refused(401, underwrite, { as: altered, body: {}, around: secretOf(altered) });
      for (const path of [`/${encodeURIComponent(token)}`, `${underwrite}/${encodeURIComponent(token)}`])
        await refused(404, path, { as, body: {} });
    }
    const of = plant();
    for (const value of [...personalOf(of), of.token]) {
      const path = encodeURIComponent(value);
      const around = value === of.token ? secretOf(value) : [value];
      for (const each of [`/people/${path}`, `${underwrite}/${path}`])
        await refused(404, each, { as, body: {}, around });
      for (const each of [`quote/${path}`, `rate/${path}/retry`])
        await refused(404, `/api/v1/${each}`, { as: team, body: {}, around });
      await refused(405, `${underwrite}/${path}`, { method: 'GET', as, around });
    }
    for (const value of [...personalOf(of), of.token]) {
      await refused(415, underwrite, { as, of, body: value, headers: { 'content-type': `text/x; of="${value}"` } });
      for (const broken of [`{"state": "${value}`, `{"${value}": 1,}`, `[${value}]`, `{'street': '${value}'}`])
        await refused(400, underwrite, { as, of, body: broken });
    }
    await refused(501, '/v1/underwrite/flood', { as, of, body: of });
    await refused(413, underwrite, { as, of, body: { state: 'fl', x_all: of, x_long: 'x'.repeat(300_000) } });
    for (const name of [
      'state',
      'policy_type',
      'dwelling_a',
      'year_built',
      'roof_age',
      'lat',
      'address',
      'as_of',
      'owner',
    ]) {
      for (const value of [[of.last], { [of.street]: of.born }])
        await refused(422, underwrite, { as, of, body: { state: 'fl', [name]: value, [of.first]: of.email } });
    }
    for (const body of [{ address: of.last }, { lat: of.phone, lng: of.born }, { address: { street: of.street } }, of])
      await refused(422, '/v1/distance-to-coast', { as, of, body });
    for (const body of [
      { ...quoteOf(of), carrier_keys: [of.last] },
      quoteOf(of, { insured_email: of.street, usage: of.note }),
    ])
      await refused(422, request, { as: team, of, body });
    const headers = { 'idempotency-key': of.email };
    const around = [of.email];
    expect((await ask(request, { as: team, of, body: quoteOf(of), headers, around })).status).toBe(200);
    await refused(409, request, { as: team, body: quoteOf(plant()), headers, around });
    const ruleSet = { format: 1, carrier: { key: of.email, name: of.last }, programs: [of.street], rules: of.phone };
    for (const body of [{ rule_set: ruleSet }, { rule_set: of.note }])
      await refused(422, '/v1/admin/carriers/create', { as: admin, of, body: { organization_id, ...body } });
    await refused(404, '/v1/admin/tokens/remove', { as: admin, of, body: { token_id: of.last } });
    await refused(403, '/v1/admin/organizations/create', { as: admin, of, body: { name: of.last } });
  });

  it('go in while the store is broken, and while somebody holds it', async () => {
    const store = new DatabaseSync(join(folder, 'leeward.sqlite'));
    const of = plant();
    const tables = ['quote_request', 'accounts_audit'];
    const isRefused = async (...statuses: number[]) => {
      for (const [path, as, body] of [
        [request, keys.team_token, quoteOf(of)],
        ['/v1/admin/producers/create', keys.admin_token, producerOf(of)],
      ] as const) {
        const { status } = await ask(path, { as, of, body, headers: { 'idempotency-key': of.email } });
        expect({ path, status: statuses.includes(status) || status }).toEqual({ path, status: true });
      }
    };
    try {
      for (const table of tables) store.exec(`alter table ${table} rename to ${table}_away`);
      await isRefused(500, 503);
      for (const table of tables) store.exec(`alter table ${table}_away rename to ${table}`);
      store.exec('begin exclusive');
      await isRefused(503);
      store.exec('rollback');
    } finally {
      store.close();
    }
  });

  it('are absent afterwards', async () => {
    const metrics = (
      await send(`${keys.url}/metrics`, { method: 'GET', headers: { authorization: `Bearer ${operatorToken}` } })
    ).text;
    const running = filesOf(folder);
    // As Ctrl+C does; other tests stop a service by SIGTERM.
    service.process.kill('SIGINT');
    expect((await service.ended).code).toBe(0);
    const log = service.output().slice(upAt);
    const files = [...running, ...filesOf(folder)].filter(([name]) => name !== 'demo.json');

    const secretParts = [keys.api_key, keys.team_token, keys.admin_token, ...secrets].flatMap(secretOf);
    const all = new Set([...asked.flatMap(({ ofBody, around }) => [...ofBody, ...around]), ...secretParts]);

    const found: Record<string, string[]> = { log: foundIn(log, all), metrics: foundIn(metrics, all) };
    const refusals = asked.filter(({ status }) => status >= 400);
    for (const [index, { what, status, answer, ofBody }] of refusals.entries()) {
      const own = new Set([400, 409, 415, 422].includes(status) ? ofBody : []);
      const where = `${index}: ${status} ${what}`;
      found[where] = foundIn(answer, all).filter((value) => !own.has(value));
      if (inside.test(answer)) found[where].push(answer);
    }
    for (const [name, text] of files) {
      // A store of accounts has the names and addresses of producers, so that not all may be looked for in it.
      found[name] = foundIn(text, name === 'sandbox-calls.ndjson' ? all : [...insuredPersonal, ...secretParts]);
    }
    expect(Object.entries(found).filter(([, values]) => values.length > 0)).toEqual([]);

    // There was something to look through, and the search finds what is there.
    expect(geocoder.requests.filter((each) => /wisteria/i.test(each)).length).toBeGreaterThan(3);
    expect(log.split('"msg":"request').length).toBeGreaterThan(asked.length);
    expect(log.includes('"level":"error"') && metrics.includes(`route="${request}"`)).toBe(true);
    expect(foundIn(readFileSync(join(folder, 'demo.json'), 'utf8'), secretParts).length).toBe(6);
    const names = new Set(files.map(([name]) => name));
    for (const name of ['leeward.sqlite', 'leeward.sqlite-wal', 'sandbox-calls.ndjson'])
      expect([...names]).toContain(name);
    expect(files.some(([, text]) => foundIn(text, [keys.organization_id]).length > 0)).toBe(true);
    expect([...new Set(refusals.map(({ status }) => status))].sort()).toEqual([
      400, 401, 403, 404, 405, 409, 413, 415, 422, 500, 501, 503,
    ]);
  });
});

/** Internal details: a stack, a file path, an SQL statement. */
const inside =
  /\\n\s+at |\bat [\w.]+ \(|node:|file:\/\/|node_modules|\/packages\/|\.ts:\d|sqlite|no such table|\b(select|insert|update|delete)\b[^"]*\b(from|into|set)\b/i;

function filesOf(path: string): (readonly [name: string, text: string])[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => [name, readFileSync(join(path, name), 'latin1')]);
}
