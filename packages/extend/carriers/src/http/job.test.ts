import { createHmac } from 'node:crypto';
import { exampleCall as context, exampleBody, exampleRequest as request } from '@leeward/quotes/testing';
import { describe, expect, it } from 'vitest';
import { exampleCarrier } from '../testing/example-carrier.ts';
import { createBench, engines } from '../testing/quoting-bench.ts';
import { createTestServer, sendJson, type TestServer } from '../testing/test-server.ts';
import { checkHttpCarrier } from './check-http-carrier.ts';
import { createHttpCarrier } from './http-carrier.ts';

const secrets = (name: string) => (name.startsWith('CARRIER_') ? `secret of ${name}` : undefined);
const poll = {
  every_ms: [1000, 2000],
  state: { path: '/state', values: { run: 'pending', ok: 'done', broken: 'failed', no: 'declined' } },
};
const done = { state: 'OK', decision: 'approved', quote: { premium: '1,843.50' } };

const described = (url: string, job: object, more: object = {}) =>
  checkHttpCarrier({ ...exampleCarrier(url), idempotent: false, lookup: undefined, ...more, job }, { secrets });

function carrierAt(url: string, job: object, more: object = {}) {
  const { carrier, faults } = described(url, job, more);
  expect(faults).toEqual([]);
  return createHttpCarrier(carrier!, { secrets });
}

type Answer = Parameters<typeof createTestServer>[0];

/** Answers requests with `taken`, and has scripted jobs. */
const takes = (taken: Answer, look: Answer): Promise<TestServer> =>
  createTestServer((sent, response, socket) => (sent.url.startsWith('/quotes') ? taken : look)(sent, response, socket));
const at =
  (location: string): Answer =>
  (_, response) =>
    sendJson(response, 202, {}, { location });
const resumeWith = (keep: object) => ({ ...context, keep: keep as Record<string, never>, failures: 0 });

