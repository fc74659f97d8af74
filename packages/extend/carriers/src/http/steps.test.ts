import { exampleBody, exampleCall, exampleRequest } from '@leeward/quotes/testing';
import { describe, expect, it } from 'vitest';
import { createBench, engines } from '../testing/quoting-bench.ts';
import { createTestServer, sendJson } from '../testing/test-server.ts';
import { checkHttpCarrier } from './check-http-carrier.ts';
import { createHttpCarrier } from './http-carrier.ts';

const ho3 = { ...exampleBody, form_types: ['ho3'] };
type Play = readonly [status: number, headers?: Record<string, string>] | 'reset';

/** A session for all rates, and an account and a quote per rate. Scripted; the last step repeats. */
async function play(
  plays: { session?: readonly Play[]; account?: readonly Play[]; quote?: readonly Play[] },
  quotes = 1,
) {
  const made = { session: 0, account: 0, quote: 0 };
  await using server = await createTestServer((sent, response, socket) => {
    const part = sent.url.split('/')[1] as keyof typeof made;
    const own = plays[part] ?? [[200]];
    const each = own[Math.min(made[part]++, own.length - 1)]!;
    if (each === 'reset') return void socket.resetAndDestroy();
    const [status, headers] = each;
    const body = { id: `${part}-${made[part]}`, premium: 10 };
    sendJson(response, status, part === 'quote' ? { ...body, saw: sent.body } : body, headers);
  });
  const { carrier, faults } = checkHttpCarrier(described(server.url));
  expect(faults).toEqual([]);
  await using bench = await createBench(engines[0]!, [createHttpCarrier(carrier!)], { leaseMarginMs: 1000 });
  const created = await Promise.all(Array.from({ length: quotes }, () => bench.quotes.create('team-1', ho3)));
  const ended = await Promise.all(created.map(({ quote_request_id: id }) => bench.completed(id, 60_000)));
  const last = server.requests.findLast(({ url }) => url.startsWith('/quote'));
  const outcome = (ended[0]!.rates[0] as { outcome?: string }).outcome;
  return { made, outcome, last };
}

function described(url: string, more: object = {}) {
  const step = (id: string, rest: object) => ({
    id,
    request: { method: 'POST', url: `${url}/${id}`, body: { who: 'us' } },
    take: { id: { path: '/id' } },
    ...rest,
  });
  return {
    format: 1,
    carrier: { key: 'two_steps', name: 'Two Steps' },
    offers: [{ form_types: ['ho3'] }],
    idempotent: false,
    steps: [step('session', { idempotent: true, cache_seconds: 600 }), step('account', { idempotent: false })],
    request: {
      method: 'POST',
      url: `${url}/quote/{{steps.account.id}}`,
      headers: { 'X-Session': '{{steps.session.id}}' },
      body: { account: '{{steps.account.id}}' },
    },
    response: { premium: '/premium' },
    limits: { deadline_ms: 20_000, max_attempts: 3, backoff_ms: [1, 10] },
    ...more,
  };
}

describe.concurrent('a carrier with steps', () => {
  it('is called with the values of its steps, and shares the session', async () => {
    const { made, last } = await play({}, 3);
    expect(made).toEqual({ session: 1, account: 3, quote: 3 });
    expect(last).toMatchObject({
      url: expect.stringMatching(/^\/quote\/account-\d$/),
      headers: { 'x-session': 'session-1' },
    });
  });

  it.each([
    [
      'a session that is lost is made again',
      { session: ['reset', [200]] },
      { session: 2, account: 1, quote: 1 },
      'quoted',
    ],
    [
      'a session that is answered by nonsense is made again',
      { session: [[302], [200]] },
      { session: 2, account: 1, quote: 1 },
      'quoted',
    ],
    [
      'an account that is refused is asked for again',
      { account: [[429, { 'retry-after': '0' }], [200]] },
      { session: 1, account: 2, quote: 1 },
      'quoted',
    ],
    [
      'an account that is lost is never asked for again',
      { account: ['reset'] },
      { session: 1, account: 1, quote: 0 },
      'unknown_outcome',
    ],
    [
      'a session that has ended is made again where nothing was done',
      { account: [[401], [200]] },
      { session: 2, account: 2, quote: 1 },
      'quoted',
    ],
    [
      'a quote that is refused is asked for again with the same account',
      { quote: [[503, { 'retry-after': '0' }], [200]] },
      { session: 1, account: 1, quote: 2 },
      'quoted',
    ],
    [
      'a quote that is lost is never asked for again',
      { quote: ['reset'] },
      { session: 1, account: 1, quote: 1 },
      'unknown_outcome',
    ],
    [
      'a quote that fails is never asked for again',
      { quote: [[500]] },
      { session: 1, account: 1, quote: 1 },
      'unknown_outcome',
    ],
    [
      'a quote that is refused for long is left, and no second account made',
      { quote: [[429, { 'retry-after': '60' }]] },
      { session: 1, account: 1, quote: 1 },
      'unknown_outcome',
    ],
  ] as const)('%s', async (_, plays, made, outcome) => {
    const played = await play(plays);
    expect([played.made, played.outcome]).toEqual([made, outcome]);
  });

  it.each([
    ['nothing, where the account is turned away', 'account', { id: 'a' }, 'http_422', true],
    ['an account, where its quote is turned away', 'quote', { id: 'a' }, 'http_422', false],
    ['an account, where its name fits in no address', 'none', { id: '..' }, 'invalid_path_value', false],
  ])('is known to have made %s', async (_, turnsAway, body, code, nothingMade) => {
    await using server = await createTestServer((sent, response) =>
      sendJson(response, sent.url.startsWith(`/${turnsAway}`) ? 422 : 200, body),
    );
    const { carrier } = checkHttpCarrier(described(server.url));
    const quoting = createHttpCarrier(carrier!).quote(exampleRequest, exampleCall);
    await expect(quoting).rejects.toMatchObject({ kind: 'invalid', code, nothingMade });
  });

  it.each([
    [{ idempotent: true }, '/steps/1/idempotent', 'not_idempotent'],
    [
      { lookup: { request: { method: 'GET', url: 'https://c.example/{{steps.account.id}}' }, absent_statuses: [404] } },
      '/lookup/request/url',
      'unknown_name',
    ],
    [{ request: { method: 'POST', url: 'https://c.example/{{steps.account.name}}' } }, '/request/url', 'unknown_name'],
  ])('is described with a fault by %j', (more, path, code) => {
    const { faults } = checkHttpCarrier(described('https://c.example', more));
    expect(faults).toContainEqual({ path, code, message: expect.any(String) });
  });

  it('rejects a cached session that depends on one request', () => {
    const { steps, ...rest } = described('https://c.example');
    const [session, account] = steps;
    const own = { ...session!, request: { ...session!.request, body: ['{{steps.a.b}}', { $value: 'fields.city' }] } };
    for (const list of [[own], [{ ...account!, cache_seconds: 5 }]]) {
      const codes = checkHttpCarrier({ ...rest, steps: list }).faults.map(({ path, code }) => `${path} ${code}`);
      expect(codes.some((each) => /cache_seconds not_(shared|idempotent)/.test(each))).toBe(true);
    }
  });
});
