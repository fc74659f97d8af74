import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runLeewardHere } from './support/leeward-here.ts';
import { type RunningLeeward, workspace } from './support/running-leeward.ts';
import { smallCoastline } from './support/small-coastline.ts';
import { cellsOfRow } from './support/test-volume.ts';

const operatorToken = `operator of the whole instance ${'0123456789'.repeat(2)}`;
const EXPIRES_MS = 2_000;

interface Document {
  readonly paths: Record<
    string,
    { readonly post?: { readonly security?: readonly object[]; readonly responses: object } }
  >;
}
interface Problem {
  readonly status: number;
  readonly code: string;
  readonly request_id: string;
  readonly errors?: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}
interface Reply {
  readonly status: number;
  readonly body: Problem & Record<string, unknown>;
  readonly headers: Headers;
}
interface Ask {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly at?: string;
  readonly method?: string;
}

let folder: string;
let service: RunningLeeward;
let url: string;
/** Every secret ever returned, and every other answer. */
const secrets = new Set<string>([operatorToken]);
const answers: string[] = [];

const startService = async (environment: Record<string, string> = {}) => {
  const started = runLeewardHere(['serve', '--carriers', join(workspace, 'fixtures/carriers')], {
    environment: {
      PORT: '0',
      LEEWARD_DATA_DIR: folder,
      LEEWARD_OPERATOR_TOKEN: operatorToken,
      LEEWARD_RATE_LIMIT: '0',
      LEEWARD_ADDRESS_RATE_LIMIT: '0',
      LEEWARD_CAPTURE: '1',
      // Mounts the operations of sign-in.
      LEEWARD_OIDC_ISSUER: 'http://127.0.0.1:9',
      LEEWARD_OIDC_CLIENT_ID: 'leeward',
      ...smallCoastline,
      ...environment,
    },
  });
  await started.says('Leeward is up');
  return { leeward: started, url: /http:\/\/\S+/.exec(started.output())![0] };
};

