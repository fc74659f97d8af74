import { describe, expect, it } from 'vitest';
import { ask, problemOf, sampleService, tokens } from '../../../../../test/support/sample-service.ts';
import { guarded } from '../operation/operation.ts';
import { createFairScheduler } from './fair-scheduler.ts';

const home = '/v1/underwrite/home';
const underwrite = (leeward: ReturnType<typeof sampleService>, token: string = tokens.acme) =>
  ask(leeward, home, { token, body: { state: 'tx' } });

/** A request whose body the test sends later. */
function slowBody(leeward: ReturnType<typeof sampleService>, token: string = tokens.acme) {
  const { promise: whole, resolve: finish } = Promise.withResolvers<void>();
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(encoder.encode('{"state":'));
      await whole;
      controller.enqueue(encoder.encode('"tx"}'));
      controller.close();
    },
  });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'transfer-encoding': 'chunked',
  };
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
  return { finish, answer: leeward.fetch(new Request(`http://leeward.test${home}`, init)) };
}

/** An operation that the test ends. */
function waiting() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let begun = 0;
  const operation = guarded<undefined>({
    method: 'post',
    path: '/wait',
    operationId: 'wait',
    tag: 'wait',
    summary: 'Waits',
    access: { scopes: ['underwrite'] },
    requestBody: { name: 'Wait', schema: {}, optional: true },
    answers: { 200: { description: 'It is over.', content: 'text/plain' } },
    locate: () => undefined,
    async handle() {
      begun++;
      await promise;
      return { status: 200, text: 'over', contentType: 'text/plain' };
    },
  });
  /** Resolves when so many are at work. */
  const areBegun = async (count: number) => {
    while (begun < count) await new Promise(setImmediate);
  };
  return { end: resolve, areBegun, routes: [{ name: 'wait', description: 'Waits.', operations: [operation] }] };
}

describe('bodies on their way', () => {
  it('do not block other requests', async () => {
    const leeward = sampleService({ overload: { maxInFlight: 10 } });
    const slow: ReturnType<typeof slowBody>[] = [];
    for (let body = 0; body < 50; body++) {
      slow.push(slowBody(leeward));
      await new Promise(setImmediate);
    }
    expect((await underwrite(leeward)).status).toBe(200);
    expect((await underwrite(leeward, tokens.other)).status).toBe(200);
    for (const { finish, answer } of slow) {
      finish();
      expect((await answer).status).toBe(200);
    }
  });

  it('are a tenant’s own affair where there are too many of them', async () => {
    const leeward = sampleService({ overload: { maxAwaitedBytes: 2 * 256 * 1024 } });
    const slow = [slowBody(leeward), slowBody(leeward)];
    await new Promise(setImmediate);
    const refused = await slowBody(leeward).answer;
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    const other = slowBody(leeward, tokens.other);
    other.finish();
    expect((await other.answer).status).toBe(200);
    for (const { finish, answer } of slow) {
      finish();
      expect((await answer).status).toBe(200);
    }
    expect((await underwrite(leeward)).status).toBe(200);
  });

  it('are answered 408 if they do not arrive in time', async () => {
    const leeward = sampleService({ requestTimeoutMs: 20 });
    const response = await slowBody(leeward).answer;
    expect(response.status).toBe(408);
    expect(await problemOf(response)).toMatchObject({ code: 'request_timeout' });
  });

  it('are not read for a token that is not good', async () => {
    const response = await slowBody(sampleService(), tokens.expired).answer;
    expect(response.status).toBe(401);
  });
});

