import type { CarrierRequest } from '@leeward/quotes';
import type { JsonObject } from '@leeward/terms';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../../../test/support/any-text.ts';
import { createTestServer, sendJson } from '../testing/test-server.ts';
import { checkHttpCarrier } from './check-http-carrier.ts';
import { createHttpCarrier } from './http-carrier.ts';
import { fillAddress } from './template.ts';

const secrets = (name: string) => ({ CARRIER_TOKEN: 'secret', CARRIER_BROKEN: 'a\r\nx: y' })[name];
const described = (url: string, more: object = {}) => ({
  format: 1,
  carrier: { key: 'lantern', name: 'Lantern' },
  offers: [{ form_types: ['ho3'] }],
  idempotent: false,
  request: { method: 'POST', url, headers: { 'x-county': '{{fields.county}}' }, ...more },
  response: { premium: '/premium' },
});
const requestOf = (fields: JsonObject) =>
  ({ rateId: 'r-1', quoteRequestId: 'q-1', formType: 'ho3', productCode: 'homeowners', fields }) as CarrierRequest;
const call = { idempotencyKey: 'r-1', signal: new AbortController().signal, deadlineMs: 5000, attempt: 1 };

describe('the address of a carrier', () => {
  const fill = (template: string, county: unknown) => fillAddress(template, { fields: { county } } as JsonObject);

  it.each(['..', '.', '', null, undefined])('has no part for a value of %j', (county) => {
    for (const template of ['https://c.example/a/{{fields.county}}/b', 'https://c.example/{{fields.county}}?x=1'])
      expect(() => fill(template, county)).toThrow(/fields\.county .* cannot be part of/);
  });

  it('rejects a dot segment that a template begins', () => {
    expect(() => fill('https://c.example/a/.{{fields.county}}/b', '.')).toThrow(/cannot be part of/);
    expect(() => fill('https://c.example/a/%2e{{fields.county}}/b', '.')).toThrow(/cannot be part of/);
  });

  it('names a field with a lone surrogate, not its value', () => {
    for (const template of ['https://c.example/{{fields.county}}', 'https://c.example/a?county={{fields.county}}'])
      expect(() => fill(template, 'Quixote\ud800')).toThrow(/^fields\.county contains a lone surrogate/);
  });

  it('keeps its origin and its number of segments for any value', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.stringMatching(/^[./\\%2eE?#@:]{0,8}$/), fc.jsonValue()), (county) => {
        let url: URL;
        try {
          url = new URL(fill('https://c.example/quotes/{{fields.county}}/submit?c={{fields.county}}&t=1#x', county));
        } catch (error) {
          expect(error).toMatchObject({ kind: 'invalid' });
          return;
        }
        expect([url.origin, url.pathname.split('/').length]).toEqual(['https://c.example', 4]);
        expect([url.pathname.startsWith('/quotes/'), url.pathname.endsWith('/submit')]).toEqual([true, true]);
        expect([...url.searchParams.keys()]).toEqual(['c', 't']);
      }),
      { numRuns: 500 },
    );
  });

  it('sends no request for a value that cannot be encoded', async () => {
    await using server = await createTestServer((_, response) => sendJson(response, 200, { premium: 1 }));
    const { carrier } = checkHttpCarrier(described(`${server.url}/quotes/{{fields.county}}/submit`), { secrets });
    const adapter = createHttpCarrier(carrier!, { secrets });
    for (const county of ['..', 'a\ud800'])
      await expect(adapter.prepare!(requestOf({ county }), call)).rejects.toMatchObject({ kind: 'invalid' });
    expect(server.requests).toEqual([]);
    await adapter.quote(requestOf({ county: '../../admin\r\nx-injected: 1' }), call);
    const [sent] = server.requests;
    expect(sent!.url).toBe('/quotes/..%2F..%2Fadmin%0D%0Ax-injected%3A%201/submit');
    expect(sent!.headers['x-injected']).toBeUndefined();
    expect(sent!.headers['x-county']).toBe('../../admin??x-injected: 1');
  });
});

describe('the description of a carrier', () => {
  it.each([
    'https:/{{fields.county}}/quotes',
    'https:{{fields.county}}/quotes',
    'https:///{{fields.county}}/quotes',
    'https://{{fields.county}}/quotes',
    'https://c.example{{fields.county}}/quotes',
    'https:\\{{fields.county}}/quotes',
    'https://agent:secret@c.example/quotes',
    'ftp://c.example/',
  ])('has a fixed host: %s', (url) => {
    expect(checkHttpCarrier(described(url), { secrets }).faults).toMatchObject([
      { path: '/request/url', code: 'invalid_url' },
    ]);
  });

  it.each([
    [{ host: 'elsewhere.example' }, 'reserved_header'],
    [{ 'Transfer-Encoding': 'chunked' }, 'reserved_header'],
    [{ 'x-note': 'a\r\nx-injected: 1' }, 'invalid_header'],
    [{ 'x-key': `\${CARRIER_BROKEN}` }, 'invalid_header'],
  ])('has only headers that can be sent: %j', (headers, code) => {
    const { faults } = checkHttpCarrier(described('https://c.example/', { headers }), { secrets });
    expect(faults.map((fault) => fault.code)).toEqual([code]);
    expect(JSON.stringify(faults)).not.toContain('x: y');
  });
});
