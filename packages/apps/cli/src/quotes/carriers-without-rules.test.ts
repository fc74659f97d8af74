import { readFileSync } from 'node:fs';
import { createCatalog, homeVocabulary } from '@leeward/engine';
import type { CarrierRequest } from '@leeward/quotes';
import type { RuleSetsInForce } from '@leeward/registry';
import type { JsonObject } from '@leeward/terms';
import { describe, expect, it } from 'vitest';
import { quoteFields } from '../../../../../test/support/journey.ts';
import { verdictsWithoutRules } from './carriers-without-rules.ts';

const request: CarrierRequest = {
  rateId: 'r',
  quoteRequestId: 'q',
  teamId: 't',
  productCode: 'homeowners',
  formType: 'ho3',
  effectiveDate: '2026-12-01',
  producerEmail: 'agent@example.com',
  fields: quoteFields as JsonObject,
};
const byRules = { status: 'ineligible', reasons: [], missingFields: [] } as const;
const moratorium = {
  id: 'storm',
  states: ['fl'],
  from: '2026-01-01T00:00:00-05:00',
  until: '2100-01-01T00:00:00-05:00',
  message: 'No new business while the storm is near.',
};
const bayou: object = JSON.parse(
  readFileSync(new URL('../../../../../fixtures/carriers/bayou_mutual/rule-set.json', import.meta.url), 'utf8'),
);

/** The verdict of `tin_roof`, which has no rules. */
async function verdictOf(more: Partial<RuleSetsInForce>, team = createCatalog([])) {
  const inForce = { number: 1, carriers: new Map(), moratoria: [], ...more };
  const { verdictSource, stop } = await verdictsWithoutRules({
    adapters: [{ key: 'tin_roof', name: 'Tin Roof' }],
    feed: { number: async () => inForce.number, inForce: async () => inForce, keepFiles: async () => {} },
    vocabulary: homeVocabulary,
    lines: [],
    rulesOf: async () => team,
    verdictSource: async () => byRules,
    onError: (error) => expect.fail(String(error)),
  });
  try {
    expect(await verdictSource('bayou_mutual', request)).toBe(byRules);
    return await verdictSource('tin_roof', request);
  } finally {
    stop();
  }
}

describe('a carrier without rules', () => {
  it('is called for any home', async () => {
    expect(await verdictOf({})).toMatchObject({ status: 'eligible', reasons: [] });
  });

  it.each([null, ['tin_roof']])('is stopped by a moratorium of %j', async (carrierKeys) => {
    const moratoria = [{ moratoriumId: 'm', carrierKeys, moratorium }];
    expect(await verdictOf({ moratoria })).toMatchObject({
      status: 'ineligible',
      reasons: [{ message: moratorium.message }],
    });
  });

  it('is stopped by one of two moratoria if the other is for distant places', async () => {
    const far = { ...moratorium, id: 'far', states: ['tx', 'la'], policy_types: ['ho5'] };
    const all = [far, moratorium].map((each) => ({ moratoriumId: each.id, carrierKeys: null, moratorium: each }));
    expect((await verdictOf({ moratoria: all })).status).toBe('ineligible');
    expect((await verdictOf({ moratoria: all.slice(0, 1) })).status).toBe('eligible');
  });

  it('is stopped while a later moratorium is in force, and called again afterwards', async () => {
    const moratoria = [{ moratoriumId: 'm', carrierKeys: null, moratorium }];
    let inForce: RuleSetsInForce = { number: 1, carriers: new Map(), moratoria: [] };
    const { verdictSource, stop } = await verdictsWithoutRules({
      adapters: [{ key: 'tin_roof', name: 'Tin Roof' }],
      feed: { number: async () => inForce.number, inForce: async () => inForce, keepFiles: async () => {} },
      vocabulary: homeVocabulary,
      lines: [],
      rulesOf: async () => createCatalog([]),
      verdictSource: async () => byRules,
      onError: (error) => expect.fail(String(error)),
    });
    try {
      const status = async () => (await verdictSource('tin_roof', request)).status;
      expect(await status()).toBe('eligible');
      inForce = { ...inForce, number: 2, moratoria };
      await expect.poll(status).toBe('ineligible');
      inForce = { ...inForce, number: 3, moratoria: [] };
      await expect.poll(status).toBe('eligible');
    } finally {
      stop();
    }
  });

  it('is not stopped by a moratorium of another', async () => {
    const moratoria = [{ moratoriumId: 'm', carrierKeys: ['bayou_mutual'], moratorium }];
    expect(await verdictOf({ moratoria })).toMatchObject({ status: 'eligible' });
  });

  it('is decided by the rules that the registry or its team has, even withdrawn ones', async () => {
    expect(await verdictOf({ carriers: new Map([['tin_roof', []]]) })).toBe(byRules);
    const file = { ...bayou, carrier: { key: 'tin_roof', name: 'Tin Roof' } };
    const own = createCatalog([{ name: 'own', file }]);
    expect(await verdictOf({}, own)).toBe(byRules);
  });
});
