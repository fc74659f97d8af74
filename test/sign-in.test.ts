import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Demo, startDemo } from './support/demo.ts';
import { chooseAtProvider, finishBody, postJson, signInAs, startSignIn } from './support/sign-in-client.ts';
import { smallCoastline } from './support/small-coastline.ts';

interface Problem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ signIn: true, environment: smallCoastline });
});
afterAll(() => demo.stop());

const post = async (path: string, body: unknown, token?: string) => {
  const response = await postJson(`${demo.url}${path}`, body, token);
  return { status: response.status, body: (await response.json()) as Problem & Record<string, unknown> };
};
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const readToken = async (token: string) => (await fetch(`${demo.url}/v1/token`, bearer(token))).json();

describe('sign-in at the sandbox of a demo', () => {
  it('gives each person tokens for the places of the roles', async () => {
    const ana = await signInAs(demo.url, 'ana');
    expect(ana).toMatchObject({
      user: { name: 'Ana Núñez', email: 'ana.nunez@palmetto-coast.example' },
      organization: { organization_id: demo.keys.organization_id, name: 'Palmetto Coast Agency' },
      tokens: [{ team_id: null, team_name: null, scopes: ['underwrite', 'distance', 'rules', 'admin'] }],
    });
    expect(await readToken(ana.tokens[0]!.token)).toMatchObject({
      user: { user_id: ana.user.user_id, name: 'Ana Núñez' },
      organization: { name: 'Palmetto Coast Agency' },
    });
    const kim = await signInAs(demo.url, 'kim');
    expect(kim.tokens).toMatchObject([
      { team_id: demo.keys.team_id, team_name: 'Personal lines', scopes: ['underwrite', 'quote', 'distance'] },
    ]);
    expect(Date.parse(kim.ends_at)).toBeGreaterThan(Date.parse(kim.expires_at));
    expect(await readToken(demo.keys.team_token)).toMatchObject({ user: null });
  });

  it('extends a sign-in, ends all its tokens at once, and refuses other tokens', async () => {
    const { tokens, expires_at } = await signInAs(demo.url, 'ben');
    const { token } = tokens[0]!;
    const renewed = await post('/v1/sign-in/renew', {}, token);
    expect(renewed.status).toBe(200);
    expect(Date.parse(renewed.body['expires_at'] as string)).toBeGreaterThanOrEqual(Date.parse(expires_at));
    expect(await post('/v1/sign-in/end', {}, token)).toEqual({ status: 200, body: {} });
    expect((await post('/v1/sign-in/renew', {}, token)).status).toBe(401);
    for (const path of ['/v1/sign-in/renew', '/v1/sign-in/end']) {
      const { status, body } = await post(path, {}, demo.keys.admin_token);
      expect({ status, errors: body.errors }).toMatchObject({ status: 409, errors: [{ code: 'not_a_session' }] });
    }
  });

  it('returns the code to a free port of the command line', async () => {
    for (const redirectUri of ['http://127.0.0.1:49152/callback', 'http://[::1]:8123/callback']) {
      const started = await startSignIn(demo.url, { redirectUri, responseMode: 'query' });
      const returned = await chooseAtProvider(started, 'ana');
      expect(returned).toMatchObject({ state: started.state, iss: started.issuer });
      expect((await post('/v1/sign-in/finish', finishBody(started, returned))).status).toBe(200);
    }
  });

  it.each([
    'https://evil.example/',
    'http://127.0.0.1:49152/other',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:0/callback',
    'http://127.0.0.1:70000/callback',
    'http://127.0.0.1:49152/callback?next=https://evil.example',
    'http://127.0.0.1:49152/callback#',
    'http://localhost:49152/callback',
    'http://127.0.0.1.evil.example:80/callback',
    'javascript:alert(1)',
  ])('refuses the redirect URI %s', async (redirect_uri) => {
    const own = { redirect_uri, state: 's'.repeat(24), nonce: 'n'.repeat(24), code_challenge: 'c'.repeat(43) };
    const { status, body } = await post('/v1/sign-in/start', own);
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ path: '/redirect_uri', code: 'redirect_uri_not_allowed' }]);
    expect(body.detail).toContain(`${demo.url}/, http://127.0.0.1:PORT/callback`);
    const code = { code: 'c', redirect_uri, nonce: own.nonce, code_verifier: 'v'.repeat(43) };
    expect((await post('/v1/sign-in/finish', code)).status).toBe(422);
  });

  it('refuses short random texts, other challenges and unknown fields', async () => {
    const good = {
      redirect_uri: `${demo.url}/`,
      state: 's'.repeat(24),
      nonce: 'n'.repeat(24),
      code_challenge: 'c'.repeat(43),
    };
    expect((await post('/v1/sign-in/start', good)).status).toBe(200);
    for (const change of [
      { state: 'short' },
      { nonce: 'n'.repeat(201) },
      { code_challenge: 'c'.repeat(42) },
      { code_challenge_method: 'plain' },
      { response_mode: 'form_post' },
    ]) {
      expect({ change, status: (await post('/v1/sign-in/start', { ...good, ...change })).status }).toMatchObject({
        status: 422,
      });
    }
    const large = await postJson(`${demo.url}/v1/sign-in/finish`, { code: 'c'.repeat(20_000) });
    expect(large.status).toBe(413);
  });

  it.each([
    ['nonce', { nonce: 'n'.repeat(32) }, 'id_token_refused'],
    ['verifier', { code_verifier: 'v'.repeat(64) }, 'code_refused'],
    ['redirect URI', { redirect_uri: 'http://127.0.0.1:49152/callback' }, 'code_refused'],
    ['code', { code: 'c'.repeat(43) }, 'code_refused'],
    ['issuer of the response', { iss: 'https://evil.example' }, 'issuer_mismatch'],
    ['lack of an issuer', { iss: undefined }, 'issuer_mismatch'],
  ])('refuses another %s', async (_, change, refusal) => {
    const started = await startSignIn(demo.url);
    const body = finishBody(started, await chooseAtProvider(started, 'ana'));
    const refused = await post('/v1/sign-in/finish', { ...body, ...change });
    expect({ status: refused.status, errors: refused.body.errors }).toMatchObject({
      status: 403,
      errors: [{ code: refusal }],
    });
  });

  it('accepts a code once, and logs neither codes nor tokens', async () => {
    const started = await startSignIn(demo.url);
    const body = finishBody(started, await chooseAtProvider(started, 'ana'));
    const first = await post('/v1/sign-in/finish', body);
    expect(first.status).toBe(200);
    const again = await post('/v1/sign-in/finish', body);
    expect({ status: again.status, errors: again.body.errors }).toMatchObject({
      status: 403,
      errors: [{ code: 'code_refused' }],
    });
    const [{ token }] = first.body['tokens'] as [{ token: string }];
    const output = demo.leeward.output() + demo.leeward.errors();
    expect(output).toContain('/v1/sign-in/finish');
    for (const secret of [body.code, body.nonce, body.code_verifier, started.state, token.split('_')[3]!]) {
      expect(output).not.toContain(secret);
    }
  });

  it('lets one person propose and another approve, and refuses the first with a second token', async () => {
    const [ana, ben] = [await signInAs(demo.url, 'ana'), await signInAs(demo.url, 'ben')];
    const own = ana.tokens[0]!.token;
    const ruleSet = {
      ...{ format: 1, line: 'home', version: '1', carrier: { key: 'two_people', name: 'Two People Mutual' } },
      effective: { from: '2026-01-01', until: null },
      programs: [{ id: 'all', policy_types: ['ho3'], states: ['fl'], rules: [] }],
    };
    const { rule_set_id } = (await post('/v1/admin/rule-sets/push', { rule_set: ruleSet }, own)).body;
    const proposed = await post('/v1/admin/rule-sets/propose', { rule_set_id }, own);
    expect(proposed.status).toBe(200);
    const approve = (token: string) =>
      post('/v1/admin/rule-sets/approve', { rule_set_id, revision: proposed.body['revision'] }, token);
    const second = (await signInAs(demo.url, 'ana')).tokens[0]!.token;
    expect((await approve(second)).status).toBe(403);
    expect((await approve(ben.tokens[0]!.token)).body).toMatchObject({ status: 'in_force' });
  });

  it('marks the page with the name of the provider', async () => {
    const page = await (await fetch(`${demo.url}/`)).text();
    expect(page).toContain('data-sign-in="the sandbox"');
  });

  it('keeps working without the provider, and shows its absence', async () => {
    const other = await startDemo({
      environment: { ...smallCoastline, LEEWARD_OIDC_ISSUER: 'http://127.0.0.1:9', LEEWARD_OIDC_CLIENT_ID: 'leeward' },
    });
    onTestFinished(async () => void (await other.stop()));
    expect((await other.post('/v1/underwrite/home', { state: 'tx' })).status).toBe(200);
    await expect(startSignIn(other.url)).rejects.toThrow('redirect_uri');
    await expect(startSignIn(other.url, { redirectUri: 'http://127.0.0.1:49152/callback' })).rejects.toThrow(
      'The sign-in provider is unreachable',
    );
    const ready = (await (await fetch(`${other.url}/readyz`)).json()) as { warnings: { code: string }[] };
    expect(ready.warnings.map((each) => each.code)).toContain('sign_in_unavailable');
    const without = await startDemo({ environment: smallCoastline });
    onTestFinished(async () => void (await without.stop()));
    expect((await postJson(`${without.url}/v1/sign-in/start`, {})).status).toBe(404);
  });
});