describe('a carrier that accepts a request and answers later', () => {
  it('is called once, then polled by another process until it is done', async () => {
    let looks = 0;
    await using server = await takes(at('/jobs/7?of=them'), (_, response) => {
      looks++;
      sendJson(response, 200, looks < 3 ? { state: 'run' } : done, { 'retry-after': '0' });
    });
    const adapter = carrierAt(server.url, { poll: { ...poll, every_ms: 1 } }, { offers: [{ form_types: ['ho3'] }] });
    await using bench = await createBench(engines[0]!, [adapter], { work: false });
    const asking = await bench.join();
    const { quote_request_id: id } = await bench.quotes.create('team-1', { ...exampleBody, form_types: ['ho3'] });
    await asking.start();
    await expect.poll(() => looks, { timeout: 60_000 }).toBeGreaterThan(0);
    await asking.stop({ graceMs: 0 });
    const looking = await bench.join();
    await looking.start();
    expect((await bench.completed(id, 60_000)).rates[0]).toMatchObject({ status: 'success', premium: '1843.50' });
    expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(server.requests.at(-1)).toMatchObject({
      url: '/jobs/7?of=them',
      headers: { authorization: 'Bearer secret of CARRIER_TOKEN' },
    });
  });

  it.each([
    ['a header', { poll }, at('/jobs/7'), '/jobs/7'],
    [
      'its body',
      { at: { path: '/job' }, poll },
      (_, response) => sendJson(response, 202, { job: 'jobs/8' }),
      '/jobs/8',
    ],
    [
      'its name',
      { at: { path: '/job' }, poll: { request: { method: 'GET', url: 'URL/jobs/{{job}}/result' } } },
      (_, response) => sendJson(response, 202, { job: '../9' }),
      '/jobs/..%2F9/result',
    ],
    [
      'an answer',
      { poll },
      (_, response) => sendJson(response, 200, { decision: 'later' }, { location: '/jobs/7' }),
      '/jobs/7',
    ],
  ] as const satisfies readonly (readonly [string, object, Answer, string])[])(
    'says where it is by %s',
    async (_, job, taken, path) => {
      await using server = await takes(taken, (__, response) => sendJson(response, 200, done));
      const own = JSON.parse(JSON.stringify(job).replace('URL', server.url)) as object;
      const response = {
        premium: '/quote/premium',
        outcome: { path: '/decision', values: { approved: 'quoted', later: 'pending' } },
      };
      const carrier = carrierAt(server.url, own, { response });
      const answer = await carrier.quote(request, context);
      expect(answer).toMatchObject({
        outcome: 'pending',
        pending: { pollAfterMs: 'every_ms' in Object(own) ? 1000 : expect.any(Number) },
      });
      expect(await carrier.resume!(request, resumeWith(answer.pending!.keep!))).toMatchObject({
        premiumCents: 184_350n,
      });
      expect(server.requests.at(-1)).toMatchObject({ method: 'GET', url: path });
    },
  );

  it.each([
    ['elsewhere', 'https://elsewhere.example/jobs/1', 'job_elsewhere'],
    ['behind a user', 'http://me:too@HOST/jobs/1', 'job_elsewhere'],
    ['in a file', 'file:///etc/passwd', 'job_elsewhere'],
    ['nowhere', '', 'no_job'],
  ])('does not send credentials to %s', async (_, location, code) => {
    await using server = await takes(
      (sent, response) =>
        sendJson(response, 202, {}, { location: location.replace('HOST', String(sent.headers.host)) }),
      () => {},
    );
    const carrier = carrierAt(server.url, { poll });
    const kind = code === 'no_job' ? 'unreadable' : 'invalid';
    await expect(carrier.quote(request, context)).rejects.toMatchObject({ kind, code });
    expect(server.requests).toHaveLength(1);
  });

  it('does not fill in values that the carrier returned', async () => {
    await using server = await takes(at(`/jobs?a={{fields.last_name}}&b=\${CARRIER_TOKEN}`), (_, response) =>
      sendJson(response, 303, {}, { location: '/results/1' }),
    );
    const carrier = carrierAt(server.url, { poll });
    const answer = await carrier.quote(request, context);
    await carrier.resume!(request, resumeWith(answer.pending!.keep!)).catch(() => {});
    expect(server.requests.map(({ url }) => decodeURI(url))).toEqual([
      '/quotes?form=ho3',
      `/jobs?a={{fields.last_name}}&b=\${CARRIER_TOKEN}`,
      '/results/1',
    ]);
  });

  it.each([
    [200, { state: 'run' }, {}, { outcome: 'pending', pending: { pollAfterMs: 2000, keep: { looks: 1 } } }],
    [202, {}, { 'retry-after': '60' }, { outcome: 'pending', pending: { pollAfterMs: 60_000 } }],
    [200, done, {}, { outcome: 'quoted', premiumCents: 184_350n }],
    [200, { state: 'no' }, {}, { outcome: 'declined' }],
    [200, { state: 'broken' }, {}, { kind: 'invalid', code: 'job_failed' }],
    [200, { state: 'else' }, {}, { kind: 'failed', code: 'unknown_job_state' }],
    [500, {}, {}, { kind: 'failed', code: 'http_500' }],
    [302, {}, {}, { kind: 'unreadable', code: 'http_302' }],
    [200, 'Busy', {}, { kind: 'unreadable', code: 'not_json' }],
    [404, {}, {}, { kind: 'invalid', code: 'http_404' }],
  ])('with the poll answer %i %j %j', async (status, body, headers, expected) => {
    await using server = await takes(at('/jobs/7'), (_, response) => sendJson(response, status, body, headers));
    const carrier = carrierAt(server.url, { poll });
    const kept = { job: `${server.url}/jobs/7`, looks: 0, steps: {} };
    expect(await carrier.resume!(request, resumeWith(kept)).catch((error: unknown) => error)).toMatchObject(expected);
  });
});

