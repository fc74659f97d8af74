import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withVerdict } from '@leeward/quotes';
import { carrierAdapterSuite, exampleFields } from '@leeward/quotes/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { checkHttpCarrier } from './http/check-http-carrier.ts';
import { createHttpCarrier } from './http/http-carrier.ts';
import { checkRatingPlan } from './rate-table/check-plan.ts';
import { createRateTableCarrier } from './rate-table/rate-table-carrier.ts';
import { exampleCarrier } from './testing/example-carrier.ts';
import { examplePlan } from './testing/example-plan.ts';
import { createTestServer, sendJson, type TestServer } from './testing/test-server.ts';

const { plan } = checkRatingPlan(examplePlan);

describe('a rate-table carrier', () => {
  for (const { name, run } of carrierAdapterSuite({ create: () => createRateTableCarrier({ plans: [plan!] }) }))
    it(name, run);
});

const fixtures = fileURLToPath(new URL('../../../../fixtures/carriers/', import.meta.url));
const rated = (await readdir(fixtures)).filter((key) => existsSync(join(fixtures, key, 'rating-plan.json')));

describe.each(rated)('the carrier %s of the fixtures', async (key) => {
  const file: unknown = JSON.parse(await readFile(join(fixtures, key, 'rating-plan.json'), 'utf8'));
  const { plan: own } = checkRatingPlan(file);
  const [program] = own!.programs;
  const fields = { ...exampleFields, state: program!.states[0]! };
  const create = () => createRateTableCarrier({ plans: [own!] });
  for (const { name, run } of carrierAdapterSuite({ create, fields })) it(name, run);
});

describe('a rate-table carrier with rules', () => {
  const create = () =>
    withVerdict(createRateTableCarrier({ plans: [plan!] }), async () => ({
      status: 'needs_information',
      reasons: [],
      missingFields: ['roof_age'],
    }));
  for (const { name, run } of carrierAdapterSuite({ create })) it(name, run);
});

describe('a carrier over HTTP', async () => {
  const quoted = new Map<string, unknown>();
  const server: TestServer = await createTestServer((request, response) => {
    const key = String(request.headers['idempotency-key']);
    if (request.method === 'GET') return sendJson(response, quoted.has(key) ? 200 : 404, quoted.get(key) ?? {});
    const answer = quoted.get(key) ?? { decision: 'APPROVED', quote: { id: `Q-${quoted.size}`, premium: 1843.5 } };
    quoted.set(key, answer);
    sendJson(response, 200, answer);
  });
  afterAll(() => server[Symbol.asyncDispose]());
  const secrets = (name: string) => (name === 'CARRIER_TOKEN' ? 'secret' : undefined);
  const { carrier, faults } = checkHttpCarrier(exampleCarrier(server.url), { secrets });
  it('is described without faults', () => expect(faults).toEqual([]));
  for (const { name, run } of carrierAdapterSuite({ create: () => createHttpCarrier(carrier!, { secrets }) }))
    it(name, run);
});
