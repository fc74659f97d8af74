import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExampleHost, type Received, type Sent, send, startExamples } from './support/example-host.ts';
import { workspace } from './support/running-leeward.ts';
import { testVolume } from './support/test-volume.ts';

const key = `lw_test_01jd4v3x9m8k7h2q5t6w0y1z2a_${'k'.repeat(43)}`;
/** Those that are compared with the first, plain `node:http`. */
const others = ['express.ts', 'express-after-json.ts', 'fastify.ts', 'hono.ts', 'next/start.ts'];
const programs = ['node-http.ts', ...others];

const home = { state: 'fl', county: 'marion', policy_type: 'ho3', as_of: '2026-11-20T12:00:00Z' };
const inland = { ...home, roof_type: 'metal', roof_age: 8, lat: 29.19, lng: -82.13 };
const json = (body: unknown): Sent => ({ body: JSON.stringify(body) });
const underwrite = '/insurance/v1/underwrite/home';
const long = JSON.stringify({ ...home, x_note: 'x'.repeat(256 * 1024) });

interface Question extends Sent {
  readonly path?: string;
  readonly expect: readonly [status: number, code?: string];
}

/** Requests to every host, the expected status, and the code of a problem. */
const questions: Readonly<Record<string, Question>> = {
  'an eligible home': { ...json(inland), expect: [200] },
  'an ineligible home': { ...json({ ...inland, roof_age: 25, lat: 25.7826, lng: -80.1341 }), expect: [200] },
  'the distance to the coast': {
    path: '/insurance/v1/distance-to-coast',
    ...json({ lat: 25.7826, lng: -80.1341 }),
    expect: [200],
  },
  'what is in a query': { path: `${underwrite}?a=1`, ...json(home), expect: [200] },
  'text beyond ASCII': { ...json({ ...home, x_note: 'Ünïcödé 💧' }), expect: [200] },
  'a chunked body': { ...json(home), chunked: true, expect: [200] },
  'no token': { ...json(home), headers: { authorization: '' }, expect: [401, 'unauthenticated'] },
  'a broken body without a token': { body: '{', headers: { authorization: '' }, expect: [401, 'unauthenticated'] },
  'an unknown path': { path: '/insurance/v1/underwrite/boat', ...json(home), expect: [404, 'not_found'] },
  'an unknown organization': { path: `${underwrite}/nobody`, ...json(home), expect: [404, 'not_found'] },
  'another method': { method: 'GET', expect: [405, 'method_not_allowed'] },
  'a method that hosts seldom see': { method: 'PATCH', ...json(home), expect: [405, 'method_not_allowed'] },
  'a line that is not there yet': {
    path: '/insurance/v1/underwrite/flood',
    ...json({}),
    expect: [501, 'coming_soon'],
  },
  'a malformed body': { body: '{"state": "fl",', expect: [400, 'malformed_json'] },
  'no body': { expect: [400, 'malformed_json'] },
  'an empty body': { body: '', expect: [400, 'malformed_json'] },
  'a body of blanks': { body: '  ', expect: [400, 'malformed_json'] },
  'bytes that are no UTF-8': { body: Buffer.from('{"state": "f\xff"}', 'latin1'), expect: [400, 'malformed_json'] },
  'a key twice': { body: `{"state": "tx", ${JSON.stringify(home).slice(1)}`, expect: [200] },
  'a body of another type': { body: 'state=fl', headers: { 'content-type': 'text/plain' }, expect: [415] },
  'a compressed body': { ...json(home), headers: { 'content-encoding': 'gzip' }, expect: [415] },
  'a body over 256 KiB': { body: long, expect: [413, 'body_too_large'] },
  'a chunked body over 256 KiB': { body: long, chunked: true, expect: [413, 'body_too_large'] },
  'a misspelt field': { ...json({ ...home, rof_age: 4 }), expect: [422, 'invalid_request'] },
  'two faults': { ...json({ state: 'atlantis', roof_age: 4 }), expect: [422, 'invalid_request'] },
  'a list': { ...json([home]), expect: [422, 'invalid_request'] },
  'a bare text': { ...json('fl'), expect: [422, 'invalid_request'] },
  'a prototype': { body: '{"state": "fl", "__proto__": {"a": 1}}', expect: [422, 'invalid_request'] },
  'its health': { path: '/insurance/healthz', method: 'GET', expect: [200] },
  'its health, without a body': { path: '/insurance/healthz', method: 'HEAD', expect: [200] },
  'its document': { path: '/insurance/openapi.json', method: 'GET', expect: [200] },
  'its page': { path: '/insurance/docs', method: 'GET', expect: [200] },
};

async function ask(host: ExampleHost, { path = underwrite, expect: _, headers, ...sent }: Question): Promise<Received> {
  const usual = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-request-id': 'one-of-ours',
  };
  return send(`${host.url}${path}`, { ...sent, headers: { ...usual, ...headers } });
}

