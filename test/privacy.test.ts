import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { killLeftovers, type LeewardProcess } from './support/leeward-process.ts';
import { startQuoting } from './support/quoting-service.ts';
import { workspace } from './support/running-leeward.ts';

afterAll(killLeftovers);

/** An invented person with values that are unique in a service's output. */
const person = {
  first_name: 'Zephyrine',
  last_name: 'Quillfeather',
  insured_email: 'zephyrine@quillfeather.example',
  insured_date_of_birth: '1961-07-23',
  insured_phone: '352-555-0177',
  house_number: '48213',
  street: 'Marrowbone Causeway',
};
const producer = { email: 'osgood@tarrant.example', name: 'Osgood Tarrant' };
const address = '48213 Marrowbone Causeway, Ocala FL 34471';
const personal = [
  /zephyrine/i,
  /quillfeather/i,
  /1961-07-23/,
  /352\D{0,3}555\D{0,3}0177/,
  /48213/,
  /marrowbone/i,
  /osgood/i,
  /tarrant/i,
];

const secret = (name: string) => `${name}-${randomBytes(16).toString('hex')}`;
const operatorToken = secret('operator');
const carrierToken = secret('carrier');
const fieldsKey = randomBytes(32).toString('base64');
const folder = mkdtempSync(join(tmpdir(), 'leeward-privacy-'));
const record = join(folder, 'record.json');

/** A carrier that repeats its request and fails. */
let carrier: Server;
let service: LeewardProcess;
let url = '';
/** Tokens made on the way; their last part is the secret. */
const tokens: string[] = [];
const refusals: { readonly path: string; readonly status: number; readonly text: string }[] = [];

