import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { carrierAdapterSuite } from '../../testing/carrier-adapter-suite.ts';
import { createSandboxCarrier } from './sandbox-carrier.ts';

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

  it('appends a line for every call and repeats the answer of an idempotency key', async () => {
    const ledger = join(folder, 'lines.ndjson');
    const request = { rateId: 'r-1', formType: 'ho3', fields: {} } as unknown as Parameters<
      ReturnType<typeof createSandboxCarrier>['quote']
    >[0];
    const call = { idempotencyKey: 'r-1', signal: new AbortController().signal, deadlineMs: 1000, attempt: 1 };
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
