import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { accessToken, type Forgery, forgedClient, startForgingProvider } from '../testing/forging-provider.ts';
import { createLimitedFetch } from './limited-fetch.ts';
import { createOpenIdProvider, type OpenIdOptions } from './openid-provider.ts';
import { type CodeExchange, SignInError } from './sign-in-provider.ts';

const { clientId, clientSecret, nonce } = forgedClient;
const code = 'code-of-this-sign-in';
const codeVerifier = 'verifier-of-this-sign-in'.repeat(2);
const redirectUri = 'https://leeward.example.com/';
const secrets = [clientSecret, code, codeVerifier, accessToken, 'ana@example.com', nonce];

async function startWorld(options: Partial<OpenIdOptions> = {}) {
  const forging = await startForgingProvider();
  onTestFinished(() => forging.stop());
  const provider = createOpenIdProvider({ issuer: forging.issuer, clientId, clientSecret, timeoutMs: 400, ...options });
  const exchange = (change: Partial<CodeExchange> = {}) =>
    provider.exchange({ code, redirectUri, nonce, codeVerifier, issuer: forging.issuer, ...change });
  return { forging, provider, exchange };
}

/** The refusal, which must not reveal a secret of the sign-in. */
async function refusalOf(promise: Promise<unknown>): Promise<SignInError> {
  const error: unknown = await promise.then(
    (value) => {
      throw new Error(`This was accepted: ${JSON.stringify(value)}`);
    },
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SignInError)) throw error;
  const shown = inspect(error, { depth: 9, showHidden: true });
  for (const secret of secrets) expect(shown).not.toContain(secret);
  return error;
}

const seconds = (ahead: number) => Math.floor(Date.now() / 1000) + ahead;

