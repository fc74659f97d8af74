import {
  IdempotencyConflictError,
  InvalidQuoteRequestError,
  type Quotes,
  RateNotRetryableError,
} from '@leeward/quotes';
import { describe, expect, it } from 'vitest';
import { ask, problemOf, sampleService } from '../../../../../../test/support/sample-service.ts';
import { createKeyHolder } from '../../access/key-holder.ts';
import { comparison } from './quote-examples.ts';

const token = `lw_test_${'t'.repeat(26)}_${'k'.repeat(43)}`;
const keyOnly = `lw_test_${'o'.repeat(26)}_${'k'.repeat(43)}`;
const insuredToo = `lw_test_${'i'.repeat(26)}_${'k'.repeat(43)}`;
const directory = createKeyHolder([
  { token: insuredToo, scopes: ['quote', 'insured'], organizationId: 'org_acme', teamId: 'team-1' },
  { token, scopes: ['quote'], organizationId: 'org_acme', teamId: 'team-1' },
  { token: keyOnly, scopes: ['quote'], organizationId: 'org_acme' },
]);

/** A service whose quoting always does the same. */
function service(work: () => Promise<unknown>) {
  const names = ['create', 'status', 'cancel', 'rate', 'retry', 'carriers'] as const;
  const quotes = Object.fromEntries(names.map((name) => [name, work])) as unknown as Quotes;
  return sampleService({ directory, quoting: { quotes } });
}

describe('quoting over HTTP', () => {
  const fault = { path: '/product_code', code: 'required', message: 'product_code is required.' };
  it.each([
    ['every fault', new InvalidQuoteRequestError([fault]), 422, { code: 'invalid_request', errors: [fault] }],
    ['another body under the same key', new IdempotencyConflictError(), 409, { code: 'idempotency_conflict' }],
    [
      'a rate that cannot be retried',
      new RateNotRetryableError('not_finished'),
      422,
      { errors: [{ code: 'not_finished' }] },
    ],
    [
      'a database that is away',
      Object.assign(new Error('10.1.2.3'), { code: 'ECONNREFUSED' }),
      503,
      { code: 'unavailable' },
    ],
    ['a connection that was lost', new Error('Connection terminated unexpectedly'), 503, { code: 'unavailable' }],
    ['a mistake of ours', new TypeError('secret of the house'), 500, { code: 'internal_error' }],
  ])('answers %s with its status, without internal details', async (_, error, status, problem) => {
    const leeward = service(() => Promise.reject(error));
    const others = ['quote/q-1', 'quote/q-1/cancel', 'rate/r-1', 'rate/r-1/retry', 'quote/carriers'];
    // Only a new quote has a key.
    for (const path of ['quote/request', ...(error instanceof IdempotencyConflictError ? [] : others)]) {
      const response = await ask(leeward, `/api/v1/${path}`, { token, body: {} });
      expect({ path, status: response.status }).toEqual({ path, status });
      expect(response.headers.has('retry-after')).toBe(status === 503);
      const told = await problemOf(response);
      expect(told).toMatchObject(problem);
      expect(JSON.stringify(told)).not.toMatch(/10\.1\.2\.3|secret of the house/);
    }
  });

  it.each([
    [undefined, false],
    [{}, false],
    [{ include_rates: null }, false],
    [{ include_rates: false }, false],
    [{ include_rates: true }, true],
  ])('reads a quote for the body %j with rates: %j', async (body, includeRates) => {
    const asked: unknown[] = [];
    const status = async (_team: string, _quote: string, options: unknown) => {
      asked.push(options);
      return undefined;
    };
    const leeward = sampleService({ directory, quoting: { quotes: { status } as unknown as Quotes } });
    await ask(leeward, '/api/v1/quote/q-1', { token, ...(body === undefined ? {} : { body }) });
    expect(asked[0]).toEqual({ includeRates });
  });

  it('is a team’s', async () => {
    const leeward = service(async () => ({ carriers: [] }));
    expect((await ask(leeward, '/api/v1/quote/carriers', { token: keyOnly, body: {} })).status).toBe(403);
    expect((await ask(leeward, '/api/v1/quote/carriers', { token, body: {} })).status).toBe(200);
  });

  it('lists quotes of the team of the token, or of a team of its organization', async () => {
    const asked: unknown[] = [];
    const list = async (...args: unknown[]) => {
      asked.push(args);
      return { quotes: [], next: null };
    };
    const organizations: Record<string, string> = { 'team-1': 'org_acme', 'team-2': 'org_acme', theirs: 'org_other' };
    const organizationOf = async (teamId: string) => organizations[teamId];
    const quoting = { quotes: { list } as unknown as Quotes };
    const leeward = sampleService({ directory, quoting: { ...quoting, organizationOf } });
    const statusOf = async (key: string, body: object, at = leeward) =>
      (await ask(at, '/api/v1/quote/list', { token: key, body })).status;
    expect(await statusOf(token, {})).toBe(200);
    expect(
      await statusOf(insuredToo, { product_code: 'Dwelling Fire', status: 'complete', limit: 3, cursor: 'c' }),
    ).toBe(200);
    expect(await statusOf(token, { team_id: 'team-1' })).toBe(200);
    expect(await statusOf(keyOnly, { team_id: 'team-2' })).toBe(200);
    const none = { product: undefined, status: undefined, limit: undefined, cursor: undefined, showsInsured: false };
    const some = { product: 'Dwelling Fire', status: 'complete', limit: 3, cursor: 'c', showsInsured: true };
    expect(asked).toEqual([
      ['team-1', none],
      ['team-1', some],
      ['team-1', none],
      ['team-2', none],
    ]);
    expect(await statusOf(token, { team_id: 'team-2' })).toBe(404);
    for (const team_id of ['theirs', 'nobody', '../x']) expect(await statusOf(keyOnly, { team_id })).toBe(404);
    for (const body of [{}, { team_id: ' ' }]) expect(await statusOf(keyOnly, body)).toBe(422);
    expect(await statusOf(token, { limit: 201 })).toBe(422);
    expect(await statusOf(keyOnly, { team_id: 'team-2' }, sampleService({ directory, quoting }))).toBe(403);
    expect(asked).toHaveLength(4);
  });

  it('writes a proposal of the chosen rates as HTML with a strict policy', async () => {
    const options: unknown[] = [];
    const compare = async (_: string, quote: string, given: unknown) => {
      options.push(given);
      return quote === 'q-1' ? comparison : undefined;
    };
    const quotes = { compare, status: async () => ({}) } as unknown as Quotes;
    const leeward = sampleService({ directory, quoting: { quotes } });
    const propose = (body: object, path = 'quote/q-1/proposal', key = token) =>
      ask(leeward, `/api/v1/${path}`, { token: key, body });
    const [{ id }] = comparison.rates as unknown as [{ id: string }];
    const answer = await propose({ agency_name: 'A & B', rate_ids: [id] }, undefined, insuredToo);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(await answer.text()).toContain('<h1>A &amp; B</h1>');
    expect(options[0]).toEqual({ formType: undefined, showsInsured: true });
    expect((await propose({ agency_name: ' ' })).status).toBe(422);
    expect(await problemOf(await propose({ agency_name: 'A', rate_ids: ['x'] }))).toMatchObject({
      errors: [{ path: '/rate_ids/0', code: 'unknown_rate' }],
    });
    expect((await propose({ agency_name: 'A' }, 'quote/q-2/proposal')).status).toBe(404);
  });

  it('answers 404 for a missing resource, with any body', async () => {
    const leeward = service(async () => undefined);
    const big = `{"x": "${'x'.repeat(256 * 1024)}"}`;
    for (const path of ['quote/q-1', 'quote/q-1/cancel', 'rate/r-1', 'rate/r-1/retry']) {
      for (const body of [{}, '{', [], big, { include_rates: 7 }]) {
        expect((await ask(leeward, `/api/v1/${path}`, { token, body })).status).toBe(404);
      }
      const headers = { 'content-type': 'text/plain' };
      expect((await ask(leeward, `/api/v1/${path}`, { token, headers, body: 'x' })).status).toBe(404);
    }
  });

  it('says what is wrong with a body where the quote is there', async () => {
    const leeward = service(async () => ({}));
    for (const path of ['quote/q-1', 'quote/q-1/cancel', 'rate/r-1', 'rate/r-1/retry']) {
      expect((await ask(leeward, `/api/v1/${path}`, { token, body: '{' })).status).toBe(400);
      expect((await ask(leeward, `/api/v1/${path}`, { token, body: [] })).status).toBe(422);
    }
  });
});

