import { describe, expect, it } from 'vitest';
import { problemOf, sampleService, tokens } from '../../../../../test/support/sample-service.ts';
import { Problem } from '../problem/problem.ts';
import type { OpenOperation, SignedOperation } from './operation.ts';

const callbacks: SignedOperation = {
  ...{ method: 'post', path: '/callback', operationId: 'callback', tag: 'test', access: 'signed', maxBodyBytes: 100 },
  ...{ summary: 'Receive a callback', answers: { 200: { description: 'Accepted.', content: 'text/plain' } } },
  problems: ['forbidden', 'conflict'],
  handle(_, body) {
    const text = new TextDecoder().decode(body);
    if (text === 'replayed') throw new Problem('conflict', 'This callback was accepted before.');
    if (text !== 'signed') throw new Problem('forbidden', 'The signature does not match.');
    return { status: 200, text: 'accepted', contentType: 'text/plain' };
  },
};

const operators: OpenOperation = {
  ...{
    method: 'get',
    path: '/state',
    operationId: 'state',
    tag: 'test',
    access: 'operator',
    summary: 'Read the state',
  },
  answers: { 200: { description: 'The state.', content: 'text/plain' } },
  handle: () => ({ status: 200, text: 'good', contentType: 'text/plain' }),
};

function service(options: Parameters<typeof sampleService>[0] = {}) {
  const routes = [{ name: 'test', description: 'Callbacks.', operations: [callbacks, operators] }];
  const leeward = sampleService({
    logger: { info() {}, error: console.log as never },
    addressRateLimit: { perMinute: 1, burst: 3 },
    routes,
    ...options,
  });
  const send = (path: string, { from = '203.0.113.9', token = '', body = '', headers = {} } = {}) => {
    const isPost = path.startsWith('/v1/') || path === '/callback';
    const init = {
      method: isPost ? 'POST' : 'GET',
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(isPost ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(isPost ? { body } : {}),
    };
    const bindings = { incoming: { socket: { remoteAddress: from } } };
    return leeward.fetch(new Request(`http://leeward.test${path}`, init), bindings);
  };
  return { leeward, send };
}
const home = '/v1/underwrite/home';
const asked = { token: tokens.acme, body: '{"state": "tx"}' };

describe('the limit of an address', () => {
  it.each([
    ['the document', '/openapi.json', {}, 200],
    ['its page', '/docs', {}, 200],
    ['paths that are not served', '/wp-login.php', {}, 404],
    ['no token', home, {}, 401],
    ['bad tokens', home, { token: 'lw_test_nobody' }, 401],
    ['expired tokens', home, { token: tokens.expired }, 401],
    ['an operation for the operator without a token', '/state', {}, 401],
    ['bad signatures', '/callback', { body: 'forged' }, 403],
  ])('holds for %s', async (_, path, request, status) => {
    const { send } = service();
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) statuses.push((await send(path, request)).status);
    expect(statuses).toEqual([status, status, status]);
    const refused = await send(path, request);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(await problemOf(refused)).toMatchObject({
      code: 'rate_limited',
      detail: expect.stringMatching(/^This address /),
    });
    expect((await send(path, { ...request, from: '203.0.113.10' })).status).toBe(status);
  });

  it('never refuses a good token, a good signature, /healthz or /readyz', async () => {
    const { send } = service();
    for (let count = 0; count < 10; count++) await send(home, { token: 'lw_test_nobody' });
    expect((await send('/docs')).status).toBe(429);
    for (let count = 0; count < 5; count++) {
      expect((await send(home, asked)).status).toBe(200);
      expect((await send('/callback', { body: 'signed' })).status).toBe(200);
      expect((await send('/healthz')).status).toBe(200);
      expect((await send('/readyz')).status).toBe(200);
    }
  });

  it('does not count requests with a valid token or signature', async () => {
    const { send } = service();
    for (let count = 0; count < 5; count++) {
      await send(home, asked);
      await send('/callback', { body: 'signed' });
      // A carrier may send a callback again.
      expect((await send('/callback', { body: 'replayed' })).status).toBe(409);
      await send('/healthz');
    }
    expect((await send('/docs')).status).toBe(200);
  });

  it('takes an IPv6 network for one address', async () => {
    const { send } = service();
    for (let count = 0; count < 3; count++) await send('/docs', { from: `2001:db8:1:2::${count + 1}` });
    expect((await send('/docs', { from: '2001:db8:1:2:ffff::1' })).status).toBe(429);
    expect((await send('/docs', { from: '2001:db8:1:3::1' })).status).toBe(200);
  });

  it('uses the client’s address behind a trusted proxy, and ignores forged ones', async () => {
    const { send } = service({ isTrustedProxy: (address) => address === '10.0.0.1' });
    const behind = (client: string, from = '10.0.0.1') =>
      send('/docs', { from, headers: { 'x-forwarded-for': client } });
    for (let count = 0; count < 3; count++) await behind('198.51.100.1');
    expect([(await behind('198.51.100.1')).status, (await behind('198.51.100.2')).status]).toEqual([429, 200]);
    for (let count = 0; count < 3; count++) await behind(`198.51.100.${count}`, '203.0.113.9');
    expect((await behind('198.51.100.77', '203.0.113.9')).status).toBe(429);
  });

  it('does not apply if it is null or the address is unknown', async () => {
    const off = service({ addressRateLimit: null });
    const { leeward } = service();
    for (let count = 0; count < 10; count++) {
      expect((await off.send('/docs')).status).toBe(200);
      expect((await leeward.fetch(new Request('http://leeward.test/docs'))).status).toBe(200);
    }
  });
});