async function readMetrics(): Promise<string> {
  return (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${operatorToken}` } })).text();
}

async function ask(
  path: string,
  token: string | undefined,
  { body = {}, headers, at = url, method = 'POST' }: Ask = {},
) {
  const response = await fetch(`${at}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed = JSON.parse(text) as Reply['body'];
  if (typeof parsed['token'] === 'string') secrets.add(parsed['token'].split('_')[3]!);
  else answers.push(text, JSON.stringify([...response.headers]));
  return { status: response.status, body: parsed, headers: response.headers } satisfies Reply;
}

async function made(path: string, token: string, body: object, at?: string): Promise<Record<string, string>> {
  const reply = await ask(`/v1/admin/${path}`, token, { body, ...(at !== undefined && { at }) });
  expect({ path, ...reply }).toMatchObject({ status: 200 });
  return reply.body as unknown as Record<string, string>;
}

/** One organization with everything that an identifier can name. */
async function settle(name: string, carrierKey: string) {
  const { organization_id } = await made('organizations/create', operatorToken, { name });
  const within = { organization_id };
  const mint = (body: object) => made('tokens/create', operatorToken, { ...within, ...body });
  const [appointment, carrier, override, team] = [
    await made('appointments/create', operatorToken, { ...within, carrier_key: 'bayou_mutual' }),
    await made('carriers/create', operatorToken, { ...within, rule_set: ruleSet(carrierKey) }),
    await made('overrides/create', operatorToken, {
      ...within,
      carrier_key: 'bayou_mutual',
      exclude: { states: ['la'] },
    }),
    await made('teams/create', operatorToken, { ...within, name: 'Personal lines' }),
  ];
  const producer = await made('producers/create', operatorToken, {
    ...within,
    team_id: team['team_id'],
    email: `pat@${name}.example`,
  });
  const user = await made('users/create', operatorToken, {
    ...within,
    email: `kim@${name}.example`,
    roles: [{ role: 'administrator' }],
  });
  const admin = await mint({ scopes: ['underwrite', 'admin'] });
  const draft = { ...within, rule_set: ruleSet(`${carrierKey}_draft`) };
  const kept = await made('rule-sets/push', operatorToken, draft);
  const endpoint = { team_id: team['team_id'], url: 'https://crm.invalid/leeward' };
  const webhook = await made('webhooks/create', operatorToken, endpoint);
  return {
    organization_id: organization_id!,
    team_id: team['team_id']!,
    producer_id: producer['producer_id']!,
    user_id: user['user_id']!,
    appointment_id: appointment['appointment_id']!,
    carrier_id: carrier['carrier_id']!,
    override_id: override['override_id']!,
    token_id: (await mint({}))['token_id']!,
    rule_set_id: kept['rule_set_id']!,
    webhook_id: webhook['webhook_id']!,
    decision_id: await savedDecision(organization_id!, admin['token']!),
    admin: admin['token']!,
    mint,
  };
}

/** A decision of an organization that is saved, as all are here. */
async function savedDecision(organizationId: string, token: string): Promise<string> {
  expect(await ask('/v1/underwrite/home', token, { body: home })).toMatchObject({ status: 200 });
  const body = { organization_id: organizationId };
  for (let time = 0; time < 100; time++) {
    const { items } = (await ask('/v1/admin/saved-decisions/list', operatorToken, { body })).body;
    const [saved] = items as { decision_id: string }[];
    if (saved) return saved.decision_id;
    await sleep(100);
  }
  throw new Error('The decision was not saved within ten seconds.');
}

function ruleSet(key: string, condition: object = { fact: 'total_claims', operator: 'greaterThan', value: 2 }) {
  const rules = [{ id: 'claims', outcome: 'decline', code: 'claims', when: { all: [condition] }, message: 'Claims.' }];
  return {
    format: 1,
    carrier: { key, name: 'A carrier of our own' },
    line: 'home',
    version: '1',
    effective: { from: '2026-01-01', until: null },
    programs: [{ id: 'all', policy_types: ['ho3'], states: ['fl'], rules }],
  };
}

let ours: Awaited<ReturnType<typeof settle>>;
let theirs: Awaited<ReturnType<typeof settle>>;
let guardedPaths: string[];
const tokens: Record<string, string> = {};
const home = { state: 'fl', county: 'broward', policy_type: 'ho3' };
/** Pausing a carrier affects every team, so only the operator may do it. Unlike webhooks, it has no revision. */
const ofOperators = '/v1/admin/quote-';
const scopeOf = (path: string): readonly string[] => {
  if (path.startsWith(ofOperators)) return ['operator'];
  if (path.startsWith('/v1/admin/')) return ['admin', 'operator'];
  // The session of any person.
  if (path.startsWith('/v1/sign-in/')) return ['underwrite', 'quote', 'distance', 'rules', 'admin', 'operator'];
  if (path === '/mcp') return ['underwrite', 'distance', 'rules', 'admin', 'operator'];
  if (path.startsWith('/v1/distance-to-coast')) return ['distance'];
  if (path.startsWith('/v1/rule-sets/')) return ['rules'];
  return path.startsWith('/api/v1/') ? ['quote'] : ['underwrite'];
};
const bodyOf = (path: string) => {
  if (path.startsWith('/v1/certificate/')) return { home };
  return path.startsWith('/v1/underwrite/') ? home : {};
};
const filled = (path: string, id: string) => path.replaceAll(/\{[^}]+\}/g, encodeURIComponent(id));
const told = ({ status, body }: Reply) => {
  const { request_id: _, ...rest } = body;
  return { ...rest, status };
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leeward-matrix-'));
  const started = await startService();
  service = started.leeward;
  url = started.url;
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  guardedPaths = Object.entries(document.paths)
    .filter(([, { post }]) => post?.security?.length)
    .map(([path]) => path);
  ours = await settle('ours', 'our_carrier');
  theirs = await settle('theirs', 'their_carrier');

  const expiring = await ours.mint({
    scopes: ['underwrite', 'quote', 'distance', 'rules', 'admin'],
    expires_at: new Date(Date.now() + EXPIRES_MS).toISOString(),
  });
  const expired = new Promise((resolve) => setTimeout(resolve, EXPIRES_MS));
  const all = await ours.mint({ scopes: ['underwrite', 'quote', 'distance', 'rules', 'admin'] });
  const revoked = await ours.mint({ scopes: ['underwrite', 'quote', 'distance', 'rules', 'admin'] });
  await made('tokens/remove', operatorToken, { token_id: revoked['token_id'] });
  const replaced = await ours.mint({ scopes: ['underwrite', 'quote', 'distance', 'rules', 'admin'] });
  await made('tokens/rotate', operatorToken, { token_id: replaced['token_id'], overlap_seconds: 0 });
  // Another environment on the same database, as after copying it.
  const staging = await startService({ LEEWARD_ENVIRONMENT: 'staging' });
  const elsewhere = await made(
    'tokens/create',
    operatorToken,
    { organization_id: ours.organization_id, scopes: ['underwrite', 'quote', 'distance', 'rules', 'admin'] },
    staging.url,
  );
  expect((await ask('/v1/admin/teams/list', elsewhere['token'], { at: staging.url })).status).toBe(200);
  expect((await ask('/v1/admin/teams/list', all['token'], { at: staging.url })).status).toBe(401);
  await staging.leeward.stop();

  const good = all['token']!;
  const [lw, environment, id, secret] = good.split('_') as [string, string, string, string];
  const swap = (text: string, place: number) =>
    text.slice(0, place) + (text[place] === 'a' ? 'b' : 'a') + text.slice(place + 1);
  Object.assign(tokens, {
    good,
    'malformed: words': 'open sesame',
    'malformed: its parts in another order': [lw, id, environment, secret].join('_'),
    'malformed: SQL': "' OR '1'='1",
    'malformed: long': 'x'.repeat(1000),
    unknown: [lw, environment, '0'.repeat(26), secret].join('_'),
    truncated: good.slice(0, -1),
    'truncated to what may be shown': [lw, environment, id].join('_'),
    lengthened: `${good}0`,
    'altered in the secret': swap(good, good.length - 20),
    'altered in the last digit': swap(good, good.length - 1),
    'altered in the id': [lw, environment, swap(id, 25), secret].join('_'),
    'of other capitals': good.toUpperCase(),
    'with the secret of another': [lw, environment, id, theirs.admin.split('_')[3]].join('_'),
    expired: expiring['token'],
    revoked: revoked['token'],
    'rotated, its time over': replaced['token'],
    'of another environment': elsewhere['token'],
    'of another environment, renamed': elsewhere['token']!.replace('staging', 'live'),
    'of the operator, cut short': operatorToken.slice(0, -1),
  });
  await expired;
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('every guarded route', () => {
  it('is in the document, each group of them', () => {
    expect(guardedPaths.length).toBeGreaterThanOrEqual(35);
    for (const path of ['/v1/underwrite/home', '/v1/underwrite/flood/{organization_id}', '/v1/admin/tokens/rotate']) {
      expect(guardedPaths).toContain(path);
    }
  });

  it('rejects every invalid token with the same answer', async () => {
    const headers = [
      '',
      'Bearer',
      'Bearer ',
      'Basic b3VyczpvdXJz',
      tokens['good']!,
      `Bearer ${'x'.repeat(4000)}`,
    ] as const;
    const bad = Object.entries(tokens).filter(([kind]) => kind !== 'good');
    const wrong: object[] = [];
    for (const [row, path] of guardedPaths.entries()) {
      const at = filled(path, ours.organization_id);
      const without = await ask(at, undefined);
      expect({ path, ...without }).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      expect(without.headers.get('www-authenticate')).toBe('Bearer');
      const wanted = JSON.stringify(told(without));
      for (const authorization of cellsOfRow(headers, row, 3)) {
        const found = told(await ask(at, undefined, { headers: { authorization } }));
        if (JSON.stringify(found) !== wanted) wrong.push({ path, authorization, found, wanted });
      }
      let first: string | undefined;
      for (const [kind, token] of cellsOfRow(bad, row, 5)) {
        const reply = await ask(at, token);
        const found = JSON.stringify(told(reply));
        first ??= found;
        const isRefused = reply.status === 401 && reply.body.code === 'unauthenticated';
        if (!isRefused || reply.headers.get('www-authenticate') !== 'Bearer' || found !== first)
          wrong.push({ path, kind, found, first });
      }
    }
    expect(wrong).toEqual([]);
  });

  it('accepts only the scope it requires', async () => {
    const { team_id } = ours;
    const single: Record<string, string> = { operator: operatorToken };
    for (const scope of ['underwrite', 'quote', 'distance', 'rules', 'admin']) {
      // Only a team quotes.
      single[scope] = (await ours.mint({ scopes: [scope], ...(scope === 'quote' && { team_id }) }))['token']!;
    }
    const scopes = Object.keys(single);
    const wrong: object[] = [];
    for (const [row, path] of guardedPaths.entries()) {
      const at = filled(path, ours.organization_id);
      const own = scopeOf(path);
      const others = cellsOfRow(
        scopes.filter((scope) => !own.includes(scope)),
        row,
        2,
      );
      for (const scope of [...own, ...others]) {
        // A body that fits nothing: nothing is changed where the scope is good.
        const { status, body } = await ask(at, single[scope], { body: '[]' });
        const isGood = own.includes(scope)
          ? body.code !== undefined && !['forbidden', 'unauthenticated'].includes(body.code)
          : status === 403 && body.code === 'forbidden';
        if (!isGood) wrong.push({ path, scope, status, code: body.code });
      }
    }
    expect(wrong).toEqual([]);
  });

  it('takes an identifier left empty for none: what is answered is one’s own, and a token is never more than was meant', async () => {
    const before = await everythingOf(theirs.organization_id);
    for (const kind of ['teams', 'producers', 'appointments', 'carriers', 'overrides', 'tokens']) {
      const list = async (body: object) => {
        const { items } = (await ask(`/v1/admin/${kind}/list`, ours.admin, { body })).body;
        return (items as { organization_id: string }[]).map((each) => [each.organization_id, Object.values(each)[0]]);
      };
      const own = await list({});
      expect(new Set(own.map(([organization]) => organization))).toEqual(new Set([ours.organization_id]));
      for (const empty of ['', ' ']) expect(await list({ organization_id: empty })).toEqual(own);
    }
    const team = await made('teams/create', ours.admin, { organization_id: ' ', name: 'Of nobody else' });
    expect(team).toMatchObject({ organization_id: ours.organization_id });
    await made('teams/remove', ours.admin, { team_id: team['team_id'] });
    const { producer_id, team_id } = ours;
    const { revision } = await made('producers/update', ours.admin, { producer_id, revision: 1, team_id: ' ' });
    const [producer] = (await ask('/v1/admin/producers/list', ours.admin)).body['items'] as object[];
    expect(producer).toMatchObject({ producer_id, team_id, revision });
    for (const empty of ['', ' ']) {
      const body = { scopes: ['underwrite'], team_id: empty };
      expect(await ask('/v1/admin/tokens/create', ours.admin, { body })).toMatchObject({
        status: 422,
        body: { errors: [{ path: '/team_id', code: 'empty_text' }] },
      });
    }
    expect(await everythingOf(theirs.organization_id)).toEqual(before);
  });

  it('returns the same 404 for foreign, unknown and malformed identifiers', async () => {
    const unknown = '01jd4v3x9m8k7h2q5t6w0y1z2a';
    /** An id of another team, an unused one, and a sample of the malformed ones, different in each row. */
    const idsOf = (foreign: string, row: number) => [foreign, unknown, ...cellsOfRow(malformed(foreign), row, 4)];
    const malformed = (foreign: string) => [
      foreign.toUpperCase(),
      `${foreign}0`,
      ' ',
      'null',
      '..',
      '__proto__',
      "1' OR '1'='1",
      '\u0000',
      '💧',
      'x'.repeat(200),
    ];
    // Identifiers in the path.
    for (const [row, path] of guardedPaths.filter((each) => each.includes('{organization_id}')).entries()) {
      const replies = [];
      for (const id of idsOf(theirs.organization_id, row)) {
        // A path segment of dots is taken away before it is sent.
        if (id !== '..') replies.push(await ask(filled(path, id), tokens['good'], { body: bodyOf(path) }));
      }
      for (const reply of replies) expect({ path, ...told(reply) }).toEqual({ path, ...told(replies[0]!) });
      expect(replies[0]).toMatchObject({ status: 404, body: { code: 'not_found' } });
      const own = await ask(filled(path, ours.organization_id), tokens['good'], { body: bodyOf(path) });
      expect({ path, status: own.status }).toEqual({ path, status: /\/home\/|\/certificate\//.test(path) ? 200 : 501 });
    }
    const quoting = (await ours.mint({ team_id: ours.team_id }))['token'];
    const listed = [];
    for (const team_id of idsOf(theirs.team_id, 0).filter((each) => each.trim() !== '')) {
      for (const token of [quoting, tokens['good']]) {
        listed.push(told(await ask('/api/v1/quote/list', token, { body: { team_id } })));
      }
    }
    for (const reply of listed) expect(reply).toEqual(listed[0]);
    expect(listed[0]).toMatchObject({ status: 404, code: 'not_found' });
    for (const token of [quoting, tokens['good']]) {
      const reply = await ask('/api/v1/quote/list', token, { body: { team_id: ours.team_id } });
      expect(reply).toMatchObject({ status: 200, body: { quotes: [], next: null } });
    }
    const theirToken = (await theirs.mint({ team_id: theirs.team_id }))['token'];
    const watched = { reference: 'theirs', home: { state: 'fl' } };
    const { body: home } = await ask('/api/v1/watched-homes/create', theirToken, { body: watched });
    const foreign = String(home['watched_home_id']);
    for (const action of ['get', 'remove']) {
      const path = `/api/v1/watched-homes/${action}`;
      const replies = [];
      for (const id of idsOf(foreign, 0))
        replies.push(told(await ask(path, quoting, { body: { watched_home_id: id } })));
      for (const reply of replies) expect({ path, ...reply }).toEqual({ path, ...replies[0] });
      expect(replies[0]).toMatchObject({ status: 404, code: 'not_found' });
      const named = { body: { watched_home_id: foreign } };
      expect((await ask(path, theirToken, named)).status).toBe(200);
    }
    const byDecision = [];
    for (const decision_id of idsOf(theirs.decision_id, 0)) {
      byDecision.push(
        told(await ask('/api/v1/watched-homes/create', quoting, { body: { reference: 'x', decision_id } })),
      );
    }
    for (const reply of byDecision) expect(reply).toEqual(byDecision[0]);
    expect(byDecision[0]).toMatchObject({ status: 422, code: 'invalid_request' });
    const ofOurs = { body: { reference: 'x', decision_id: ours.decision_id } };
    expect((await ask('/api/v1/watched-homes/create', quoting, ofOurs)).status).toBe(200);
    const others = guardedPaths.filter((each) => each.includes('{') && !each.includes('{organization_id}'));
    for (const [row, path] of others.entries()) {
      const replies = [];
      for (const id of idsOf(theirs.team_id, row)) if (id !== '..') replies.push(await ask(filled(path, id), quoting));
      for (const reply of replies) expect({ path, ...told(reply) }).toEqual({ path, ...told(replies[0]!) });
      expect({ path, ...replies[0] }).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    // Identifiers in the body. The rest of the body is valid.
    const changes: readonly (readonly [string, object, readonly (keyof typeof theirs)[]])[] = [
      ['organizations/update', { revision: 1, name: 'Taken' }, ['organization_id']],
      ['teams/list', {}, ['organization_id']],
      ['teams/create', { name: 'Ours now' }, ['organization_id']],
      ['teams/update', { revision: 1, name: 'Taken' }, ['team_id']],
      ['teams/remove', {}, ['team_id']],
      ['producers/list', {}, ['organization_id']],
      ['producers/create', { team_id: ours.team_id, email: 'a@b.example' }, ['organization_id', 'team_id']],
      ['producers/update', { revision: 1, name: 'Taken' }, ['producer_id']],
      ['producers/update', { producer_id: ours.producer_id, revision: 1 }, ['team_id']],
      ['producers/remove', {}, ['producer_id']],
      ['users/list', {}, ['organization_id']],
      ['users/create', { email: 'a@b.example', roles: [{ role: 'administrator' }] }, ['organization_id']],
      ['users/update', { revision: 1, name: 'Taken' }, ['user_id']],
      ['users/remove', {}, ['user_id']],
      ['appointments/list', {}, ['organization_id']],
      ['appointments/create', { carrier_key: 'bayou_mutual' }, ['organization_id']],
      ['appointments/update', { revision: 1, states: ['fl'] }, ['appointment_id']],
      ['appointments/remove', {}, ['appointment_id']],
      ['carriers/list', {}, ['organization_id']],
      ['carriers/create', { rule_set: ruleSet('taken') }, ['organization_id']],
      ['carriers/update', { revision: 1, rule_set: ruleSet('their_carrier') }, ['carrier_id']],
      ['carriers/remove', {}, ['carrier_id']],
      ['overrides/list', {}, ['organization_id']],
      ['overrides/create', { carrier_key: 'sawpalm_home', exclude: { states: ['fl'] } }, ['organization_id']],
      ['overrides/update', { revision: 1, exclude: { states: ['fl'] } }, ['override_id']],
      ['overrides/remove', {}, ['override_id']],
      ['tokens/list', {}, ['organization_id']],
      ['tokens/create', { scopes: ['underwrite'] }, ['organization_id', 'team_id']],
      ['tokens/update', { revision: 1, name: 'Taken' }, ['token_id']],
      ['tokens/rotate', {}, ['token_id']],
      ['tokens/remove', {}, ['token_id']],
      ['audit/list', {}, ['organization_id']],
      ['audit/heads', {}, ['organization_id']],
      ['rule-sets/status', {}, ['organization_id']],
      ['rule-sets/list', {}, ['organization_id']],
      ['rule-sets/get', {}, ['rule_set_id']],
      ['rule-sets/push', { rule_set: ruleSet('taken') }, ['organization_id']],
      ['rule-sets/propose', { rule_set: ruleSet('taken') }, ['organization_id']],
      ['rule-sets/propose', {}, ['rule_set_id']],
      ['rule-sets/approve', { revision: 1 }, ['rule_set_id']],
      ['rule-sets/withdraw', {}, ['rule_set_id']],
      ['rule-sets/rollback', { carrier_key: 'their_carrier_draft' }, ['organization_id']],
      ['rule-sets/replay', { rule_set: ruleSet('taken') }, ['organization_id']],
      ['rule-sets/replay', {}, ['rule_set_id']],
      ['webhooks/list', {}, ['team_id']],
      ['webhooks/create', { url: 'https://example.com/hook' }, ['team_id']],
      ['webhooks/remove', {}, ['webhook_id']],
      ['webhooks/rotate', {}, ['webhook_id']],
      ['webhooks/enable', {}, ['webhook_id']],
      ['webhooks/test', {}, ['webhook_id']],
      ['webhooks/replay', { since: '2026-01-01T00:00:00Z' }, ['webhook_id']],
      ['saved-decisions/list', {}, ['organization_id']],
      ['saved-decisions/get', {}, ['decision_id']],
    ];
    const before = await everythingOf(theirs.organization_id);
    let wanted: object | undefined;
    const wrong: object[] = [];
    for (const [row, [name, rest, fields]] of changes.entries()) {
      for (const field of fields) {
        for (const id of idsOf(theirs[field] as string, row)) {
          if (id === ' ' && mayBeLeftOut(name, field)) continue;
          const found = told(await ask(`/v1/admin/${name}`, ours.admin, { body: { ...rest, [field]: id } }));
          wanted ??= found;
          if (JSON.stringify(found) !== JSON.stringify(wanted)) wrong.push({ name, field, id, found });
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(wanted).toMatchObject({ status: 404, code: 'not_found' });
    // Every administration route but those that are the operator's was among them.
    const stop = { id: 'storm', from: '2026-11-20T12:00:00Z', message: 'A storm.' };
    const moratorium = (path: string) =>
      path.endsWith('/list') ? {} : path.endsWith('/propose') ? { moratorium: stop } : { moratorium_id: unknown };
    const event = { id: 'storm', kind: 'hurricane', states: ['fl'], from: '2026-11-20T12:00:00Z' };
    const eventRequest = (path: string) =>
      path.endsWith('/list') ? {} : path.endsWith('/post') ? { event } : { event_id: 'storm' };
    const tried = new Set(changes.map(([name]) => `/v1/admin/${name}`));
    const operators = ['organizations/create', 'organizations/list', 'organizations/remove'];
    for (const path of guardedPaths.filter((each) => each.startsWith('/v1/admin/'))) {
      if (path.startsWith('/v1/admin/moratoria/')) {
        expect((await ask(path, ours.admin, { body: moratorium(path) })).status).toBe(403);
        continue;
      }
      if (path.startsWith('/v1/admin/hazard-events/')) {
        expect((await ask(path, ours.admin, { body: eventRequest(path) })).status).toBe(403);
        continue;
      }
      if (path.startsWith(ofOperators) || operators.some((name) => path.endsWith(name))) continue;
      expect([...tried]).toContain(path);
    }
    for (const [name, body] of [
      ['organizations/create', { name: 'One more' }],
      ['organizations/remove', { organization_id: ours.organization_id }],
    ] as const) {
      expect((await ask(`/v1/admin/${name}`, ours.admin, { body })).status).toBe(403);
    }
    expect(
      (await ask('/v1/admin/organizations/remove', ours.admin, { body: { organization_id: theirs.organization_id } }))
        .status,
    ).toBe(404);
    const own = (await ask('/v1/admin/organizations/list', ours.admin)).body['items'] as { organization_id: string }[];
    expect(own.map((each) => each.organization_id)).toEqual([ours.organization_id]);
    // A filter by another's thing finds nothing, as by an unknown one.
    for (const id of [theirs.team_id, unknown, 'nobody']) {
      const reply = await ask('/v1/admin/producers/list', ours.admin, { body: { team_id: id } });
      expect(reply).toMatchObject({ status: 200, body: { items: [], next: null } });
    }
    expect(await everythingOf(theirs.organization_id)).toEqual(before);
  });
});

/** Returns true if an empty text means that the field is absent. */
function mayBeLeftOut(name: string, field: string): boolean {
  if (field === 'organization_id') return name !== 'organizations/update';
  if (field === 'rule_set_id') return name === 'rule-sets/propose' || name === 'rule-sets/replay';
  return field === 'team_id' && (name === 'producers/update' || name === 'tokens/create');
}

async function everythingOf(organization_id: string) {
  const kinds = [
    'organizations',
    'teams',
    'producers',
    'appointments',
    'carriers',
    'overrides',
    'tokens',
    'audit',
    'rule-sets',
  ];
  return Promise.all(
    kinds.map(async (kind) => (await ask(`/v1/admin/${kind}/list`, operatorToken, { body: { organization_id } })).body),
  );
}

describe('faults', () => {
  it('come in the order of the contract', async () => {
    const limited = await startService({ LEEWARD_RATE_LIMIT: '1/1' });
    const at = limited.url;
    const quoteOnly = (await ours.mint({ scopes: ['quote'] }))['token']!;
    const text = { 'content-type': 'text/plain' };
    const huge = `"${'x'.repeat(300 * 1024)}`;
    const own = `/v1/underwrite/home/${ours.organization_id}`;
    const foreign = `/v1/underwrite/flood/${theirs.organization_id}`;
    const worst = { body: huge, headers: text, at };
    const status = async (...words: Parameters<typeof ask>) => (await ask(...words)).status;
    expect(await status('/v1/underwrite/nothing', 'bad', worst)).toBe(404);
    expect(await status(own, 'bad', { method: 'GET', at })).toBe(405);
    expect(await status(foreign, 'bad', worst)).toBe(401);
    expect(await status(foreign, quoteOnly, worst)).toBe(403);
    expect(await status(foreign, ours.admin, worst)).toBe(404);
    expect(await status(`/v1/underwrite/flood/${ours.organization_id}`, ours.admin, worst)).toBe(501);
    // None of those counted; the one that does is a 415, and from then on it is 429.
    expect(await status(own, ours.admin, worst)).toBe(415);
    expect(await status(own, ours.admin, worst)).toBe(429);
    await limited.leeward.stop();
    expect(await status(own, ours.admin, { body: huge, headers: text })).toBe(415);
    expect(await status(own, ours.admin, { body: huge })).toBe(413);
    expect(await status(own, ours.admin, { body: '{"state": tx}' })).toBe(400);
    expect(await status(own, ours.admin, { body: { state: 'atlantis' } })).toBe(422);
    expect(await status(own, ours.admin, { body: home })).toBe(200);
  });

  it('conflict when two administrators change one resource, and lose no change', async () => {
    const update = (body: object) => ask('/v1/admin/appointments/update', ours.admin, { body });
    const { appointment_id } = await made('appointments/create', ours.admin, { carrier_key: 'pecan_grove' });
    const both = await Promise.all([['fl'], ['tx']].map((states) => update({ appointment_id, revision: 1, states })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const lost = both.find(({ status }) => status === 409)!.body;
    expect(lost).toMatchObject({ code: 'conflict', errors: [{ path: '/revision', code: 'revision_conflict' }] });
    expect(await update({ appointment_id, revision: 2, from: '2026-01-01' })).toMatchObject({
      status: 200,
      body: { revision: 3, states: both.find(({ status }) => status === 200)!.body['states'], from: '2026-01-01' },
    });
    await made('appointments/remove', ours.admin, { appointment_id });
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
    const takesKey = (path: string) => path === '/v1/admin/rule-sets/propose';
    for (const path of guardedPaths.filter((each) => each.startsWith('/v1/admin/'))) {
      const { 409: conflict } = document.paths[path]!.post!.responses as Record<number, unknown>;
      const wanted =
        path.startsWith(ofOperators) || path.startsWith('/v1/admin/webhooks/')
          ? undefined
          : { $ref: `#/components/responses/${takesKey(path) ? 'ConflictOrIdempotencyConflict' : 'Conflict'}` };
      expect({ path, conflict }).toEqual({ path, conflict: wanted });
    }
    expect(await readMetrics()).toMatch(/appointments\/update.*status="409"/);
  });

  it('meet who would hand on what he has not, or to another', async () => {
    const mint = (body: object) => ask('/v1/admin/tokens/create', ours.admin, { body });
    for (const scopes of [['quote'], ['distance'], ['operator'], ['underwrite', 'quote']]) {
      expect(await mint({ scopes })).toMatchObject({
        status: 403,
        body: { errors: [{ path: '/scopes', code: 'scope_missing' }] },
      });
    }
    // The default scopes of a key exceed those of this one.
    expect((await mint({})).status).toBe(403);
    expect((await mint({ scopes: ['underwrite'], organization_id: theirs.organization_id })).status).toBe(404);
    expect((await ask('/v1/admin/tokens/rotate', ours.admin, { body: { token_id: ours.token_id } })).status).toBe(403);
    expect((await ask('/v1/admin/tokens/create', operatorToken, { body: { scopes: ['operator'] } })).status).toBe(403);
    const handed = await mint({ scopes: ['underwrite', 'admin'] });
    expect(handed).toMatchObject({ status: 200, body: { organization_id: ours.organization_id } });
  });
});

describe('a carrier of one’s own', () => {
  it('is refused with all faults when broken, too large or endless, without slowing other requests', async () => {
    const before = await everythingOf(ours.organization_id);
    const broken = ruleSet('broken', { fact: 'total_clams', operator: 'greaterThen', value: 'many' });
    const named: Record<string, object> = { c0: { all: [{ fact: 'total_claims', operator: 'equal', value: 1 }] } };
    for (let level = 1; level <= 60; level++) {
      named[`c${level}`] = { any: [{ condition: `c${level - 1}` }, { not: { condition: `c${level - 1}` } }] };
    }
    const deep = `${'{"all":['.repeat(5_000)}${'{}'}${']}'.repeat(5_000)}`;
    const many = ruleSet('many');
    many.programs[0]!.rules = Array.from({ length: 501 }, (_, index) => ({
      ...many.programs[0]!.rules[0]!,
      id: `r${index}`,
    }));
    const hostile: readonly (readonly [object | string, number, readonly string[]])[] = [
      [{ ...broken, line: 'boats', surprise: 1 }, 422, ['/rule_set/line', '/rule_set/surprise', '/fact', '/operator']],
      [
        ruleSet('with_path', { fact: 'total_claims', operator: 'equal', value: 1, path: '$..[?(@.x)]' }),
        422,
        ['/path'],
      ],
      [`{"rule_set": "${'x'.repeat(10_000_000)}"}`, 413, []],
      [{ ...ruleSet('exploding', { condition: 'c60' }), conditions: named }, 422, ['/rule_set']],
      [JSON.stringify({ rule_set: ruleSet('deep', { deep: 1 }) }).replace('{"deep":1}', deep), 400, []],
      [many, 422, ['/rule_set']],
      [ruleSet('bayou_mutual'), 422, ['/rule_set/carrier/key']],
      [
        { ...ruleSet('line_feeds'), carrier: { key: 'line_feeds', name: 'A\r\nSet-Cookie: b' } },
        422,
        ['/rule_set/carrier/name'],
      ],
      [
        JSON.stringify({ rule_set: ruleSet('proto') }).replace('"format"', '"__proto__": {"polluted": true}, "format"'),
        422,
        ['/rule_set/__proto__'],
      ],
    ];
    const slowestMs = { value: 0 };
    let busy = true;
    const bystander = (async () => {
      while (busy) {
        const began = performance.now();
        expect((await ask('/v1/underwrite/home', theirs.admin, { body: home })).status).toBe(200);
        slowestMs.value = Math.max(slowestMs.value, performance.now() - began);
      }
    })();
    try {
      for (const [given, status, paths] of hostile) {
        const body = typeof given === 'string' ? given : { rule_set: given };
        const reply = await ask('/v1/admin/carriers/create', ours.admin, { body });
        expect({ ...reply, paths }).toMatchObject({ status });
        const faults = (reply.body.errors ?? []).map((fault) => fault.path).join();
        for (const path of paths) expect(faults).toContain(path);
      }
    } finally {
      busy = false;
      await bystander;
    }
    // A home is answered within some milliseconds; no refusal may stop the others for a time that anyone would notice.
    expect(slowestMs.value).toBeLessThan(1_500);
    expect(await everythingOf(ours.organization_id)).toEqual(before);
  });
});

describe('what an administrator writes', () => {
  it('is treated only as text in every place', async () => {
    const texts = [
      "Robert'); DROP TABLE organizations;--",
      '"} , {"admin": true',
      '%00%0d%0aSet-Cookie: a=b',
      '<script>alert(1)</script>',
      `\${jndi:ldap://x}`,
      '../../etc/passwd',
      'ＡＢＣ 💧 é',
    ];
    for (const name of texts) {
      const { team_id } = await made('teams/create', ours.admin, { name });
      const { items } = (await ask('/v1/admin/teams/list', ours.admin)).body as unknown as {
        items: { team_id: string; name: string }[];
      };
      expect(items.find((team) => team.team_id === team_id)?.name).toBe(name);
      await made('teams/remove', ours.admin, { team_id });
    }
    for (const name of ['a\r\nb', 'a\u0000b', '\ud800', 'a\u2028b']) {
      expect(await ask('/v1/admin/teams/create', ours.admin, { body: { name } })).toMatchObject({
        status: 422,
        body: { errors: [{ path: '/name' }] },
      });
    }
  });
});

describe('a secret', () => {
  it('is in no answer but one, no log, no metric, and no byte of the database', async () => {
    const metrics = await readMetrics();
    expect((await ask('/v1/admin/tokens/list', tokens['good'])).status).toBe(200);
    const files = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const);
    const running = files();
    expect(running.map(([name]) => name)).toContain('leeward.sqlite');
    const { output, errors } = await service.stop();
    // The bad tokens were cut short or altered: most of a secret is a secret too.
    const parts = [...secrets].flatMap((secret) => [secret.slice(0, 16), secret.slice(-16, -1)]);
    expect(secrets.size).toBeGreaterThan(15);
    expect(output).toContain('"status":401');
    const texts: (readonly [string, string])[] = [
      ['the log', output],
      ['the errors', errors],
      ['the metrics', metrics],
      ['the answers', answers.join('\n')],
    ];
    for (const part of parts) {
      for (const [name, text] of texts) if (text.includes(part)) expect.fail(`${name}: ${part}`);
      for (const [name, bytes] of [...running, ...files()]) if (bytes.includes(part)) expect.fail(`${name}: ${part}`);
    }
    // The search would find what is there.
    expect([...running, ...files()].some(([, bytes]) => bytes.includes(ours.token_id))).toBe(true);
  });
});