describe('an OpenID provider', () => {
  it('gets the person’s own values into the address, with S256', async () => {
    const { provider, forging } = await startWorld();
    const request = {
      redirectUri,
      state: 'a state',
      nonce,
      codeChallenge: 'challenge',
      responseMode: 'fragment' as const,
    };
    const { url, issuer } = await provider.authorizationUrl(request);
    expect(issuer).toBe(forging.issuer);
    expect(url.startsWith(`${issuer}/authorize?`)).toBe(true);
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      ...{ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', response_mode: 'fragment' },
      ...{
        scope: 'openid email profile',
        state: 'a state',
        nonce,
        code_challenge: 'challenge',
        code_challenge_method: 'S256',
      },
    });
    expect(provider.name).toBe(new URL(issuer).host);
  });

  it('identifies the person by a good ID token, with the code and the verifier', async () => {
    const { exchange, forging } = await startWorld();
    expect(await exchange()).toEqual({
      issuer: forging.issuer,
      subject: 'ana',
      name: 'Ana Núñez',
      verifiedEmail: 'ana@example.com',
      hasUnverifiedEmail: false,
    });
    expect(Object.fromEntries(forging.form())).toMatchObject({
      ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier },
    });
    // The secret goes into a header field.
    expect(forging.form().has('client_secret')).toBe(false);
    expect(forging.requests).not.toContain('/userinfo');
  });

  it('sends no secret of a public client, and the secret in the body where the provider needs that', async () => {
    const open = await startWorld({ clientSecret: undefined });
    await open.exchange();
    expect(open.forging.form().get('client_id')).toBe(clientId);
    expect(open.forging.form().has('client_secret')).toBe(false);
    const posting = await startWorld();
    posting.forging.describe({ token_endpoint_auth_methods_supported: ['client_secret_post'] });
    await posting.exchange();
    expect(posting.forging.form().get('client_secret')).toBe(clientSecret);
  });

  it.each([
    ['an address', { email: undefined, email_verified: undefined }],
    ['a confirmation', { email_verified: undefined }],
    ['a confirmation of another address', { email: 'boss@example.com', email_verified: undefined }],
  ])('reads the address from the userinfo endpoint if the ID token lacks %s', async (_, claims) => {
    const { exchange, forging } = await startWorld();
    forging.forge({ claims });
    expect((await exchange()).verifiedEmail).toBe('ana@example.com');
    const { email } = claims as { email?: string };
    forging.answer('/userinfo', (_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ sub: 'ana', email }));
    });
    expect((await exchange()).verifiedEmail).toBeUndefined();
  });

  it('refuses the userinfo of another person, and skips it without the scope', async () => {
    const { exchange, forging } = await startWorld();
    forging.forge({ claims: { email_verified: undefined } });
    forging.answer('/userinfo', (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ sub: 'mallory', email: 'ana@example.com', email_verified: true }));
    });
    expect((await refusalOf(exchange())).isUnavailable).toBe(true);
    const narrow = await startWorld({ scopes: 'openid' });
    narrow.forging.forge({ claims: { email_verified: undefined } });
    expect((await narrow.exchange()).verifiedEmail).toBeUndefined();
    expect(narrow.forging.requests).not.toContain('/userinfo');
  });

  it.each([
    [true, 'ana@example.com', false],
    [false, undefined, true],
    ['true', undefined, true],
    [1, undefined, true],
    [null, undefined, true],
  ])('trusts an address only if its claim is true: %j', async (email_verified, verifiedEmail, hasUnverifiedEmail) => {
    const { exchange, forging } = await startWorld();
    forging.forge({ claims: { email_verified } });
    expect(await exchange()).toMatchObject({ verifiedEmail, hasUnverifiedEmail });
  });

  const claim = (name: string) => `claim \`${name}\``;
  it.each<[string, Forgery, string]>([
    ['signed by another key', { isForeign: true }, 'signature or form'],
    ['signed by an unpublished key', { header: { kid: 'two' } }, 'signature or form'],
    ['not signed: alg none', { header: { alg: 'none' } }, 'signature or form'],
    ['signed with the client secret: HS256', { isSymmetric: true }, 'signature or form'],
    ['with an unknown critical header', { header: { crit: ['b64'], b64: true } }, 'signature or form'],
    ['that has expired', { claims: { exp: seconds(-120) } }, claim('exp')],
    ['without an end', { claims: { exp: undefined } }, 'signature or form'],
    ['that is not yet valid', { claims: { nbf: seconds(300) } }, claim('nbf')],
    ['from the future', { claims: { iat: seconds(300) } }, claim('iat')],
    ['issued an hour ago', { claims: { iat: seconds(-3600) } }, claim('iat')],
    ['for another client', { claims: { aud: 'another' } }, claim('aud')],
    ['for further clients', { claims: { aud: [clientId, 'another'] } }, claim('aud')],
    ['authorized for another client', { claims: { azp: 'another' } }, claim('azp')],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }, claim('iss')],
    ['of another sign-in: nonce', { claims: { nonce: 'another' } }, claim('nonce')],
    ['without a nonce', { claims: { nonce: undefined } }, 'signature or form'],
    ['of another access token', { claims: { at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' } }, claim('at_hash')],
    ['without a subject', { claims: { sub: undefined } }, 'signature or form'],
    ['with an empty subject', { claims: { sub: '' } }, claim('sub')],
    ['with control characters as its subject', { claims: { sub: 'ana\0' } }, claim('sub')],
    ['that is missing', { response: { id_token: undefined } }, 'signature or form'],
    ['that is no text', { response: { id_token: 7 } }, 'signature or form'],
    ['with two parts', { response: { id_token: 'e30.e30' } }, 'signature or form'],
  ])('refuses an ID token %s', async (_, forgery, part) => {
    const { exchange, forging } = await startWorld();
    forging.forge(forgery);
    const { code: refusal, message, isUnavailable } = await refusalOf(exchange());
    expect({ refusal, isUnavailable }).toEqual({ refusal: 'id_token_refused', isUnavailable: false });
    expect(message).toContain(`The ID token of the provider has the wrong ${part}. Sign in again.`);
  });

  it('refuses a response of another issuer, or without one, before it sends the code', async () => {
    const { exchange, forging } = await startWorld();
    for (const issuer of [undefined, 'https://evil.example']) {
      expect((await refusalOf(exchange({ issuer }))).code).toBe('issuer_mismatch');
    }
    expect(forging.requests).not.toContain('/token');
  });

  it.each([
    ['invalid_grant', 400, 'code_refused'],
    ['invalid_request', 400, 'code_refused'],
    ['invalid_client', 401, 'client_refused'],
    ['unauthorized_client', 400, 'client_refused'],
    ['server_error', 500, 'provider_unavailable'],
    ['temporarily_unavailable', 400, 'provider_unavailable'],
    ['a <b>text</b> ana@example.com', 400, 'code_refused'],
  ])('names the refusal %s', async (error, status, expected) => {
    const { exchange, forging } = await startWorld();
    forging.answer('/token', (_, response) => {
      const headers = { 'content-type': 'application/json', ...(status === 401 && { 'www-authenticate': 'Basic' }) };
      response.writeHead(status, headers).end(JSON.stringify({ error, error_description: `of ${code}` }));
    });
    const refusal = await refusalOf(exchange());
    expect(refusal.code).toBe(expected);
    expect(refusal.message).not.toContain('<b>');
  });
});

