import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { carrierAdapterSuite } from '../testing/carrier-adapter-suite.ts';
import { exampleFields } from '../testing/example-request.ts';
import { createTestServer, sendJson, type TestServer } from '../testing/test-server.ts';
import { checkHttpCarrier } from './http/check-http-carrier.ts';
import { exampleCarrier } from './http/example-carrier.ts';
import { createHttpCarrier } from './http/http-carrier.ts';
import { checkRatingPlan } from './rate-table/check-plan.ts';
import { examplePlan } from './rate-table/example-plan.ts';
import { createRateTableCarrier } from './rate-table/rate-table-carrier.ts';
import { createSandboxCarrier } from './sandbox/sandbox-carrier.ts';
import { withVerdict } from './with-verdict.ts';

const { plan } = checkRatingPlan(examplePlan);

describe('a rate-table carrier', () => {
  for (const { name, run } of carrierAdapterSuite({ create: () => createRateTableCarrier({ plans: [plan!] }) }))
    it(name, run);
});

const fixtures = fileURLToPath(new URL('../../../../../fixtures/carriers/', import.meta.url));
const rated = (await readdir(fixtures)).filter((key) => existsSync(join(fixtures, key, 'rating-plan.json')));

describe.each(rated)('the carrier %s of the fixtures', async (key) => {
  const file: unknown = JSON.parse(await readFile(join(fixtures, key, 'rating-plan.json'), 'utf8'));
  const { plan: own } = checkRatingPlan(file);
  const [program] = own!.programs;
  const fields = { ...exampleFields, state: program!.states[0]! };
  const create = () => createRateTableCarrier({ plans: [own!] });
  for (const { name, run } of carrierAdapterSuite({ create, fields })) it(name, run);
});

describe('a rate-table carrier whose rules are asked first', () => {
  const create = () =>
    withVerdict(createRateTableCarrier({ plans: [plan!] }), async () => ({
      status: 'needs_information',
      reasons: [],
      missingFields: ['roof_age'],
    }));
  for (const { name, run } of carrierAdapterSuite({ create })) it(name, run);
});

describe('the sandbox carrier', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'leeward-ledger-'));
  afterAll(() => rm(folder, { recursive: true }));
  let opened = 0;
  for (const idempotent of [false, true]) {
    describe(idempotent ? 'idempotent' : 'not idempotent', () => {
      const create = () => {
        opened++;
        const ledger = join(folder, `${opened}.ndjson`);
        return createSandboxCarrier({ latencyMs: 10, idempotent, lookup: true, ledger });
      };
      for (const { name, run } of carrierAdapterSuite({ create })) it(name, run);
    });
  }

  it('appends a line for every call, and repeats what an idempotency key had before', async () => {
    const ledger = join(folder, 'lines.ndjson');
    const request = { rateId: 'r-1', formType: 'ho3', fields: {} } as unknown as Parameters<
      ReturnType<typeof createSandboxCarrier>['quote']
    >[0];
    const call = { idempotencyKey: 'r-1', signal: new AbortController().signal, deadlineMs: 1000, attempt: 1 };
    // Two processes, so to speak: each opens the file for itself.
    const carriers = [1, 2].map(() => createSandboxCarrier({ latencyMs: 1, idempotent: true, ledger }));
    for (const carrier of carriers) await carrier.quote(request, call);
    const refusing = createSandboxCarrier({ latencyMs: 1, faults: { rate_limited: 1 }, ledger });
    await expect(refusing.quote(request, call)).rejects.toMatchObject({ kind: 'refused', retryAfterMs: 1000 });
    const lines = (await readFile(ledger, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { call: string });
    expect(lines.map((line) => line.call)).toEqual(['accepted', 'repeated', 'refused']);
    expect(lines[0]).toMatchObject({
      rate_id: 'r-1',
      idempotency_key: 'r-1',
      form_type: 'ho3',
      carrier_key: 'sandbox',
      answer: 'sent',
    });
  });
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
