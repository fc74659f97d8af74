import { describe, expect, it } from 'vitest';
import { ask, problemOf, sampleService } from '../../../../../test/support/sample-service.ts';
import type { OpenOperation } from '../operation/operation.ts';
import { RequestContext } from '../operation/request-context.ts';
import { incomingOf } from '../request/incoming.ts';
import { operationalRoutes } from './operational.ts';

const get = { method: 'GET', token: null } as const;

describe('/healthz and /readyz', () => {
  it('report that the process is up, even if a store is down', async () => {
    const leeward = sampleService({ readiness: { store: () => Promise.reject(new Error('10.1.2.3 refused')) } });
    expect(await (await ask(leeward, '/healthz', get)).json()).toEqual({ status: 'ok' });
    const response = await ask(leeward, '/readyz', get);
    expect(response.status).toBe(503);
    const problem = await problemOf(response);
    expect(problem).toMatchObject({ code: 'unavailable', checks: { store: 'unavailable' } });
    expect(JSON.stringify(problem)).not.toContain('10.1.2.3');
  });

  it('name each part that is ready', async () => {
    const leeward = sampleService({ readiness: { store: async () => {}, queue: () => 'up' } });
    const response = await ask(leeward, '/readyz', get);
    expect(await response.json()).toEqual({ status: 'ready', checks: { store: 'ok', queue: 'ok' } });
  });

  it('name a part that cannot be written to, and a risk that there is', async () => {
    const full = Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
    const stuck = sampleService({ readiness: { store: () => Promise.reject(full), queue: () => 'up' } });
    const problem = await problemOf(await ask(stuck, '/readyz', get));
    expect(problem).toMatchObject({ status: 503, checks: { store: 'unwritable', queue: 'ok' } });
    expect(problem.detail).toContain('disk full');
    const warnings = [{ code: 'personal_data_unencrypted', message: 'In plain text.' }];
    const leeward = sampleService({ readiness: { store: async () => {} }, warnings });
    const response = await ask(leeward, '/readyz', get);
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: 'ready', checks: { store: 'ok' }, warnings },
    ]);
  });

  it('share one check among concurrent requests', async () => {
    let checks = 0;
    const store = Promise.withResolvers<void>();
    const readiness = {
      store: () => {
        checks++;
        return store.promise;
      },
    };
    const leeward = sampleService({ readiness });
    const answers = Array.from({ length: 20 }, () => ask(leeward, '/readyz', get));
    await ask(leeward, '/healthz', get);
    store.resolve();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(checks).toBe(1);
    expect((await ask(leeward, '/readyz', get)).status).toBe(200);
    expect(checks).toBe(2);
  });

  it('do not wait for a part that never answers', async () => {
    const { operations } = operationalRoutes({
      readiness: { queue: () => new Promise(() => {}) },
      document: () => ({}) as never,
      checkTimeoutMs: 20,
    });
    const readiness = operations.find(({ operationId }) => operationId === 'readiness') as OpenOperation;
    const incoming = incomingOf(new Request('http://leeward.test/'), undefined);
    const matched = { requestId: '', route: '/readyz', operationId: 'readiness', basePath: '', params: {} };
    await expect(readiness.handle(new RequestContext(incoming, matched))).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  it('answer HEAD as GET without a body, and 405 to anything else', async () => {
    const leeward = sampleService();
    const head = await ask(leeward, '/healthz', { ...get, method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    const post = await ask(leeward, '/healthz', { body: {} });
    expect(post.status).toBe(405);
    expect(post.headers.get('allow')).toBe('GET, HEAD');
  });
});
