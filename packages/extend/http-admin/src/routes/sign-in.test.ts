import { createAccounts, createMemoryStore } from '@leeward/accounts';
import { createLeeward } from '@leeward/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../observe/logger.ts';
import { createOpenIdProvider } from '../sign-in/openid-provider.ts';
import { forgedClient, startForgingProvider } from '../testing/forging-provider.ts';
import { signInRoutes } from './sign-in.ts';

const { clientId, clientSecret, nonce } = forgedClient;
const redirect_uri = 'https://leeward.example.com/';
const code = 'code-of-this-sign-in';
const code_verifier = 'verifier-of-this-sign-in'.repeat(2);
const finish = { code, redirect_uri, nonce, code_verifier };
const start = { redirect_uri, nonce, state: 'state-of-this-sign-in-1', code_challenge: 'c'.repeat(43) };
const host = { system: 'test' };

interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

async function startWorld() {
  const forging = await startForgingProvider();
  onTestFinished(() => forging.stop());
  const accounts = createAccounts({ store: createMemoryStore() });
  const lines: string[] = [];
  const provider = createOpenIdProvider({ issuer: forging.issuer, clientId, clientSecret, timeoutMs: 300 });
  const leeward = createLeeward({
    directory: accounts.directory,
    routes: [signInRoutes({ accounts, provider, redirectUris: [redirect_uri] })],
    logger: createLogger({ destination: { write: (line) => void lines.push(line) } }),
  });
  const { organizations, users } = accounts.administration;
  const { organization_id } = await organizations.create.run(host, { name: 'Suncoast Agency' });
  const post = async (path: string, body: unknown, token?: string, address = '192.0.2.7') => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const request = new Request(`https://leeward.example.com/v1/sign-in/${path}`, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    });
    const response = await leeward.fetch(request, { incoming: { socket: { remoteAddress: address } } });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Problem & Record<string, unknown>,
    };
  };
  return {
    forging,
    accounts,
    organization_id,
    lines,
    post,
    finish: (change: object = {}) => post('finish', { ...finish, iss: forging.issuer, ...change }),
    invite: (body: object = {}) =>
      users.create.run(host, { organization_id, email: 'ana@example.com', roles: [{ role: 'viewer' }], ...body }),
  };
}

describe('/v1/sign-in', () => {
  it('signs an invited person in, and audits the network', async () => {
    const { invite, finish: complete, accounts, organization_id } = await startWorld();
    const { user_id } = await invite();
    const { status, body } = await complete();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user: { user_id, name: 'Ana Núñez', email: 'ana@example.com' },
      organization: { organization_id, name: 'Suncoast Agency' },
      tokens: [{ team_id: null, team_name: null, scopes: ['underwrite', 'distance', 'rules'] }],
    });
    const { items } = await accounts.administration.audit.list.run(host, { organization_id });
    const [entry] = items.filter(({ action }) => action === 'users.link');
    expect(entry).toMatchObject({ network: '192.0.2.0/24', actor: { id: 'sign-in', user_id } });
  });

  it('names issuer and subject to a stranger, and an address that is not confirmed', async () => {
    const { invite, finish: complete, forging } = await startWorld();
    const stranger = await complete();
    expect(stranger.status).toBe(403);
    expect(stranger.body.errors).toMatchObject([{ code: 'unknown_user' }]);
    expect(stranger.body.detail).toContain(`issuer ${forging.issuer}, subject ana`);
    await invite();
    forging.forge({ claims: { email_verified: false } });
    const unverified = await complete();
    expect(unverified.status).toBe(403);
    expect(unverified.body.errors?.map((each) => each.code)).toEqual(['unknown_user', 'email_unverified']);
  });

  it('refuses a person who was disabled meanwhile, and the tokens at the next request', async () => {
    const { invite, finish: complete, accounts, post } = await startWorld();
    const { user_id } = await invite();
    const [token] = (await complete()).body['tokens'] as { token: string }[];
    const { users } = accounts.administration;
    const [user] = (await users.list.run(host, { user_id })).items;
    await users.update.run(host, { user_id, revision: user!.revision, status: 'disabled' });
    expect((await post('renew', {}, token!.token)).status).toBe(401);
    const again = await complete();
    expect({ status: again.status, errors: again.body.errors }).toMatchObject({
      status: 403,
      errors: [{ code: 'user_disabled' }],
    });
  });

  it('offers the organizations of a person of several, and takes one of them', async () => {
    const { invite, finish: complete, accounts, organization_id } = await startWorld();
    await invite();
    const other = await accounts.administration.organizations.create.run(host, { name: 'Bay Area Agency' });
    await invite({ organization_id: other.organization_id });
    const choice = await complete();
    expect(choice.status).toBe(409);
    expect(new Set(choice.body.errors?.map(({ path, message }) => `${path} ${message}`))).toEqual(
      new Set([
        `/organization_id/${organization_id} Suncoast Agency`,
        `/organization_id/${other.organization_id} Bay Area Agency`,
      ]),
    );
    const chosen = await complete({ organization_id: other.organization_id });
    expect(chosen.body['organization']).toEqual({ organization_id: other.organization_id, name: 'Bay Area Agency' });
    expect((await complete({ organization_id: 'org_of_others' })).status).toBe(403);
  });

  it('is 403 for a refused ID token or code, and creates nothing', async () => {
    const { invite, finish: complete, forging, accounts, organization_id } = await startWorld();
    await invite();
    const before = await accounts.administration.audit.list.run(host, { organization_id });
    forging.forge({ header: { alg: 'none' } });
    expect((await complete()).body).toMatchObject({ code: 'forbidden', errors: [{ code: 'id_token_refused' }] });
    forging.forge({});
    const mixed = await complete({ iss: 'https://evil.example' });
    expect(mixed.body).toMatchObject({ code: 'forbidden', errors: [{ code: 'issuer_mismatch' }] });
    forging.answer('/token', (_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
    });
    expect((await complete()).body).toMatchObject({ code: 'forbidden', errors: [{ code: 'code_refused' }] });
    expect(await accounts.administration.audit.list.run(host, { organization_id })).toEqual(before);
  });

  it('is 503 in words while the provider is down or slow, for all but the answers of a network', async () => {
    const { post, finish: complete, forging, lines } = await startWorld();
    expect((await post('start', start)).status).toBe(200);
    const hanging: (() => void)[] = [];
    forging.answer('/token', (_, response) => void hanging.push(() => response.destroy()));
    const waiting = Array.from({ length: 6 }, () => complete());
    const busy = await Promise.race(waiting);
    expect({ status: busy.status, detail: busy.body.detail }).toMatchObject({
      status: 503,
      detail: expect.stringContaining('from your network'),
    });
    const elsewhere = post('finish', { ...finish, iss: forging.issuer }, undefined, '198.51.100.7');
    for (const { status, body, headers } of await Promise.all([...waiting.slice(0, 5), elsewhere])) {
      expect({ status, detail: body.detail }).toEqual({
        status: 503,
        detail: 'The sign-in provider does not answer in time.',
      });
      expect(headers.get('retry-after')).toBe('5');
    }
    expect(hanging).toHaveLength(6);
    await forging.stop();
    expect((await complete()).body.detail).toBe('The sign-in provider is unreachable, or its answer cannot be used.');
    for (const secret of [clientSecret, code, code_verifier, nonce]) expect(lines.join()).not.toContain(secret);
    expect(lines.join()).toContain('SignInError');
  });
});