/** Keeps the parts that are equal for every host: not the time, connection, server header or ids. */
function comparable({ status, headers, text }: Received) {
  const own = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'x-powered-by']);
  const ours = Object.entries(headers).filter(([name]) => !own.has(name));
  const sameTurn = ours.map(([name, value]) => [
    name,
    name === 'ratelimit' ? String(value).replace(/\d+/g, '…') : value,
  ]);
  return { status, headers: Object.fromEntries(sameTurn), text: text.replace(/(?<="trace_id":")[^"]+/, '…') };
}

const hosts = new Map<string, ExampleHost>();
const expected = new Map<string, ReturnType<typeof comparable>>();
beforeAll(async () => {
  // One process loads shared modules once. The nightly run starts each in a separate process, as its reader does.
  const processes = testVolume(1) > 1 ? programs.map((program) => [program]) : [programs];
  for (const started of processes) {
    const running = await startExamples(started, key);
    for (const [index, program] of started.entries()) hosts.set(program, running[index]!);
  }
  const first = hosts.get(programs[0]!)!;
  for (const [name, question] of Object.entries(questions)) expected.set(name, comparable(await ask(first, question)));
}, 180_000);
afterAll(() => Promise.all([...hosts.values()].map((host) => host.stop())));

describe('an answer of the examples', () => {
  it.each(Object.entries(questions))('to %s has its status, and its code', (name, { expect: [status, code] }) => {
    const { headers, text, ...answer } = expected.get(name)!;
    expect({ ...answer, text }).toMatchObject({ status });
    expect(headers['x-request-id']).toBe('one-of-ours');
    if (code !== undefined) expect(JSON.parse(text)).toMatchObject({ status, code, request_id: 'one-of-ours' });
  });

  it('prints the decisions of two carriers on two homes', () => {
    const of = (name: string) => {
      const { carriers, declined } = JSON.parse(expected.get(name)!.text) as {
        carriers: { carrier_key: string; status: string }[];
        declined: { carrier_key: string; reasons: { code: string }[] }[];
      };
      return {
        eligible: carriers.map((verdict) => `${verdict.carrier_key} ${verdict.status}`),
        declined: declined.map((verdict) => `${verdict.carrier_key} ${verdict.reasons.map(({ code }) => code)}`),
      };
    };
    expect(of('an eligible home')).toEqual({
      eligible: ['bluestem_mutual eligible', 'saltgrass_shore eligible'],
      declined: [],
    });
    expect(of('an ineligible home')).toEqual({
      eligible: [],
      declined: ['bluestem_mutual roof_age', 'saltgrass_shore distance_to_coast'],
    });
    expect(JSON.parse(expected.get('its document')!.text)).toMatchObject({ servers: [{ url: '/insurance' }] });
  });
});

describe.each(others)('examples/%s', (program) => {
  it.each(Object.entries(questions))('answers %s as the first does', async (name, question) => {
    expect(comparable(await ask(hosts.get(program)!, question))).toEqual(expected.get(name));
  });
});

describe.each(programs)('examples/%s', (program) => {
  it('leaves other paths to the host', async () => {
    const { url } = hosts.get(program)!;
    expect(await send(`${url}/`, { method: 'GET' })).toMatchObject({
      status: 200,
      text: expect.stringMatching(/^A page of the host’s own\.\n?$/),
    });
    for (const path of ['/v1/underwrite/home', '/healthz', '/insurancev1/underwrite/home']) {
      const { status, headers } = await send(`${url}${path}`, { method: 'GET' });
      expect({ path, status, type: headers['content-type'] }).toMatchObject({
        status: 404,
        type: expect.toSatisfy((type) => type !== 'application/problem+json'),
      });
    }
  });

  it('shows metrics only with the operator’s token', async () => {
    const { url } = hosts.get(program)!;
    const metrics = (headers: Record<string, string> = {}) =>
      send(`${url}/insurance/metrics`, { method: 'GET', headers });
    expect((await metrics()).status).toBe(401);
    expect((await metrics({ 'x-forwarded-for': '127.0.0.1' })).status).toBe(401);
  });
});

it('every example is in the table of their page, and started here', () => {
  const page = readFileSync(join(workspace, 'examples/README.md'), 'utf8');
  const listed = [...page.matchAll(/^\| \[`([^`]+\.ts)`\]\(([^)]+)\) \|/gm)].map(([, name, target]) => {
    expect(target).toBe(name);
    return name;
  });
  expect(listed.sort()).toEqual([...programs].sort());
  const files = readdirSync(join(workspace, 'examples')).filter((name) => name.endsWith('.ts'));
  expect(files.filter((name) => name !== 'insurance.ts').sort()).toEqual(
    programs.filter((name) => !name.includes('/')).sort(),
  );
});
