import { describe, expect, it } from 'vitest';
import { ask, problemOf, sampleService, tokens } from '../../../../test/support/sample-service.ts';
import { createLeeward } from './leeward.ts';
import { Problem } from './problem/problem.ts';
import { problemSchema } from './problem/problem-document.ts';
import { createMemoryRateLimitStore } from './rate-limit/memory-store.ts';

const home = '/v1/underwrite/home';

describe('the order of errors', () => {
  const leeward = sampleService({ rateLimit: { perMinute: 1, burst: 1 } });
  const big = `{"state": "tx", "x_note": "${'x'.repeat(256 * 1024)}"}`;
  // Everything is wrong at first; each step mends one thing more.
  const wrong = { token: null, headers: { 'content-type': 'text/plain' }, body: big } as const;

  it('takes the route before the token', async () => {
    expect((await ask(leeward, '/v1/underwrite/hose', wrong)).status).toBe(404);
    const response = await ask(leeward, home, { ...wrong, method: 'PUT' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });

  it('takes the token before the scope, the scope before the tenant, and those before the announcement', async () => {
    const unknown = await ask(leeward, `${home}/org_other`, wrong);
    expect(unknown.status).toBe(401);
    expect(unknown.headers.get('www-authenticate')).toBe('Bearer');
    expect((await ask(leeward, `${home}/org_other`, { ...wrong, token: tokens.distanceOnly })).status).toBe(403);
    expect((await ask(leeward, `${home}/org_other`, { ...wrong, token: tokens.acme })).status).toBe(404);
    expect((await ask(leeward, '/v1/underwrite/renters', wrong)).status).toBe(401);
    expect((await ask(leeward, '/v1/underwrite/renters', { ...wrong, token: tokens.distanceOnly })).status).toBe(403);
    expect((await ask(leeward, '/v1/underwrite/umbrella/org_other', { ...wrong, token: tokens.acme })).status).toBe(
      404,
    );
    expect((await ask(leeward, '/v1/underwrite/umbrella/org_acme', { ...wrong, token: tokens.acme })).status).toBe(501);
  });

  it('takes the announcement before the limit, and the limit before the body', async () => {
    const limited = sampleService({ rateLimit: { perMinute: 1, burst: 1 } });
    expect((await ask(limited, home, { body: { state: 'tx' } })).status).toBe(200);
    expect((await ask(limited, '/v1/underwrite/renters', { ...wrong, token: tokens.acme })).status).toBe(501);
    const response = await ask(limited, home, { ...wrong, token: tokens.acme });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(response.headers.get('ratelimit')).toMatch(/^"burst";r=0;t=\d+$/);
  });

  it('takes the media type before the size, the size before the JSON, and the JSON before the schema', async () => {
    const unlimited = sampleService();
    expect((await ask(unlimited, home, { ...wrong, token: tokens.acme })).status).toBe(415);
    expect((await ask(unlimited, home, { body: big })).status).toBe(413);
    expect((await ask(unlimited, home, { body: '{"state": "tx", "rof_age": ' })).status).toBe(400);
    expect((await ask(unlimited, home, { body: { rof_age: 3 } })).status).toBe(422);
  });
});

describe('a problem', () => {
  it('is problem details with the id of its request', async () => {
    const response = await ask(sampleService(), home, { body: {}, headers: { 'x-request-id': 'trip-1' } });
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('x-request-id')).toBe('trip-1');
    const problem = await problemOf(response);
    expect(problemSchema.strict().parse(problem)).toEqual(problem);
    expect(problem).toMatchObject({ status: 422, code: 'invalid_request', request_id: 'trip-1' });
  });

  it('hides the text of an internal error, and logs it once', async () => {
    const errors: object[] = [];
    const leeward = sampleService({
      logger: { info: () => {}, error: (fields) => errors.push(fields) },
      routes: [
        {
          name: 'broken',
          description: 'Fails.',
          operations: [
            {
              method: 'get',
              path: '/broken',
              operationId: 'broken',
              tag: 'broken',
              summary: 'Fails',
              access: 'anyone',
              answers: {},
              handle: () => {
                throw new Error('SELECT secret FROM /var/lib');
              },
            },
          ],
        },
      ],
    });
    const response = await ask(leeward, '/broken', { method: 'GET', token: null });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toMatch(/SELECT|var/);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ status: 500, problem: 'internal_error', err: expect.any(Error) });
  });

  it('is 503 where the directory or the organizations are out of reach', async () => {
    const gone = async () => {
      throw new Error('connect ECONNREFUSED 10.0.0.1:5432');
    };
    const response = await ask(sampleService({ directory: { authenticate: gone } }), home, { body: { state: 'tx' } });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.text()).not.toContain('10.0.0.1');
  });
});

