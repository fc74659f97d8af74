import { recordDecision, replayDecision } from '@leeward/authoring/replay';
import { createCatalog, parseRequest } from '@leeward/engine';
import { underwriteHome } from '@leeward/http';
import type { DecisionToSave } from '@leeward/registry';
import { describe, expect, it } from 'vitest';
import { claimsRuleSet } from '../../../../../test/support/claims-rule-set.ts';
import { type CaptureOptions, captureDecisions } from './capture-decisions.ts';

const file = claimsRuleSet({ key: 'oak', version: '1' });
const catalog = createCatalog([{ file }]);
const now = new Date('2026-11-20T12:00:00Z');
const home = { state: 'tx', county: 'harris', policy_type: 'ho3', total_claims: 3 };

async function recorded() {
  const parsed = parseRequest(home, { now });
  if (!parsed.ok) throw new Error('A home with faults.');
  return recordDecision(catalog, parsed.request.property);
}

function open(options: Partial<CaptureOptions> = {}) {
  const kept: DecisionToSave[][] = [];
  const troubles: unknown[] = [];
  const capture = captureDecisions({
    share: 1,
    save: async (decisions) => void kept.push([...decisions]),
    onError: (error) => troubles.push(error),
    saveAfterMs: 3_600_000,
    ...options,
  });
  return { capture, kept, troubles };
}

describe('The capture of decisions', () => {
  it('saves the facts and the answers, for the organization of the request', async () => {
    const { capture, kept } = open();
    const options = { decider: catalog, now, traceId: 'trace', organizationId: null };
    const body = { ...home, address: 'Somebody, 4711 Wintergreen Parkway, Houston TX 77002' };
    const plain = await underwriteHome(body, options);
    const answer = await underwriteHome(body, { ...options, capture: { by: capture, organizationId: 'org' } });
    expect(answer).toEqual(plain);
    await capture.settle();
    expect(kept).toMatchObject([
      [
        {
          organizationId: 'org',
          record: { home: { state: 'tx', total_claims: 3 }, rule_sets: [{ carrier_key: 'oak', version: '1' }] },
          answers: { oak: { ho3: { status: 'ineligible', codes: ['claims'], missing_fields: [] } } },
        },
      ],
    ]);
    expect(JSON.stringify(kept)).not.toMatch(/Wintergreen|Somebody|77002|trace/);
    // A replay is under the versions of the answer.
    const { record } = kept[0]![0]!;
    expect(answer.versions).toMatchObject({
      engine: expect.any(String),
      rules: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(record).toMatchObject({ versions: answer.versions });
    expect(await replayDecision(record, catalog)).toMatchObject({ matches: true });
  });

  it('saves the given share, and no decision with facts of the host', () => {
    const chances = Array.from({ length: 100 }, (_, index) => index / 100);
    const { capture } = open({ share: 0.25, chance: () => chances.shift() ?? 1 });
    const wanted = Array.from({ length: 100 }, () => capture.wants(catalog));
    expect(wanted.filter(Boolean).length).toBe(25);
    expect(open({ share: 0 }).capture.wants(catalog)).toBe(false);
    const hosted = createCatalog([], { facts: { flood: () => 'VE' } });
    expect([open().capture.wants(hosted), open().capture.wants(catalog)]).toEqual([false, true]);
  });

  it('drops decisions that the store refuses, and reports them', async () => {
    let isAway = true;
    const away = new Error('Out of reach.');
    const saved: number[] = [];
    const { capture, troubles } = open({
      async save(decisions) {
        if (isAway) throw away;
        saved.push(decisions.length);
      },
    });
    const decision = await recorded();
    for (let time = 0; time < 1_200; time++) capture.take(null, decision);
    await capture.settle();
    expect(troubles).toEqual([expect.objectContaining({ message: expect.stringContaining('200 decisions') }), away]);
    isAway = false;
    capture.take(null, decision);
    await capture.settle();
    expect([saved, troubles.length]).toEqual([[1], 2]);
  });

  it('saves after a short time without a call', async () => {
    const { capture, kept } = open({ saveAfterMs: 1 });
    capture.take(null, await recorded());
    await expect.poll(() => kept.length).toBe(1);
  });
});
