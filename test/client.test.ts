import { createClient } from '@leeward/http/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from './support/demo.ts';
import { operatorToken, runJourney } from './support/journey.ts';

/** The routes of `service.md` 4, as it numbers them. */
const asked = [
  '/v1/underwrite/home',
  '/v1/underwrite/home/{organization_id}',
  '/v1/underwrite/condo',
  '/v1/underwrite/condo/{organization_id}',
  '/v1/underwrite/flood',
  '/v1/underwrite/flood/{organization_id}',
  '/api/v1/quote/request',
  '/api/v1/quote/{quote}',
  '/api/v1/rate/{rate}',
  '/api/v1/quote/carriers',
  '/v1/distance-to-coast',
].map((path) => `POST ${path}`);

describe('the generated client against a demo', () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await startDemo({
      signIn: true,
      environment: { LEEWARD_LOG_LEVEL: 'silent', LEEWARD_OPERATOR_TOKEN: operatorToken },
    });
  });
  afterAll(() => demo.stop());

  it('calls every operation, and each succeeds', async () => {
    const document = (await (await fetch(`${demo.url}/openapi.json`)).json()) as { paths: Record<string, object> };
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const done = await runJourney(demo.url, demo.keys);
    for (const operation of asked) expect(done).toContain(operation);
    expect([...done].sort()).toEqual(operations.sort());
  });

  it('gives the problem where one is answered', async () => {
    const client = createClient({ baseUrl: demo.url, token: async () => demo.keys.api_key });
    const { data, error, response } = await client.POST('/v1/underwrite/home', { body: { state: 'tx', roof_age: 3 } });
    expect(data).toBeUndefined();
    expect(response.status).toBe(422);
    expect(error).toMatchObject({ code: 'invalid_request', errors: [{ path: '/roof_type', code: 'required_with' }] });
    const stranger = createClient({ baseUrl: demo.url });
    const refused = await stranger.POST('/v1/distance-to-coast', { body: { lat: 25.7, lng: -80.1 } });
    expect(refused.error?.code).toBe('unauthenticated');
  });

  it('does not compile what does not fit', async () => {
    const client = createClient({ baseUrl: demo.url, token: demo.keys.api_key });
    // @ts-expect-error A state is required.
    const without = await client.POST('/v1/underwrite/home', { body: { county: 'harris' } });
    expect(without.response.status).toBe(422);
    // @ts-expect-error There is no such path.
    const nowhere = await client.POST('/v1/underwrite/hose', { body: {} });
    expect(nowhere.response.status).toBe(404);
    // @ts-expect-error A number is no coast.
    const wrong = await client.POST('/v1/distance-to-coast', { body: { lat: 25.7, lng: -80.1, coast: 7 } });
    expect(wrong.response.status).toBe(422);
  });
});