describe('every answer', () => {
  it('carries a request id: the caller’s own only when sane', async () => {
    const leeward = sampleService();
    const idOf = async (given: string) =>
      (await ask(leeward, '/healthz', { method: 'GET', headers: { 'x-request-id': given } })).headers.get(
        'x-request-id',
      );
    expect(await idOf('0198c0de-1234')).toBe('0198c0de-1234');
    expect(await idOf('0198c0de-1234-7abc-8def-0123456789ab')).toBe('0198c0de-1234-7abc-8def-0123456789ab');
    const holding = [tokens.acme, `trip-${tokens.acme}`, `a_${tokens.acme.slice(0, 40)}`, '352-555-0142'];
    for (const insane of ['', 'a b', '<script>', 'x'.repeat(129), '-starts', ...holding]) {
      expect(await idOf(insane)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('has the same security headers on every answer', async () => {
    const leeward = sampleService();
    for (const [path, options] of [
      ['/healthz', { method: 'GET' }],
      [home, { body: { state: 'tx' } }],
      [home, { body: '{' }],
      ['/nowhere', {}],
    ] as const) {
      const { headers } = await ask(leeward, path, options);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  it('reports the limit of each token', async () => {
    // The clock does not move, so no units come back.
    const rateLimitStore = createMemoryRateLimitStore({ nowMs: () => 0 });
    const leeward = sampleService({ rateLimit: { perMinute: 60, burst: 2 }, rateLimitStore });
    const first = await ask(leeward, home, { body: { state: 'tx', policy_type: 'ho3' } });
    expect(first.headers.get('ratelimit-policy')).toBe(
      '"sustained";q=60;w=60, "burst";q=2;w=2, "organization";q=300;w=60, "organization-burst";q=10;w=2',
    );
    expect(first.headers.get('ratelimit')).toBe('"burst";r=1;t=1');
    await ask(leeward, home, { body: { state: 'tx', policy_type: 'ho3' } });
    expect((await ask(leeward, home, { body: { state: 'tx', policy_type: 'ho3' } })).status).toBe(429);
    expect((await ask(leeward, home, { token: tokens.other, body: { state: 'tx', policy_type: 'ho3' } })).status).toBe(
      200,
    );
  });

  it('is let through when the counter is out of reach', async () => {
    const rateLimitStore = { take: () => Promise.reject(new Error('redis is away')) };
    const leeward = sampleService({ rateLimit: { perMinute: 1, burst: 1 }, rateLimitStore });
    for (let time = 0; time < 3; time++) {
      expect((await ask(leeward, home, { body: { state: 'tx' } })).status).toBe(200);
    }
  });
});

describe('mounting', () => {
  it('answers below the base path only', async () => {
    const leeward = sampleService({ basePath: '/insurance' });
    expect((await ask(leeward, `/insurance${home}`, { body: { state: 'tx' } })).status).toBe(200);
    expect((await ask(leeward, home, { body: { state: 'tx' } })).status).toBe(404);
    expect((await ask(leeward, `/insurance${home}`, { method: 'GET' })).headers.get('allow')).toBe('POST');
    expect(leeward.document().servers).toEqual([{ url: '/insurance' }]);
  });

  it('mounts only the parts whose ports are given', async () => {
    const leeward = sampleService();
    expect(Object.keys(leeward.document().paths ?? {})).toContain(home);
    const bare = createLeeward({ directory: { authenticate: async () => undefined } });
    expect(Object.keys(bare.document().paths ?? {})).toEqual([
      '/v1/token',
      '/healthz',
      '/readyz',
      '/openapi.json',
      '/docs',
    ]);
    expect((await ask(bare, home, { body: {} })).status).toBe(404);
  });

  it('lets a group of a host’s own throw any problem', async () => {
    const leeward = sampleService({
      routes: [
        {
          name: 'notes',
          description: 'A host’s own.',
          operations: [
            {
              method: 'get',
              path: '/notes/{note}',
              operationId: 'note',
              tag: 'notes',
              summary: 'A note',
              access: 'anyone',
              answers: {},
              handle: ({ params }) => {
                throw new Problem('unavailable', `No ${params['note']} today.`, { headers: { 'retry-after': '9' } });
              },
            },
          ],
        },
      ],
    });
    const response = await ask(leeward, '/notes/a%20b', { method: 'GET', token: null });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('9');
    expect((await problemOf(response)).detail).toBe('No a b today.');
  });
});
