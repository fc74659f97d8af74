import fc from 'fast-check';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { sampleService } from '../../../../../test/support/sample-service.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createRouteTable } from './route-table.ts';

const table = createRouteTable([
  { method: 'post', path: '/quote/{quote}' },
  { method: 'post', path: '/quote/carriers' },
  { method: 'get', path: '/healthz' },
  { method: 'post', path: '/quote/{quote}/cancel' },
]);
const pathOf = (method: string, path: string) => table.find(method, path).operation?.path;

it('prefers fixed paths to parameters', () => {
  expect(pathOf('POST', '/quote/carriers')).toBe('/quote/carriers');
  expect(table.find('POST', '/quote/a%2Fb%20c')).toMatchObject({ params: { quote: 'a/b c' } });
  expect(pathOf('POST', '/quote/x/cancel')).toBe('/quote/{quote}/cancel');
  expect(pathOf('POST', '/qu%6Fte/carr%69ers')).toBe('/quote/carriers');
  expect(table.find('POST', '/quote/%E0%A4%A')).toMatchObject({ params: { quote: '%E0%A4%A' } });
  expect(table.find('POST', '/quote/__proto__')).toMatchObject({ params: { quote: '__proto__' } });
  expect(pathOf('HEAD', '/healthz')).toBe('/healthz');
});

it('lists the methods of a path with another method', () => {
  expect(table.find('PUT', '/quote/carriers')).toEqual({ operation: undefined, methods: ['POST'] });
  expect(table.find('POST', '/healthz')).toEqual({ operation: undefined, methods: ['GET', 'HEAD'] });
  for (const path of ['/', '', '/quote/', '/quote', '/quote//cancel', '/healthz/', '//healthz', '/HEALTHZ'])
    expect(table.find('POST', path)).toEqual({ operation: undefined, methods: [] });
});

it('finds what Hono finds for the same templates', async () => {
  const routes = Object.entries(sampleService().document().paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method as 'get' | 'post', path })),
  );
  const ours = createRouteTable(routes);
  const hono = new Hono();
  // Hono takes the first that fits, so what is fixed comes first.
  for (const { method, path } of routes.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length))
    hono.on(method.toUpperCase(), path.replaceAll(/\{(.+?)\}/g, ':$1'), (c) => c.json([path, c.req.param()]));
  const some = routes.flatMap(({ path }) => path.slice(1).split('/'));
  const parts = fc.constantFrom(...new Set(some), 'org_acme', 'h%6Fme', '', 'é', '%zz', '..');
  const whole = fc.constantFrom(...routes.map(({ path }) => path.replaceAll(/\{.+?\}/g, 'a%2Fb')));
  const paths = fc.oneof(
    whole,
    fc.array(parts, { maxLength: 4 }).map((all) => `/${all.join('/')}`),
  );
  const found = new Set<string>();
  await fc.assert(
    fc.asyncProperty(paths, fc.constantFrom('POST', 'GET', 'PUT', 'HEAD'), async (given, method) => {
      const url = new URL(`http://localhost${given}`);
      const { operation, ...rest } = ours.find(method, url.pathname);
      const answer = await hono.fetch(new Request(url, { method: method === 'HEAD' ? 'GET' : method }));
      const onHono = answer.status === 404 ? [undefined, undefined] : await answer.json();
      expect([operation?.path, operation && 'params' in rest ? rest.params : undefined]).toEqual(onHono);
      found.add(operation?.path ?? '');
    }),
    { numRuns: testVolume(300) },
  );
  expect(found.size).toBeGreaterThan(routes.length / 2);
});
