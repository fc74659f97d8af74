import { checkAnswer, exampleCall as context, exampleFields, exampleRequest } from '@leeward/quotes/testing';
import { describe, expect, it } from 'vitest';
import { exampleCarrier } from '../testing/example-carrier.ts';
import { createTestServer, sendJson, type TestServer } from '../testing/test-server.ts';
import { checkHttpCarrier } from './check-http-carrier.ts';
import { createHttpCarrier } from './http-carrier.ts';

const fields = { ...exampleFields, last_name: 'O"Brien\n', protection_class: '3' };
const request = { ...exampleRequest, fields };
const secrets = (name: string) => (name.startsWith('CARRIER_') ? `secret of ${name}` : undefined);

function carrierAt(url: string, more: Record<string, unknown> = {}) {
  const { carrier, faults } = checkHttpCarrier({ ...exampleCarrier(url), ...more }, { secrets });
  expect(faults).toEqual([]);
  return createHttpCarrier(carrier!, { secrets });
}

async function answering(
  answer: Parameters<typeof createTestServer>[0],
  more: Record<string, unknown> = {},
): Promise<{ quote: () => Promise<unknown>; server: TestServer } & AsyncDisposable> {
  const server = await createTestServer(answer);
  const carrier = carrierAt(server.url, more);
  return {
    server,
    // As the orchestrator does.
    quote: async () => checkAnswer(await carrier.quote(request, context), carrier),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const approved = { decision: 'APPROVED', quote: { id: 7, premium: '1,843.50' } };

describe('a request', () => {
  it('is filled from the template', async () => {
    await using bench = await answering((_, response) => sendJson(response, 200, approved));
    await bench.quote();
    const [sent] = bench.server.requests;
    expect(sent).toMatchObject({
      method: 'POST',
      url: '/quotes?form=ho3',
      headers: {
        authorization: 'Bearer secret of CARRIER_TOKEN',
        'idempotency-key': 'rate-1',
        'x-producer': 'agent@example.com',
        'content-type': 'application/json',
      },
    });
    expect(JSON.parse(sent!.body)).toEqual({
      reference: 'rate-1',
      insured: { name: 'Dana O"Brien\n', born: '1979-04-02' },
      // Missing values (a pool) are omitted; numbers stay numbers.
      dwelling: { coverageA: 350_000, yearBuilt: 2004, roof: 'ARCH', protectionClass: 3 },
    });
  });

  it('of a retry that keeps its idempotency key keeps the reference known to the carrier', async () => {
    await using server = await createTestServer((_, response) => sendJson(response, 200, approved));
    const carrier = carrierAt(server.url);
    await carrier.quote(request, context);
    await carrier.quote({ ...request, rateId: 'rate-2' }, { ...context, idempotencyKey: 'rate-1' });
    const [first, second] = server.requests;
    expect(second!.headers['idempotency-key']).toBe('rate-1');
    expect(second!.body).toBe(first!.body);
  });

  it('cannot be redirected by a value', async () => {
    await using server = await createTestServer((_, response) => sendJson(response, 200, approved));
    const carrier = carrierAt(server.url, {
      request: {
        method: 'POST',
        url: `${server.url}/q/{{fields.city}}?x={{fields.street}}`,
        headers: { 'X-City': '{{fields.city}}' },
        body: { city: '{{fields.city}}' },
      },
    });
    const fields = { ...exampleFields, city: '../../admin?a=b#c\r\nX-Evil: 1', street: 'é&b=c', __proto__: null };
    await carrier.quote({ ...request, fields }, context);
    const [sent] = server.requests;
    expect(sent!.url).toBe('/q/..%2F..%2Fadmin%3Fa%3Db%23c%0D%0AX-Evil%3A%201?x=%C3%A9%26b%3Dc');
    expect(sent!.headers['x-evil']).toBeUndefined();
    expect(JSON.parse(sent!.body)).toEqual({ city: fields.city });
  });

  it('of a carrier that is not idempotent uses a new connection', async () => {
    await using server = await createTestServer((_, response) => sendJson(response, 200, approved));
    for (const [idempotent, connections] of [
      [false, 3],
      [true, 4],
    ] as const) {
      const carrier = carrierAt(server.url, { idempotent });
      for (let call = 0; call < 3; call++) {
        await carrier.quote(request, context);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(server.connections()).toBe(connections);
    }
  });
});

describe('an answer', () => {
  it('is mapped', async () => {
    await using bench = await answering((_, response) =>
      sendJson(response, 200, {
        decision: 'Refer',
        quote: {
          id: 'Q-1',
          premium: 1843.5,
          link: 'https://carrier.example/q/1',
          goodUntil: '2026-12-31',
          fees: [{ code: 'policy_fee', label: 'Policy fee', amount: '25' }, { code: 'broken', amount: 'x' }, 7],
        },
        papers: [{ label: 'Letter', href: 'https://carrier.example/l?t=1', kind: 'text/plain' }, { label: 'None' }, 7],
        notes: [{ kind: 'STOP', code: 'roof', text: 'Roof too old', field: 'roof_year' }, { text: '' }, null],
      }),
    );
    expect(await bench.quote()).toMatchObject({
      outcome: 'referred',
      premiumCents: 184_350n,
      answer: {
        carrierQuoteNumber: 'Q-1',
        carrierQuoteUrl: 'https://carrier.example/q/1',
        expiresAt: Date.UTC(2026, 11, 31, 23, 59, 59) * 1000,
        fees: [{ code: 'policy_fee', name: 'Policy fee', amountCents: 2500n }],
        documents: [
          { id: '1', title: 'Letter', mediaType: 'text/plain', reference: { url: 'https://carrier.example/l?t=1' } },
        ],
        messages: [{ level: 'error', code: 'roof', message: 'Roof too old', field: 'roof_year' }],
      },
    });
  });

  it.each(['2026-12-31T12:00+0100', '2026-12-31T06:00:00-05:00', '2026-12-31T11:00Z'])(
    'is good until %s, however a carrier writes it',
    async (goodUntil) => {
      const quote = { premium: 1, goodUntil };
      await using bench = await answering((_, response) => sendJson(response, 200, { decision: 'approved', quote }));
      expect(await bench.quote()).toMatchObject({ answer: { expiresAt: Date.UTC(2026, 11, 31, 11) * 1000 } });
    },
  );

  it.each([
    ['-1', '{"decision":"approved","quote":{"premium":-1}}', 'invalid_premium'],
    ['"-1.00"', '{"decision":"approved","quote":{"premium":"-1.00"}}', 'invalid_premium'],
    ['zero', '{"decision":"approved","quote":{"premium":0}}', 'invalid_premium'],
    ['"NaN"', '{"decision":"approved","quote":{"premium":"NaN"}}', 'invalid_premium'],
    ['1e9', '{"decision":"approved","quote":{"premium":1e9}}', 'invalid_premium'],
    ['"1e9"', '{"decision":"approved","quote":{"premium":"1e9"}}', 'invalid_premium'],
    ['1e400', '{"decision":"approved","quote":{"premium":1e400}}', 'invalid_premium'],
    ['three decimals', '{"decision":"approved","quote":{"premium":1843.505}}', 'invalid_premium'],
    ['a list', '{"decision":"approved","quote":{"premium":[1]}}', 'invalid_premium'],
    ['none', '{"decision":"approved","quote":{}}', 'missing_premium'],
    ['another outcome', '{"decision":"maybe","quote":{"premium":1}}', 'unknown_outcome'],
    ['__proto__ as outcome', '{"decision":"__proto__","quote":{"premium":1}}', 'unknown_outcome'],
  ])('with %s is invalid', async (_, body, code) => {
    await using bench = await answering((_, response) => sendJson(response, 200, body));
    await expect(bench.quote()).rejects.toMatchObject({ name: 'CarrierFault', kind: 'invalid', code });
  });

  it.each([
    ['NaN in JSON', '{"decision":"approved","quote":{"premium":NaN}}', 'not_json'],
    ['no outcome', '{}', 'no_outcome'],
    ['a page', '<html>Hello</html>', 'not_json'],
    ['nothing', '', 'not_json'],
    ['null', 'null', 'no_outcome'],
  ])('with %s is unreadable', async (_, body, code) => {
    await using bench = await answering((_, response) => sendJson(response, 200, body));
    await expect(bench.quote()).rejects.toMatchObject({ name: 'CarrierFault', kind: 'unreadable', code });
  });

  it('longer than a megabyte is unreadable', async () => {
    await using bench = await answering((_, response) => sendJson(response, 200, `"${'x'.repeat(2_000_000)}"`));
    await expect(bench.quote()).rejects.toMatchObject({ kind: 'unreadable', code: 'too_long' });
  });
});

describe('a status', () => {
  it.each([
    [429, { 'retry-after': '7' }, { kind: 'refused', code: 'http_429', retryAfterMs: 7000 }],
    [503, { 'retry-after': '2' }, { kind: 'refused', code: 'http_503', retryAfterMs: 2000 }],
    [503, {}, { kind: 'failed', code: 'http_503' }],
    [500, {}, { kind: 'failed', code: 'http_500' }],
    [401, {}, { kind: 'refused', code: 'http_401' }],
    [404, {}, { kind: 'invalid', code: 'http_404', nothingMade: true }],
    [302, { location: 'http://127.0.0.1:1/' }, { kind: 'unreadable', code: 'http_302' }],
  ])('of %i with %j', async (status, headers, fault) => {
    await using bench = await answering((_, response) => sendJson(response, status, {}, headers));
    await expect(bench.quote()).rejects.toMatchObject(fault);
    expect(bench.server.requests).toHaveLength(1);
  });

  it('reads a date in Retry-After', async () => {
    const at = new Date(Date.now() + 60_000).toUTCString();
    await using bench = await answering((_, response) => sendJson(response, 429, {}, { 'retry-after': at }));
    await expect(bench.quote()).rejects.toMatchObject({ retryAfterMs: expect.closeTo(60_000, -4) });
  });

  it('has the meaning of the file', async () => {
    await using bench = await answering((_, response) =>
      sendJson(response, 422, { notes: { text: 'Square feet, please', field: 'square_feet' } }),
    );
    expect(await bench.quote()).toMatchObject({
      outcome: 'needs_information',
      answer: { messages: [{ message: 'Square feet, please', field: 'square_feet' }] },
    });
  });
});

describe('a broken connection', () => {
  it('that was never made is refused', async () => {
    const server = await createTestServer(() => {});
    const { url } = server;
    await server[Symbol.asyncDispose]();
    await expect(carrierAt(url).quote(request, context)).rejects.toMatchObject({
      kind: 'refused',
      code: 'connection_refused',
    });
  });

  it('to a name that does not exist is refused', async () => {
    const carrier = carrierAt('http://carrier.invalid');
    await expect(carrier.quote(request, context)).rejects.toMatchObject({ kind: 'refused', code: 'unreachable' });
  });

  it('that is reset after the work was done is lost', async () => {
    await using bench = await answering((_, __, socket) => void socket.resetAndDestroy());
    await expect(bench.quote()).rejects.toMatchObject({ kind: 'lost', code: 'connection_lost' });
  });

  it('that ends in the middle of the answer is lost', async () => {
    await using bench = await answering((_, response, socket) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"decision":');
      setTimeout(() => socket.destroy(), 20);
    });
    await expect(bench.quote()).rejects.toMatchObject({ kind: 'lost' });
  });

  it('that hangs ends when the signal is aborted', async () => {
    await using server = await createTestServer(() => {});
    const signal = AbortSignal.timeout(50);
    await expect(carrierAt(server.url).quote(request, { ...context, signal })).rejects.toMatchObject({ kind: 'lost' });
  });
});

describe('a lookup', () => {
  it('returns found, absent or a fault', async () => {
    await using server = await createTestServer((sent, response) => {
      if (sent.url === '/quotes/known') return sendJson(response, 200, approved);
      sendJson(response, sent.url === '/quotes/unknown' ? 404 : 500, {});
    });
    const carrier = carrierAt(server.url);
    const look = (idempotencyKey: string) => carrier.lookup!(request, { ...context, idempotencyKey });
    expect(await look('known')).toMatchObject({
      status: 'found',
      answer: { outcome: 'quoted', premiumCents: 184_350n },
    });
    expect(await look('unknown')).toEqual({ status: 'absent' });
    await expect(look('trouble')).rejects.toMatchObject({ kind: 'failed' });
  });
});

describe('a description', () => {
  const url = 'https://carrier.example';
  it.each([
    [
      'an unknown name',
      { request: { method: 'POST', url, body: { a: '{{rate}}' } } },
      '/request/body/a',
      'unknown_name',
    ],
    ['a name inside text', { request: { method: 'POST', url: `${url}/{{nobody}}` } }, '/request/url', 'unknown_name'],
    [
      'a malformed $value',
      { request: { method: 'POST', url, body: [{ $value: 'fields.a', maps: {} }] } },
      '/request/body/0/maps',
      'unknown_key',
    ],
    [
      'a host from the quote',
      { request: { method: 'POST', url: 'https://{{fields.city}}/x' } },
      '/request/url',
      'invalid_url',
    ],
    ['another protocol', { request: { method: 'POST', url: 'file:///etc/passwd' } }, '/request/url', 'invalid_url'],
    ['a body of a GET', { request: { method: 'GET', url, body: {} } }, '/request/body', 'body_of_get'],
    ['a missing secret', { auth: { type: 'bearer', token: '$' + '{NOBODY}' } }, '/auth/token', 'missing_secret'],
    ['a pointer that is none', { response: { premium: 'premium' } }, '/response/premium', 'invalid_value'],
    ['an outcome that is none', { statuses: { 404: 'gone' } }, '/statuses/404', 'invalid_value'],
    ['a misspelt key', { limits: { dedline_ms: 1 } }, '/limits/dedline_ms', 'unknown_key'],
    ['waits that fall', { limits: { backoff_ms: [100, 10] } }, '/limits/backoff_ms', 'not_rising'],
  ])('with %s has a fault', (_, more, path, code) => {
    const { carrier, faults } = checkHttpCarrier({ ...exampleCarrier(url), ...more }, { secrets });
    expect(carrier).toBeUndefined();
    expect(faults).toContainEqual({ path, code, message: expect.any(String) });
    expect(JSON.stringify(faults)).not.toContain('secret of');
  });

  it.each([null, 7, [], {}, { format: 2 }, JSON.parse('{"__proto__": {"format": 1}}')])('is rejected as %j', (file) => {
    expect(checkHttpCarrier(file).faults.length).toBeGreaterThan(0);
  });
});