async function send(path: string, init: RequestInit): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}${path}`, init);
  const answer = { status: response.status, text: `${JSON.stringify([...response.headers])}${await response.text()}` };
  if (answer.status >= 400) refusals.push({ path, ...answer });
  return answer;
}

function post(path: string, body: unknown, token = operatorToken, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return send(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: text,
  });
}

async function made(path: string, body: object): Promise<Record<string, string>> {
  const { status, text } = await post(path, body);
  expect([path, status, text]).toEqual([path, 200, text]);
  return JSON.parse(text.slice(text.indexOf(']]') + 2)) as Record<string, string>;
}

beforeAll(async () => {
  let calls = 0;
  carrier = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const fails = calls++ % 2 === 0;
    response.writeHead(fails ? 500 : 422, { 'content-type': 'application/json' });
    response.end(fails ? `{"error": ${body}` : JSON.stringify({ error: `refused: ${body}`, headers: request.headers }));
  });
  await new Promise<void>((resolve) => carrier.listen(0, '127.0.0.1', resolve));
  const carrierUrl = `http://127.0.0.1:${(carrier.address() as AddressInfo).port}`;
  const carriers = join(folder, 'carriers');
  for (const key of ['bayou_mutual', 'sawpalm_home']) {
    cpSync(join(workspace, 'fixtures/carriers', key), join(carriers, key), { recursive: true });
  }
  mkdirSync(join(carriers, 'telltale_mutual'), { recursive: true });
  const ruleSet = JSON.parse(readFileSync(join(carriers, 'sawpalm_home/rule-set.json'), 'utf8')) as { carrier: object };
  ruleSet.carrier = { key: 'telltale_mutual', name: 'Telltale Mutual' };
  writeFileSync(join(carriers, 'telltale_mutual/rule-set.json'), JSON.stringify(ruleSet));
  const insured = Object.fromEntries(Object.keys(person).map((key) => [key, `{{fields.${key}}}`]));
  writeFileSync(
    join(carriers, 'telltale_mutual/http-carrier.json'),
    JSON.stringify({
      format: 1,
      carrier: { key: 'telltale_mutual', name: 'Telltale Mutual' },
      offers: [{ form_types: ['ho3'], states: ['fl'] }],
      idempotent: true,
      auth: { type: 'bearer', token: '$' + '{CARRIER_TOKEN}' },
      request: { method: 'POST', url: `${carrierUrl}/quotes?who={{fields.last_name}}`, body: insured },
      response: { outcome: { path: '/decision', values: { approved: 'quoted' } }, premium: '/premium' },
      limits: { max_attempts: 2, backoff_ms: [1, 5] },
    }),
  );
  service = await startQuoting(['serve', '--carriers', carriers], {
    LEEWARD_DATA_DIR: join(folder, 'data'),
    LEEWARD_OPERATOR_TOKEN: operatorToken,
    LEEWARD_FIELDS_KEY: `k1:${fieldsKey}`,
    LEEWARD_LOG_LEVEL: 'trace',
    CARRIER_TOKEN: carrierToken,
    LEEWARD_TEST_RECORD: record,
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${pathToFileURL(join(workspace, 'packages/core/http/src/test-programs/record-process.program.ts'))}`,
  });
  url = /http:\/\/\S+/.exec(service.output())?.[0] ?? '';
});

afterAll(() => {
  service?.process.kill('SIGKILL');
  carrier?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('keeps personal data and secrets out of log, metrics, traces and problems, and calls only configured hosts', async () => {
  const { organization_id } = await made('/v1/admin/organizations/create', { name: 'Tarrant & Daughters' });
  const { team_id } = await made('/v1/admin/teams/create', { organization_id, name: 'Personal lines' });
  await made('/v1/admin/producers/create', { organization_id, team_id, ...producer });
  for (const carrier_key of ['bayou_mutual', 'sawpalm_home', 'telltale_mutual']) {
    await made('/v1/admin/appointments/create', { organization_id, carrier_key });
  }
  const scopes = { organization: {}, team: { team_id }, admin: { scopes: ['admin'] } };
  const [key = '', team = '', admin = ''] = await Promise.all(
    Object.values(scopes).map(async (scope) => {
      const { token = '' } = await made('/v1/admin/tokens/create', { organization_id, name: producer.name, ...scope });
      tokens.push(token);
      return token;
    }),
  );
  // Twice the same person, another's team, and what no store takes.
  await post('/v1/admin/producers/create', { organization_id, team_id, ...producer });
  await post('/v1/admin/producers/create', { team_id: 'nobodys', ...producer }, admin);
  await post('/v1/admin/producers/create', { team_id, email: `${producer.email}\0`, name: producer.name }, admin);
  await post('/v1/admin/tokens/rotate', { token_id: key }, admin);

  const fixture = JSON.parse(readFileSync(join(workspace, 'fixtures/quotes/marion-fl-2004-ho3.json'), 'utf8')) as {
    fields: object;
  };
  const quote = {
    ...fixture,
    assigned_producer_email: producer.email,
    form_types: ['ho3'],
    fields: { ...fixture.fields, ...person },
  };
  const created = await post('/api/v1/quote/request', quote, team, { 'idempotency-key': person.insured_email });
  expect(created.status).toBe(200);
  const { quote_request_id: id } = JSON.parse(created.text.slice(created.text.indexOf(']]') + 2)) as {
    quote_request_id: string;
  };
  await expect
    .poll(async () => (await post(`/api/v1/quote/${id}`, { include_rates: true }, team)).text, { timeout: 30_000 })
    .toContain('"status":"complete"');
  await post('/api/v1/quote/request', { ...quote, form_types: ['ho5'] }, team, {
    'idempotency-key': person.insured_email,
  });
  for (const [name, value] of Object.entries(person)) {
    await post('/api/v1/quote/request', { ...quote, fields: { ...quote.fields, [name]: [value] } }, team);
    await post('/api/v1/quote/request', { ...quote, fields: { ...quote.fields, [name]: `${value}\u0000` } }, team);
    await post(`/api/v1/quote/${encodeURIComponent(value)}`, {}, team);
    await post(`/${encodeURIComponent(value)}?token=${team}`, {}, team);
    await post('/api/v1/quote/request', `{"fields": {"${name}": "${value}", `, team);
    await post('/api/v1/quote/request', `"${value}`, team);
    await send(`/v1/underwrite/home?name=${encodeURIComponent(value)}`, { method: 'PUT', body: value });
  }
  await post('/api/v1/quote/request', { ...quote, assigned_producer_email: `x.${producer.email}` }, team);
  await post('/api/v1/quote/request', { ...quote, assigned_producer_email: person.last_name }, team);
  await post('/api/v1/quote/request', quote, team, { 'idempotency-key': `${person.insured_email}${'x'.repeat(300)}` });

  await post('/v1/underwrite/home', { state: 'fl', address, x_insured: person }, key);
  await post('/v1/underwrite/home', { state: 'fl', address: { line1: address } }, key);
  await post(`/v1/underwrite/home/${encodeURIComponent(person.insured_email)}`, { state: 'fl' }, key);
  const certified = { state: 'fl', address, x_insured: person };
  await post(
    '/v1/certificate',
    { home: certified, prepared_for: person.last_name, reference: person.insured_phone },
    key,
  );
  await post(
    '/v1/certificate',
    { home: { ...certified, county: 'marion' }, format: 'page', include_letters: true },
    key,
  );
  await post(`/v1/certificate/${encodeURIComponent(person.insured_email)}`, { home: certified }, key);
  await post('/v1/distance-to-coast', { address }, key);
  await post('/v1/distance-to-coast', { address: `${person.house_number} ${person.street}, Nowhere ZZ 00000` }, key);
  await post('/v1/distance-to-coast', { address: { line1: address, zipcode: 'none' } }, key);
  await post('/v1/distance-to-coast', { address, lat: 29.2, lng: -82.1 }, key);
  await post('/v1/distance-to-coast/batch', { items: [{ address }, { address: person.insured_phone }, person] }, key);

  for (const token of [...tokens, operatorToken]) {
    const wrong = { state: 'fl' };
    await post('/v1/underwrite/home', wrong, `${token}x`);
    await post('/v1/underwrite/home', wrong, `x${token}`);
    await send('/v1/underwrite/home', { method: 'POST', headers: { authorization: token } });
    await send('/v1/underwrite/home', { method: 'POST', headers: { authorization: `Basic ${token}` } });
    await send(`/v1/underwrite/home?api_key=${token}`, { method: 'POST' });
    await send(`/${token}`, { method: 'POST', headers: { cookie: `token=${token}` } });
    await post('/v1/underwrite/home', { state: 'fl', ...(token.startsWith('lw_') && { [token]: token }), token }, key);
    // The caller's own id is given back, and logged, unless it looks like a token.
    await send('/healthz', { headers: { 'x-request-id': token.startsWith('lw_') ? token : 'sane' } });
  }

  const metrics = (await send('/metrics', { headers: { authorization: `Bearer ${operatorToken}` } })).text;
  expect(metrics).toContain('leeward_http_requests_in_flight');
  const { code, output: log } = await service.stop();
  expect(code).toBe(0);
  const { spans, connections } = JSON.parse(readFileSync(record, 'utf8')) as { spans: object[]; connections: string[] };

  // Make sure there is something to scan: every request left its log line and spans.
  expect(log.split('\n').length).toBeGreaterThan(80);
  expect(refusals.length).toBeGreaterThan(80);
  const names = JSON.stringify(spans);
  for (const name of ['carrier.quote', 'queue.deliver', 'quotes.create', 'directory.authenticate', 'geocoder.geocode'])
    expect(names).toContain(`"${name}"`);
  expect(log).toContain('telltale_mutual');

  const secrets = [operatorToken, carrierToken, fieldsKey, ...tokens.map((token) => token.split('_').at(-1)!)];
  const scanned = {
    log,
    metrics,
    spans: names,
    ...Object.fromEntries(refusals.map(({ path, status, text }, index) => [`${index}: ${status} ${path}`, text])),
  };
  const found: string[] = [];
  for (const [where, text] of Object.entries(scanned)) {
    for (const pattern of personal) {
      const match = pattern.exec(text);
      if (match) found.push(`${where}: …${text.slice(Math.max(0, match.index - 60), match.index + 60)}…`);
    }
    for (const each of secrets) if (text.includes(each)) found.push(`${where}: a secret`);
    // Neither install paths nor internals may appear.
    if (where !== 'log' && /node_modules|\/packages\/|SQLITE|\bselect \b.*\bfrom\b|\n\s+at /i.test(text)) {
      found.push(`${where}: ${text.slice(0, 300)}`);
    }
  }
  expect(found).toEqual([]);
  const { host } = new URL(`http://127.0.0.1:${(carrier.address() as AddressInfo).port}`);
  expect(new Set(connections)).toEqual(new Set([host]));
});
