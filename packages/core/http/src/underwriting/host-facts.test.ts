import { type CatalogOptions, createCatalog, type FactContext, type HostFact } from '@leeward/engine';
import { describe, expect, it, vi } from 'vitest';
import { ask, sampleService } from '../../../../../test/support/sample-service.ts';
import type { WireDecision } from './decision-schema.ts';
import { underwriteHome } from './underwrite-home.ts';

const path = '/v1/underwrite/home';
const home = { state: 'tx', county: 'harris', policy_type: 'ho3', total_claims: 0 };
const never = () => new Promise<never>(() => {});

const carrier = (key: string, fact: string, value: unknown) => ({
  file: {
    format: 1,
    carrier: { key, name: key },
    version: '1',
    effective: { from: '2026-01-01' },
    rules: [
      { id: 'r', outcome: 'decline', code: 'x_r', message: 'No.', when: { all: [{ fact, operator: 'equal', value }] } },
    ],
    programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'] }],
  },
});
const catalogWith = (flood: HostFact, options: CatalogOptions = {}) =>
  createCatalog([carrier('plain', 'total_claims', 3), carrier('flooded', 'flood', 'VE')], {
    facts: { flood },
    ...options,
  });

describe('a fact of the host over HTTP', () => {
  it('that fails is named in a warning without its error, and other carriers answer', async () => {
    const onHostFailure = vi.fn();
    const flood = () => Promise.reject(new Error('Jane Doe, 1 Main St'));
    const leeward = sampleService({ underwriting: { catalog: catalogWith(flood, { onHostFailure }) } });
    for (const explain of [false, true]) {
      const response = await ask(leeward, path, { body: { ...home, explain } });
      const text = await response.text();
      const decision = JSON.parse(text) as WireDecision;
      expect([response.status, decision.counts]).toMatchObject([200, { eligible: 1, needs_information: 1 }]);
      expect(decision.warnings).toEqual([
        {
          code: 'host_fact_unknown',
          path: '',
          message:
            'The fact "flood" is unknown: it could not be computed. Carriers whose answer depends on it need information.',
        },
      ]);
      expect(text).not.toContain('Jane');
    }
    // Once a request: an explanation is made from the same values.
    expect(onHostFailure).toHaveBeenCalledTimes(2);
  });

  it('that never settles has half of the time that the request has left', async () => {
    const decider = catalogWith(never, { factTimeoutMs: Number.POSITIVE_INFINITY });
    const options = {
      decider,
      now: new Date('2026-11-20T12:00:00Z'),
      traceId: 't',
      organizationId: null,
      remainingMs: 40,
    };
    const decision = await underwriteHome(home, options);
    expect(decision.warnings).toMatchObject([{ message: expect.stringContaining('not computed in time') }]);
  });

  it('ends with the request, by its signal and within its time', async () => {
    const controller = new AbortController();
    const reason = new Error('The caller has gone.');
    let signal: AbortSignal | undefined;
    const flood = (_: unknown, context: FactContext) => {
      ({ signal } = context);
      controller.abort(reason);
      return never();
    };
    const decider = catalogWith(flood, { factTimeoutMs: Number.POSITIVE_INFINITY });
    const options = { decider, now: new Date('2026-11-20T12:00:00Z'), traceId: 't', organizationId: null };
    await expect(underwriteHome(home, { ...options, caller: controller })).rejects.toBe(reason);
    expect(signal?.aborted).toBe(true);

    const unlimited = catalogWith(never, { factTimeoutMs: Number.POSITIVE_INFINITY });
    const leeward = sampleService({ underwriting: { catalog: unlimited }, requestTimeoutMs: 4_000 });
    expect((await ask(leeward, path, { body: home })).status).toBe(200);
  });
});
