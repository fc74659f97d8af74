import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { exampleCall as context, exampleRequest as request } from '@leeward/quotes/testing';
import { describe, expect, it } from 'vitest';
import { exampleCarrier } from '../../testing/example-carrier.ts';
import { testCertificates } from '../../testing/test-certificates.ts';
import { createTestServer, sendJson } from '../../testing/test-server.ts';
import { checkHttpCarrier } from '../check-http-carrier.ts';
import { createHttpCarrier } from '../http-carrier.ts';

const { ca, serverCertificate, serverKey, clientCertificate, clientKey } = testCertificates;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const kept: Record<string, string> = {
  CARRIER_TOKEN: 'a token',
  CARRIER_SECRET: 'the secret of all secrets',
  CARRIER_KEY: clientKey.replaceAll('\n', '\\n'),
  CARRIER_RSA: rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  CARRIER_CERTIFICATE: clientCertificate,
  CARRIER_CA: ca,
  CARRIER_BROKEN: '-----BEGIN PRIVATE KEY-----\nbm90IGEga2V5\n-----END PRIVATE KEY-----',
};
const secrets = (name: string) => kept[name];
const named = (name: string) => `\${CARRIER_${name}}`;

const approved = { decision: 'APPROVED', quote: { premium: '10.00' } };
const oauth = (url: string, more: object) => ({
  type: 'oauth2_client_credentials',
  token_url: `${url}/token`,
  client_id: 'me',
  ...more,
});
const secretPost = { client_authentication: 'client_secret_post', client_secret: named('SECRET') };

const signedWith = (key: string, algorithm: string) => ({
  client_authentication: 'private_key_jwt',
  private_key: { key: named(key), algorithm },
});

function carrierAt(url: string, more: object) {
  const { carrier, faults } = checkHttpCarrier({ ...exampleCarrier(url), ...more }, { secrets });
  expect(faults).toEqual([]);
  return createHttpCarrier(carrier!, { secrets });
}

/** A token service and its carrier; with `tls` both require our certificate. */
async function service({
  tls = false,
  lifetime = 3600,
  answer = {},
}: {
  tls?: boolean;
  lifetime?: number;
  answer?: object;
} = {}) {
  let tokens = 0;
  const state = { status: 200, revoked: false };
  const server = await createTestServer(
    (sent, response) => {
      if (sent.url === '/token') {
        if (state.status !== 200) return sendJson(response, state.status, answer, { 'retry-after': '7' });
        tokens++;
        state.revoked = false;
        return sendJson(response, 200, {
          access_token: `token-${tokens}`,
          token_type: 'Bearer',
          expires_in: lifetime,
          ...answer,
        });
      }
      const isKnown = sent.headers.authorization === `Bearer token-${tokens}` && !state.revoked;
      sendJson(response, isKnown ? 200 : 401, approved);
    },
    tls ? { cert: serverCertificate, key: serverKey, ca, requestCert: true, rejectUnauthorized: true } : undefined,
  );
  const asked = () => server.requests.filter(({ url }) => url === '/token');
  return Object.assign(server, { asked, state });
}