describe('callbacks of carriers', () => {
  const tell = (work: () => Promise<unknown>, body = 'signed bytes', path = 'lantern_mutual') =>
    sampleService({ directory, quoting: { quotes: { receiveCallback: work } as unknown as Quotes } }).fetch(
      new Request(`http://localhost/carrier/v1/callback/${path}`, {
        method: 'POST',
        body,
        headers: { 'X-Signature': 'ab' },
      }),
    );

  it.each([
    ['taken', 200],
    ['refused', 403],
    ['replayed', 409],
    ['late', 409],
    ['unknown', 404],
    [undefined, 404],
  ])('that are %s are answered with %s, without a token', async (fate, status) => {
    const response = await tell(async () => fate);
    expect(response.status).toBe(status);
    if (status === 200) expect(await response.json()).toEqual({ status: 'taken' });
    else expect(response.headers.get('content-type')).toBe('application/problem+json');
  });

  it('reach their adapter byte for byte, with their header fields', async () => {
    const told: unknown[] = [];
    await tell((async (...args: unknown[]) => void told.push(...args)) as () => Promise<unknown>, '{"a": 1}\n');
    expect(told[0]).toBe('lantern_mutual');
    const { headers, body } = told[1] as { headers: Record<string, string>; body: Uint8Array };
    expect(headers['x-signature']).toBe('ab');
    expect(Buffer.from(body).toString()).toBe('{"a": 1}\n');
  });

  it('are limited to 64 KiB, and answered 503 if the store is unavailable', async () => {
    expect((await tell(async () => 'taken', 'x'.repeat(65_537))).status).toBe(413);
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    expect((await tell(() => Promise.reject(away))).status).toBe(503);
  });
});