describe('what is at work', () => {
  it('refuses requests of a busy tenant and admits those of others', async () => {
    const { end, areBegun, routes } = waiting();
    const leeward = sampleService({ overload: { maxInFlight: 4 }, routes });
    const all = Array.from({ length: 4 }, () => ask(leeward, '/wait'));
    await areBegun(4);
    const refused = await underwrite(leeward);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await underwrite(leeward, tokens.other)).status).toBe(200);
    end();
    for (const answer of all) expect((await answer).status).toBe(200);
    expect((await underwrite(leeward)).status).toBe(200);
  });

  it('is bounded where the directory does not answer, before anything is looked at, while /healthz goes on', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let asked = 0;
    const directory = {
      authenticate() {
        asked++;
        return promise;
      },
    };
    const leeward = sampleService({ directory, overload: { maxInFlight: 1 } });
    const first = underwrite(leeward);
    const second = await underwrite(leeward);
    expect(second.status).toBe(503);
    expect(second.headers.get('retry-after')).toBe('1');
    expect(await problemOf(second)).toMatchObject({ code: 'unavailable' });
    expect(asked).toBe(1);
    for (const path of ['/healthz', '/readyz', '/openapi.json'])
      expect((await ask(leeward, path, { method: 'GET', token: null })).status).toBe(200);
    resolve(undefined);
    expect((await first).status).toBe(401);
    expect((await underwrite(leeward)).status).toBe(401);
  });

  it('is shared by address while tokens are looked up', async () => {
    const leeward = sampleService({
      directory: { authenticate: () => new Promise(() => {}) },
      overload: { maxInFlight: 2 },
      requestTimeoutMs: 60,
    });
    const from = async (remoteAddress: string) => {
      const headers = { authorization: `Bearer ${tokens.acme}`, 'content-type': 'application/json' };
      const request = new Request(`http://leeward.test${home}`, { method: 'POST', headers, body: '{}' });
      const response = await leeward.fetch(request, { incoming: { socket: { remoteAddress } } });
      return response.headers.get('retry-after');
    };
    const one = ['203.0.113.9', '203.0.113.9', '203.0.113.9'].map(from);
    const network = ['2001:db8::1', '2001:db8::2'].map(from);
    // 1: turned away at once. 5: waited in vain for the directory.
    expect(await Promise.all([...one, ...network])).toEqual(['5', '5', '1', '5', '1']);
  });
});

describe('the thread', () => {
  const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });
  const get = (path: string, token?: string, signal?: AbortSignal) =>
    new Request(`http://leeward.test${path}`, {
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
      ...(signal && { signal }),
    });
  /** Records the tenants that enter a real scheduler. */
  function recorded(isAdmitted = true) {
    const scheduler = createFairScheduler({ maxDelayMs: null });
    const tenants: string[] = [];
    const enter = (tenant: string) => {
      tenants.push(tenant);
      return isAdmitted ? scheduler.enter(tenant) : false;
    };
    return { tenants, leeward: sampleService({ scheduler: { ...scheduler, enter } }) };
  }

  it.each([
    ['a page', '/openapi.json', undefined, 200, 'network:2001:db8:0:1'],
    ['the health of the process', '/healthz', undefined, 200, 'network:2001:db8:0:1'],
    ['a path that does not exist', '/nothing', undefined, 404, 'network:2001:db8:0:1'],
    ['a method that a path lacks', home, undefined, 405, 'network:2001:db8:0:1'],
    ['a token that has expired', '/v1/token', tokens.expired, 401, 'network:2001:db8:0:1'],
    ['a token', '/v1/token', tokens.acme, 200, 'organization:org_acme'],
  ])('is shared by tenant, or by network without a token: %s', async (_, path, token, status, tenant) => {
    const { leeward, tenants } = recorded();
    const response = await leeward.fetch(get(path, token), from('2001:db8:0:1::7'));
    expect([response.status, [...new Set(tenants)]]).toEqual([status, [tenant]]);
  });

  it('is late only for tenants: requests without a token wait, and are answered', async () => {
    const { leeward } = recorded(false);
    const answers = await Promise.all(
      ['/openapi.json', '/nothing', '/healthz', '/v1/token'].map((path) => leeward.fetch(get(path))),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 401]);
    expect((await leeward.fetch(get('/v1/token', tokens.acme))).status).toBe(503);
  });

  it('does no work for a caller that left while its request waited', async () => {
    const gone = new AbortController();
    let handled = 0;
    const leaving = async () => {
      gone.abort();
      return true;
    };
    const scheduler = { ...createFairScheduler(), enter: leaving };
    const { routes } = waiting();
    const operation = {
      ...routes[0]!.operations[0]!,
      handle: () => ({ status: ++handled }),
    } as (typeof routes)[0]['operations'][0];
    const leeward = sampleService({ scheduler, routes: [{ ...routes[0]!, operations: [operation] }] });
    const request = new Request('http://leeward.test/wait', {
      ...{ method: 'POST', headers: { authorization: `Bearer ${tokens.acme}` }, signal: gone.signal },
    });
    await leeward.fetch(request);
    expect(handled).toBe(0);
  });
});