describe('OAuth client credentials', () => {
  it('identify the client by basic authorization, with scope and audience', async () => {
    await using server = await service();
    const more = {
      client_secret: named('SECRET'),
      scope: 'quotes',
      audience: 'https://rates',
      resource: ['urn:a', 'urn:b'],
    };
    await carrierAt(server.url, { auth: oauth(server.url, more) }).quote(request, context);
    const [sent] = server.asked();
    const basic = Buffer.from('me:the%20secret%20of%20all%20secrets').toString('base64');
    expect(sent!.headers.authorization).toBe(`Basic ${basic}`);
    expect([...new URLSearchParams(sent!.body)]).toEqual([
      ['grant_type', 'client_credentials'],
      ['scope', 'quotes'],
      ['audience', 'https://rates'],
      ['resource', 'urn:a'],
      ['resource', 'urn:b'],
    ]);
  });

  it('identify the client by a secret in the form', async () => {
    await using server = await service();
    await carrierAt(server.url, { auth: oauth(server.url, secretPost) }).quote(request, context);
    const [sent] = server.asked();
    expect(sent!.headers.authorization).toBeUndefined();
    expect(Object.fromEntries(new URLSearchParams(sent!.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'me',
      client_secret: kept['CARRIER_SECRET'],
    });
  });

  it.each([
    ['RS256', 'RSA', rsa.publicKey],
    ['ES256', 'KEY', createPublicKey(clientCertificate)],
  ] as const)(
    'know the client by an assertion signed with %s, another each time',
    async (algorithm, key, publicKey) => {
      await using server = await service({ lifetime: 0.001 });
      const auth = oauth(server.url, {
        client_authentication: 'private_key_jwt',
        private_key: { key: named(key), algorithm, key_id: 'k1' },
      });
      const carrier = carrierAt(server.url, { auth });
      for (let call = 0; call < 2; call++) await carrier.quote(request, context);
      const claims = server.asked().map(({ body }) => {
        const form = new URLSearchParams(body);
        expect(form.get('client_assertion_type')).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
        const [header = '', payload = '', signature = ''] = form.get('client_assertion')!.split('.');
        const signed = Buffer.from(`${header}.${payload}`);
        const checked = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
        expect(verify('sha256', signed, checked, Buffer.from(signature, 'base64url'))).toBe(true);
        expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
          alg: algorithm,
          typ: 'JWT',
          kid: 'k1',
        });
        return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
      });
      expect(claims).toHaveLength(2);
      const [first, second] = claims;
      expect(first).toMatchObject({ iss: 'me', sub: 'me', aud: `${server.url}/token` });
      expect(Number(first!['exp']) - Number(first!['iat'])).toBe(60);
      expect(first!['jti']).not.toBe(second!['jti']);
    },
  );

  it('show a certificate to the token service and to the carrier', async () => {
    await using server = await service({ tls: true });
    const tls = { certificate: named('CERTIFICATE'), key: named('KEY'), ca: named('CA') };
    const auth = oauth(server.url, { client_authentication: 'tls_client_auth' });
    const carrier = carrierAt(server.url, { auth, tls });
    expect(await carrier.quote(request, context)).toMatchObject({ outcome: 'quoted', premiumCents: 1000n });
    expect(server.requests.map(({ url }) => url)).toEqual(['/token', '/quotes?form=ho3']);
    expect(new URLSearchParams(server.requests[0]!.body).get('client_id')).toBe('me');
    // The handshake fails before anything is read.
    await expect(carrierAt(server.url, {}).quote(request, context)).rejects.toMatchObject({ kind: 'refused' });
    const unsigned = carrierAt(server.url, { tls: { certificate: named('CERTIFICATE'), key: named('KEY') } });
    await expect(unsigned.quote(request, context)).rejects.toMatchObject({ kind: 'refused' });
    expect(server.requests).toHaveLength(2);
  });

  it('request one token for all waiting calls, at the start and after expiry', async () => {
    await using server = await service({ lifetime: 0.05 });
    const carrier = carrierAt(server.url, { auth: oauth(server.url, secretPost) });
    const tenCalls = () => Promise.all(Array.from({ length: 10 }, () => carrier.prepare!(request, context)));
    await tenCalls();
    expect(server.asked()).toHaveLength(1);
    const askedAfterMore = () => tenCalls().then(() => server.asked().length);
    await expect.poll(askedAfterMore, { timeout: 60_000 }).toBe(2);
  });

  it('keep the token for slightly less than its lifetime', async () => {
    await using server = await service({ lifetime: 3600 });
    const carrier = carrierAt(server.url, { auth: oauth(server.url, secretPost) });
    for (let call = 0; call < 3; call++) await carrier.quote(request, context);
    expect(server.asked()).toHaveLength(1);
  });

  it('renew a rejected token within the call, once for all, and send again only once', async () => {
    await using server = await service();
    const carrier = carrierAt(server.url, { auth: oauth(server.url, secretPost), idempotent: false });
    const call = { ...context, prepared: undefined };
    await carrier.quote(request, call);
    server.state.revoked = true;
    let permits = 0;
    const counting = { ...call, beforeRequest: async () => void permits++ };
    expect(await Promise.all([1, 2, 3].map(() => carrier.quote(request, counting)))).toHaveLength(3);
    expect(server.asked()).toHaveLength(2);
    expect(permits).toBe(6);
    server.state.status = 503;
    server.state.revoked = true;
    await expect(carrier.quote(request, call)).rejects.toMatchObject({ code: 'no_token', retryAfterMs: 7000 });
  });

  it.each([
    ['a kind of token that is no bearer’s', { token_type: 'DPoP' }],
    ['a token that no header carries', { access_token: 'a\r\nb' }],
    ['no token', { access_token: undefined }],
  ])('prevent a call of the carrier for %s', async (_, answer) => {
    await using server = await service({ answer });
    const carrier = carrierAt(server.url, { auth: oauth(server.url, secretPost) });
    await expect(carrier.quote(request, context)).rejects.toMatchObject({ kind: 'refused', code: 'no_token' });
    expect(server.requests).toHaveLength(1);
  });

  it('report the reason for a missing token, without secrets', async () => {
    await using server = await service({
      answer: { error: 'invalid_client', error_description: kept['CARRIER_SECRET'] },
    });
    server.state.status = 401;
    const carrier = carrierAt(server.url, { auth: oauth(server.url, secretPost) });
    const fault = await carrier.quote(request, context).catch((error: Error) => error);
    expect(fault).toMatchObject({
      message:
        "The carrier's token service answered 401 (invalid_client): it does not accept the client; check client_id, its secret or key, and client_authentication.",
      code: 'no_token',
    });
    expect(`${JSON.stringify(fault)} ${(fault as Error).stack}`).not.toContain(kept['CARRIER_SECRET']);
  });

  it.each([
    ['no secret', {}, '/auth/client_secret', 'required'],
    ['no key', { client_authentication: 'private_key_jwt' }, '/auth/private_key', 'required'],
    [
      'no certificate',
      { client_authentication: 'tls_client_auth' },
      '/auth/client_authentication',
      'missing_certificate',
    ],
    ['RS256 by KEY', signedWith('KEY', 'RS256'), '/auth/private_key/key', 'invalid_key'],
    ['ES256 by RSA', signedWith('RSA', 'ES256'), '/auth/private_key/key', 'invalid_key'],
    ['ES256 by BROKEN', signedWith('BROKEN', 'ES256'), '/auth/private_key/key', 'invalid_key'],
    ['a key that is not set', signedWith('NONE', 'ES256'), '/auth/private_key/key', 'missing_secret'],
  ])('are described with a fault for %s', (_, more, path, code) => {
    const url = 'https://carrier.example';
    const { faults } = checkHttpCarrier({ ...exampleCarrier(url), auth: oauth(url, more) }, { secrets });
    expect(faults).toEqual([{ path, code, message: expect.any(String) }]);
    expect(JSON.stringify(faults)).not.toContain('bm90IGEga2V5');
  });

  it.each([
    [{ certificate: named('CERTIFICATE'), key: named('RSA') }, '/tls/key', 'another_key'],
    [{ certificate: named('CERTIFICATE'), key: named('BROKEN') }, '/tls/key', 'invalid_key'],
    [{ certificate: named('KEY'), key: named('KEY') }, '/tls/certificate', 'invalid_certificate'],
    [{ certificate: named('CERTIFICATE'), key: named('NONE') }, '/tls/key', 'missing_secret'],
  ])('have a certificate that matches its key: %j', (tls, path, code) => {
    const { faults } = checkHttpCarrier({ ...exampleCarrier('https://carrier.example'), tls }, { secrets });
    expect(faults).toEqual([{ path, code, message: expect.any(String) }]);
  });

  it('require https for a client certificate', () => {
    const tls = { certificate: named('CERTIFICATE'), key: named('KEY') };
    const { faults } = checkHttpCarrier({ ...exampleCarrier('http://carrier.example'), tls }, { secrets });
    expect(faults.map(({ path, code }) => [path, code])).toEqual([
      ['/request/url', 'not_https'],
      ['/lookup/request/url', 'not_https'],
    ]);
  });
});