describe('an OpenID provider that does not answer as it should', () => {
  it.each<[string, (response: import('node:http').ServerResponse) => void]>([
    ['hangs', () => {}],
    [
      'sends headers, and no body',
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders(),
    ],
    ['answers without end', (response) => flood(response)],
    ['answers HTML', (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
    [
      'answers broken JSON',
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
    ],
    ['answers 500', (response) => void response.writeHead(500).end()],
    ['closes the connection', (response) => void response.destroy()],
    ['redirects', (response) => void response.writeHead(307, { location: '/elsewhere' }).end()],
  ])('is unavailable if it %s', async (_, handle) => {
    for (const path of ['/.well-known/openid-configuration', '/token', '/jwks']) {
      const { exchange, forging } = await startWorld({ timeoutMs: 150 });
      forging.answer(path, (_request, response) => handle(response));
      const startedMs = performance.now();
      const { code: refusal, isUnavailable } = await refusalOf(exchange());
      expect({ path, refusal, isUnavailable }).toEqual({ path, refusal: 'provider_unavailable', isUnavailable: true });
      expect(performance.now() - startedMs).toBeLessThan(2_000);
      expect(forging.requests).not.toContain('/elsewhere');
    }
  });

  it('is tried again, but not for every request', async () => {
    let nowMs = 1_000_000;
    const { forging, provider } = await startWorld({ now: () => nowMs });
    forging.answer('/.well-known/openid-configuration', (_, response) => void response.writeHead(503).end());
    const request = { redirectUri, state: 's', nonce, codeChallenge: 'c', responseMode: 'query' as const };
    for (let time = 0; time < 5; time++) await refusalOf(provider.authorizationUrl(request));
    expect(forging.requests).toHaveLength(1);
    expect(provider.problem).toContain('The sign-in provider');
    const description = { ...forging.description(), issuer: forging.issuer };
    forging.answer('/.well-known/openid-configuration', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(description));
    });
    nowMs += 2_000;
    await Promise.all([provider.authorizationUrl(request), provider.authorizationUrl(request), provider.connect()]);
    expect(forging.requests).toHaveLength(2);
    expect(provider.problem).toBeUndefined();
  });

  it('serves the last description until there is a new one', async () => {
    let nowMs = 1_000_000;
    const { forging, provider } = await startWorld({ now: () => nowMs });
    const request = { redirectUri, state: 's', nonce, codeChallenge: 'c', responseMode: 'query' as const };
    await provider.connect();
    forging.describe({ authorization_endpoint: `${forging.issuer}/moved` });
    nowMs += 3_600_001;
    expect((await provider.authorizationUrl(request)).url).toContain('/authorize?');
    await expect.poll(async () => (await provider.authorizationUrl(request)).url).toContain('/moved?');
    expect(forging.requests).toHaveLength(2);
  });

  it.each([
    ['another issuer', { issuer: 'https://login.example.com/{tenantid}/v2.0' }, 'calls itself by another issuer'],
    ['no keys', { jwks_uri: undefined }, 'no keys'],
    [
      'algorithms with a shared secret only',
      { id_token_signing_alg_values_supported: ['HS256', 'none'] },
      'no algorithm',
    ],
  ])('is refused for %s in its description', async (_, change, message) => {
    const { forging, exchange } = await startWorld();
    forging.describe(change);
    const refusal = await refusalOf(exchange());
    expect(refusal.code).toBe('provider_unavailable');
    expect(refusal.message).toContain(message);
  });

  it('is not called over http, except on this machine', async () => {
    expect(() => createOpenIdProvider({ issuer: 'http://login.example.com', clientId })).toThrow('https:');
    const { forging, exchange } = await startWorld();
    forging.describe({ token_endpoint: 'http://10.0.0.1:9/token' });
    expect((await refusalOf(exchange())).code).toBe('provider_unavailable');
    for (const url of ['http://10.0.0.1:9/token', 'http://127.0.0.1.example:9/', 'file:///etc/passwd']) {
      await expect(createLimitedFetch(100)(url, {})).rejects.toThrow('is not requested');
    }
  });

  it('is unavailable if a good answer is too large', async () => {
    const { forging, exchange } = await startWorld({ timeoutMs: 5_000 });
    forging.forge({ response: { padding: ' '.repeat(500_000) } });
    expect((await exchange()).subject).toBe('ana');
    forging.forge({ response: { padding: ' '.repeat(600_000) } });
    expect((await refusalOf(exchange())).code).toBe('provider_unavailable');
  });

  it('is refused if it is the same for the tenants of all organizations', async () => {
    const issuer = 'https://login.microsoftonline.com/common/v2.0';
    const description = {
      issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0',
      ...{
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        authorization_endpoint: `${issuer}/authorize`,
      },
    };
    vi.stubGlobal('fetch', async () => Response.json(description));
    onTestFinished(() => void vi.unstubAllGlobals());
    const refusal = await refusalOf(createOpenIdProvider({ issuer, clientId }).connect());
    expect(refusal.message).toContain('calls itself by another issuer');
  });
});

function flood(response: import('node:http').ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = ' '.repeat(65_536);
  const write = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', write);
  };
  write();
}
