import { createCatalog, parseRequest } from '@leeward/engine';
import { expect, it } from 'vitest';
import { writeDecision } from './write-decision.ts';

it('writes null for a moratorium without an end', async () => {
  const catalog = createCatalog([
    {
      file: {
        format: 1,
        carrier: { key: 'oak', name: 'Oak' },
        line: 'home',
        version: '1',
        effective: { from: '2020-01-01', until: null },
        rules: [],
        programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'] }],
        moratoria: [{ id: 'storm', from: '2026-09-24T00:00:00Z', until: null, message: 'Storm.' }],
      },
      source: 'catalog',
    },
  ]);
  const parsed = parseRequest({ state: 'tx', policy_type: 'ho3' }, { now: new Date('2026-09-25T00:00:00Z') });
  if (!parsed.ok) throw new Error('The request is invalid.');
  const { request } = parsed;
  const decision = await catalog.decide(request.property);
  const { declined } = writeDecision(request, decision, { traceId: 'trace', organizationId: null });
  expect(declined[0]?.reasons[0]).toMatchObject({ code: 'moratorium', temporary: true, ends_at: null });
});