describe('a referral of a carrier', () => {
  const refer = { decision: 'refer', quote: { id: 'Q-7', premium: 900 } };
  const referred = (location: string | undefined): Answer => {
    return (_, response) => sendJson(response, 200, refer, location === undefined ? {} : { location });
  };

  it.each([
    ['is final where the file does not say that it goes on', { poll }, '/jobs/7'],
    ['is final where it names no job', { poll, referrals: true }, undefined],
  ])('%s', async (_, job, location) => {
    await using server = await takes(referred(location), () => {});
    const answer = await carrierAt(server.url, job).quote(request, context);
    expect(answer).toMatchObject({ outcome: 'referred', premiumCents: 90_000n });
    expect(answer.pending).toBeUndefined();
  });

  it('that names its job continues until another answer replaces it', async () => {
    let looks = 0;
    await using server = await takes(referred('/jobs/7'), (_, response) => {
      looks++;
      sendJson(response, 200, looks < 3 ? { state: 'run' } : looks < 5 ? { ...refer, state: 'ok' } : done);
    });
    const job = { poll: { ...poll, every_ms: 1 }, referrals: true };
    const adapter = carrierAt(server.url, job, { offers: [{ form_types: ['ho3'] }] });
    await using bench = await createBench(engines[0]!, [adapter]);
    const { quote_request_id: id } = await bench.quotes.create('team-1', { ...exampleBody, form_types: ['ho3'] });
    await expect
      .poll(async () => (await bench.quotes.compare('team-1', id))!.rates[0]?.premium, { timeout: 60_000 })
      .toBe('1843.50');
    const [rate] = (await bench.quotes.status('team-1', id))!.rate_index;
    const history = (await bench.quotes.history('team-1', rate!.id))!;
    expect(history.map(({ to, reason }) => `${to} ${reason}`)).toEqual([
      'processing undefined',
      'success referred',
      'success quoted',
    ]);
    expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(looks).toBe(5);
  });

  it('can be found by its name in the answer', async () => {
    await using server = await takes(referred(undefined), (_, response) => sendJson(response, 200, done));
    const own = { request: { method: 'GET', url: `${server.url}/status/{{job}}` } };
    const carrier = carrierAt(server.url, { at: { path: '/quote/id' }, poll: own, referrals: true });
    const answer = await carrier.quote(request, context);
    expect(answer).toMatchObject({ outcome: 'referred', pending: { keep: { job: 'Q-7' } } });
    expect(await carrier.resume!(request, resumeWith(answer.pending!.keep!))).toMatchObject({ outcome: 'quoted' });
    expect(server.requests.at(-1)!.url).toBe('/status/Q-7');
  });
});

