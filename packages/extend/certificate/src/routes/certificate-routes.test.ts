import { verifyCertificate } from '@leeward/certificate/verify';
import { createKeyHolder, createLeeward, type LeewardOptions } from '@leeward/http';
import { describe, expect, it } from 'vitest';
import { createLetters } from '../letter/write-letters.ts';
import { sampleCatalog, sampleHome, sampleOptions, smallCoast } from '../testing/sample-home.ts';
import { certificateRoutes } from './certificate-routes.ts';

const token = (id: string) => `lw_test_${id.padEnd(26, '0')}_${'k'.repeat(43)}`;
const now = new Date('2026-11-20T12:00:00Z');
const underwriting = {
  catalog: sampleCatalog,
  organizations: { catalogOf: async (id: string) => (id === 'org_acme' ? sampleCatalog : undefined) },
  clock: () => now,
};
const distance = { coast: smallCoast };

function service(options: Partial<LeewardOptions> = {}, signer = sampleOptions.signer) {
  const leeward = createLeeward({
    directory: createKeyHolder([
      { token: token('acme'), scopes: ['underwrite'], organizationId: 'org_acme' },
      { token: token('reader'), scopes: ['rules'], organizationId: 'org_acme' },
    ]),
    underwriting,
    distance,
    routes: [
      certificateRoutes({
        signer,
        underwriting,
        distance,
        issuerOf: (organizationId) => (organizationId === 'org_acme' ? 'Acme' : undefined),
        lettersOf: () => createLetters({ text: '{{issuer}}: {{carrier}}' }),
      }),
    ],
    ...options,
  });
  return async (
    path: string,
    body?: unknown,
    headers: Record<string, string> = { authorization: `Bearer ${token('acme')}` },
  ) => {
    const request =
      body === undefined
        ? new Request(`https://example.com${path}`, { headers })
        : new Request(`https://example.com${path}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify(body),
          });
    const response = await leeward.fetch(request);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
}

describe('POST /v1/certificate', () => {
  it('answers canonical JSON that verifies with the served keys, even if answers are indented', async () => {
    const ask = service({ indentAnswers: true });
    const keys = JSON.parse((await ask('/v1/certificate-keys', undefined, {})).text).keys;
    const answer = await ask('/v1/certificate', { home: sampleHome, prepared_for: ' Pat ', reference: 'R-1' });
    expect(answer.status).toBe(200);
    const { content } = verifyCertificate(Buffer.from(answer.text), keys);
    expect(content).toMatchObject({
      prepared_for: 'Pat',
      reference: 'R-1',
      issuer: 'Acme',
      organization_id: null,
      issued_at: now.toISOString(),
      trace_id: answer.headers.get('x-request-id'),
    });
    expect(content).not.toHaveProperty('letters');
  });

  it('answers the page by format, or by Accept', async () => {
    const ask = service();
    const { keys } = sampleOptions.signer;
    const authorization = `Bearer ${token('acme')}`;
    const byAccept = await ask('/v1/certificate', { home: sampleHome }, { authorization, accept: 'text/html' });
    const byFormat = await ask('/v1/certificate', { home: sampleHome, format: 'page' });
    for (const { headers, text } of [byAccept, byFormat]) {
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
      verifyCertificate(Buffer.from(text), keys);
    }
    const json = await ask(
      '/v1/certificate',
      { home: sampleHome, format: 'json' },
      { authorization, accept: 'text/html' },
    );
    expect(json.headers.get('content-type')).toBe('application/json');
  });

  it('adds letters of the organization', async () => {
    const { text } = await service()('/v1/certificate/org_acme', { home: sampleHome, include_letters: true });
    const { content } = JSON.parse(text);
    expect(content.organization_id).toBe('org_acme');
    expect(content.letters).toMatchObject([{ carrier_key: 'bluestem', text: 'Acme: Bluestem <Mutual> & Co' }]);
  });

  it('names faults by their place in the request', async () => {
    const ask = service();
    const { status, text } = await ask('/v1/certificate', { home: { state: 'fl', roof_age: 'old' } });
    expect(status).toBe(422);
    const paths = JSON.parse(text).errors.map(({ path }: { path: string }) => path);
    expect(paths).toContain('/home/roof_age');
    const unknown = JSON.parse((await ask('/v1/certificate', { hom: sampleHome })).text);
    expect(unknown.errors.map(({ path }: { path: string }) => path)).toEqual(['/hom']);
  });

  it('needs the scope, and hides other organizations', async () => {
    const ask = service();
    const reader = { authorization: `Bearer ${token('reader')}` };
    expect((await ask('/v1/certificate', { home: sampleHome }, reader)).status).toBe(403);
    expect((await ask('/v1/certificate', { home: sampleHome }, {})).status).toBe(401);
    expect((await ask('/v1/certificate/org_other', { home: sampleHome })).status).toBe(404);
  });

  it('counts a certificate as 50 items, and its verdicts', async () => {
    const ask = service({ itemLimit: { perMinute: 60, burst: 60 } });
    expect((await ask('/v1/certificate', { home: sampleHome })).status).toBe(200);
    expect((await ask('/v1/certificate', { home: sampleHome })).status).toBe(429);
  });

  it('is unavailable while the signer fails, without details', async () => {
    const { keys } = sampleOptions.signer;
    const ask = service({}, { keys, sign: () => Promise.reject(new Error('secret detail')) });
    const { status, text } = await ask('/v1/certificate', { home: sampleHome });
    expect(status).toBe(503);
    expect(text).not.toContain('secret detail');
  });
});

describe('GET /v1/certificate-keys', () => {
  it('lists public keys without a token, the current one first', async () => {
    const { status, text, headers } = await service()('/v1/certificate-keys', undefined, {});
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    const { kty, crv, x, kid } = sampleOptions.signer.keys[0];
    expect(JSON.parse(text)).toEqual({ keys: [{ kty, crv, x, kid, alg: 'EdDSA', use: 'sig' }] });
  });
});
