import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRouteTable } from './route-table.ts';
import { ask, sampleService } from './testing/sample-service.ts';

const table = createRouteTable([
  { method: 'post', path: '/quote/{quote}' },
  { method: 'post', path: '/quote/carriers' },
  { method: 'get', path: '/healthz' },
  { method: 'post', path: '/quote/{quote}/cancel' },
]);
const pathOf = (method: string, path: string) => table.find(method, path).operation?.path;

it('takes what is fixed before what is named', () => {
  expect(pathOf('POST', '/quote/carriers')).toBe('/quote/carriers');
  expect(table.find('POST', '/quote/a%2Fb%20c')).toMatchObject({ params: { quote: 'a/b c' } });
  expect(pathOf('POST', '/quote/x/cancel')).toBe('/quote/{quote}/cancel');
  expect(pathOf('POST', '/qu%6Fte/carr%69ers')).toBe('/quote/carriers');
  expect(table.find('POST', '/quote/%E0%A4%A')).toMatchObject({ params: { quote: '%E0%A4%A' } });
  expect(table.find('POST', '/quote/__proto__')).toMatchObject({ params: { quote: '__proto__' } });
  expect(pathOf('HEAD', '/healthz')).toBe('/healthz');
});

it('names the methods of a path asked with another, and none of no path', () => {
  expect(table.find('PUT', '/quote/carriers')).toEqual({ operation: undefined, methods: ['POST'] });
  expect(table.find('POST', '/healthz')).toEqual({ operation: undefined, methods: ['GET', 'HEAD'] });
  for (const path of ['/', '', '/quote/', '/quote', '/quote//cancel', '/healthz/', '//healthz', '/HEALTHZ'])
    expect(table.find('POST', path)).toEqual({ operation: undefined, methods: [] });
});

it('answers as the same application on Hono does', async () => {
  const leeward = sampleService();
  const parts = fc.constantFrom(
    'v1',
    'underwrite',
    'home',
    'condo',
    'org_acme',
    'healthz',
    'h%6Fme',
    '',
    'é',
    '%zz',
    '..',
  );
  const paths = fc.array(parts, { maxLength: 4 }).map((all) => `/${all.join('/')}`);
  await fc.assert(
    fc.asyncProperty(paths, fc.constantFrom('POST', 'GET', 'PUT', 'HEAD'), async (path, method) => {
      const options = { method, ...(method === 'POST' ? { body: { state: 'tx' } } : {}) };
      const ours = await ask(leeward, path, options);
      const onHono = await ask({ ...leeward, fetch: async (request) => leeward.app.fetch(request) }, path, options);
      expect([path, ours.status, ours.headers.get('allow')]).toEqual([
        path,
        onHono.status,
        onHono.headers.get('allow'),
      ]);
    }),
    { numRuns: 200 },
  );
});