describe('a callback of a carrier', () => {
  const signature = {
    header: 'X-Signature',
    secret: '$' + '{CARRIER_HOOK}',
    prefix: 'sha256=',
    signed: '{{timestamp}}.{{body}}',
    timestamp_header: 'X-Time',
  };
  const callback = { signature, id: { path: '/event' }, reference: { path: '/rate' } };
  const now = 1_800_000_000_000;
  const sent = (body: string | Buffer, { time = String(now / 1000), key = 'secret of CARRIER_HOOK' } = {}) => ({
    headers: {
      'x-time': time,
      'x-signature': `sha256=${createHmac('sha256', key).update(`${time}.`).update(body).digest('hex')}`,
    },
    body: Buffer.from(body),
    receivedAtMs: now,
  });
  const body = JSON.stringify({ event: 'e-1', rate: 'rate-1', decision: 'approved', quote: { premium: 10 } });

  it('is accepted if signed, with an answer or a notification', async () => {
    await using server = await takes(at('/jobs/7'), () => {});
    const both = carrierAt(server.url, { poll, callback });
    expect((await both.quote(request, context)).pending).toMatchObject({ reference: 'rate-1', pollAfterMs: 1000 });
    expect(await both.verifyCallback!(sent(body))).toEqual({ id: 'e-1', reference: 'rate-1', answer: undefined });
    const alone = carrierAt(server.url, { callback: { ...callback, response: { premium: '/quote/premium' } } });
    expect((await alone.quote(request, context)).pending).toMatchObject({
      reference: 'rate-1',
      pollAfterMs: undefined,
    });
    expect(await alone.verifyCallback!(sent(body))).toMatchObject({ answer: { premiumCents: 1000n } });
  });

  it('that brings a referral keeps waiting for the next answer', async () => {
    await using server = await takes(
      (_, response) => sendJson(response, 202, {}, { location: '/jobs/7' }),
      () => {},
    );
    const response = {
      outcome: { path: '/decision', values: { refer: 'referred', approved: 'quoted' } },
      premium: '/quote/premium',
    };
    const referral = sent(JSON.stringify({ event: 'e-2', rate: 'rate-1', decision: 'refer' }));
    const verify = (job: object) => carrierAt(server.url, job).verifyCallback!(referral);
    const answering = { ...callback, response };
    expect(verify({ callback: answering })).toMatchObject({ answer: { outcome: 'referred' } });
    expect(verify({ callback: answering })).not.toHaveProperty('answer.pending');
    expect(verify({ callback: answering, referrals: true })).toMatchObject({
      answer: { outcome: 'referred', pending: { reference: 'rate-1' } },
    });
    // The next poll brings the referral, with the data for the poll after it.
    expect(verify({ callback: answering, poll, referrals: true })).toMatchObject({ answer: undefined });
  });

  it('is read in its encoding', () => {
    const carrier = carrierAt('https://carrier.example', { poll, callback });
    const received = sent(Buffer.from(body.replace('e-1', 'é-1'), 'latin1'));
    const headers = { ...received.headers, 'content-type': 'application/json; charset=iso-8859-1' };
    expect(carrier.verifyCallback!({ ...received, headers })).toMatchObject({ id: 'é-1' });
  });

  it('needs a reference in the answer', async () => {
    await using server = await takes(at('/jobs/7'), () => {});
    const named = { ...callback, response: { premium: '/quote/premium' } };
    const carrier = carrierAt(server.url, { callback: named, reference: { path: '/nowhere' } });
    await expect(carrier.quote(request, context)).rejects.toMatchObject({ kind: 'unreadable', code: 'no_reference' });
  });

  it.each([-300, 300])('is accepted %i seconds from its date', (seconds) => {
    const carrier = carrierAt('https://carrier.example', { poll, callback });
    const received = sent(body, { time: String(now / 1000 + seconds) });
    expect(carrier.verifyCallback!(received)).toMatchObject({ id: 'e-1' });
  });

  it.each([
    ['forged', sent(body, { key: 'another' })],
    ['old', sent(body, { time: String(now / 1000 - 301) })],
    ['from the future', sent(body, { time: String(now / 1000 + 301) })],
    ['from the far future', sent(body, { time: '99999999999' })],
    ['of no time', sent(body, { time: 'now' })],
    ['changed', { ...sent(body), body: Buffer.from(body.replace('10', '11')) }],
    ['unsigned', { ...sent(body), headers: {} }],
  ])('is rejected if it is %s', (_, received) => {
    const carrier = carrierAt('https://carrier.example', { poll, callback });
    expect(() => carrier.verifyCallback!(received)).toThrow(/signature|timestamp/);
  });

  it.each([
    [{}, '/job', 'cannot_wait'],
    [{ callback }, '/job/callback/response', 'required'],
    [
      { poll, callback: { ...callback, signature: { ...signature, signed: '{{body}}' } } },
      '/job/callback/signature/signed',
      'invalid_value',
    ],
    [
      { poll, callback: { ...callback, signature: { ...signature, signed: 'x' } } },
      '/job/callback/signature/signed',
      'invalid_value',
    ],
  ])('is described with a fault by %j', (job, path, code) => {
    expect(described('https://carrier.example', job).faults).toContainEqual({
      path,
      code,
      message: expect.any(String),
    });
  });
});
