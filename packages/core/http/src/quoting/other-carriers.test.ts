import { createCatalog } from '@leeward/engine';
import type { AnswersOfQuote, CarrierRequest, OtherRate } from '@leeward/quotes';
import { describe, expect, it } from 'vitest';
import { readAnswersOfOthers } from './other-carriers.ts';
import { createVerdictSource } from './verdict-source.ts';

const file = (key: string, rules: readonly object[]) => ({
  file: {
    format: 1,
    carrier: { key, name: key },
    line: 'home',
    version: '1',
    effective: { from: '2020-01-01', until: null },
    rules,
    programs: [{ id: 'fl', policy_types: ['ho3'], states: ['fl'], rules: [] }],
  },
});
const rule = (id: string, outcome: string, ...all: object[]) => ({
  id,
  outcome,
  code: 'x_other',
  message: id,
  when: { all },
});

/** New business only if no other carrier offers, or every offer is more than 20 % above the premium. */
const residual = file('residual', [
  rule(
    'cheaper',
    'decline',
    { fact: 'transaction', operator: 'equal', value: 'new' },
    { fact: 'other_offers', operator: 'greaterThan', value: 0 },
    {
      fact: 'lowest_other_premium',
      operator: 'lessThanInclusive',
      value: { percent_of: [120, { fact: 'own_premium' }] },
    },
  ),
  rule('old', 'decline', { fact: 'year_built', operator: 'lessThan', value: 1900 }),
]);
const searching = file('searching', [rule('three', 'refer', { fact: 'declinations', operator: 'lessThan', value: 3 })]);
const plain = file('plain', [rule('old', 'decline', { fact: 'year_built', operator: 'lessThan', value: 1950 })]);
const catalog = createCatalog([residual, searching, plain]);

const request: CarrierRequest = {
  rateId: 'rate',
  quoteRequestId: 'quote',
  teamId: 'team',
  productCode: 'homeowners',
  formType: 'ho3',
  effectiveDate: '2026-12-01',
  producerEmail: 'pat@example.com',
  fields: { state: 'FL', county: 'Marion', year_built: 2000, roof_year: 2020, roof_option: 'metal' },
};
const verdicts = createVerdictSource({ rulesOf: async () => catalog, clock: () => new Date('2026-11-20T12:00:00Z') });
const rate = (
  carrierKey: string,
  outcome?: OtherRate['outcome'],
  dollars?: number,
  codes: string[] = [],
): OtherRate => ({
  carrierKey,
  formType: 'ho3',
  outcome,
  premiumCents: dollars === undefined ? undefined : BigInt(dollars) * 100n,
  messageCodes: codes,
});
const ask = (
  carrierKey: string,
  rates: readonly OtherRate[],
  more: { canWait?: boolean; own?: number; fields?: object } = {},
) => {
  const { canWait = false, own, fields = {} } = more;
  const answers: AnswersOfQuote = {
    readOthers: async () => ({ rates, canWait }),
    ownPremiumCents: own === undefined ? undefined : BigInt(own) * 100n,
  };
  return verdicts(carrierKey, { ...request, fields: { ...request.fields, ...fields } }, answers);
};

describe('facts of other carriers', () => {
  it('count declinations, groups and offers, with bounds while some are open', () => {
    const groupOf = (key: string) => (key.startsWith('a') ? 'group a' : undefined);
    const rates = [rate('a1', 'declined'), rate('a2', 'ineligible'), rate('b', 'declined'), rate('c', 'quoted', 4000)];
    expect(readAnswersOfOthers(rates, groupOf)).toEqual({
      declinations: 3,
      declination_groups: 2,
      other_offers: 1,
      lowest_other_premium: 4000,
    });
    expect(readAnswersOfOthers(rates, undefined)).toMatchObject({
      declination_groups: { kind: 'between', min: 1, max: 3 },
    });
    const open = [...rates, rate('d', 'failed'), rate('e', 'referred', 3500), rate('f')];
    expect(readAnswersOfOthers(open, groupOf)).toEqual({
      declinations: { kind: 'between', min: 3, max: 6 },
      declination_groups: { kind: 'between', min: 2, max: 5 },
      other_offers: { kind: 'between', min: 1, max: 4 },
      lowest_other_premium: { kind: 'between', min: 0, max: 4000 },
    });
    expect(readAnswersOfOthers([rate('c', 'quoted', 4000), rate('e', 'referred', 3500)], groupOf)).toMatchObject({
      lowest_other_premium: { kind: 'between', min: 3500, max: 4000 },
    });
  });

  it('skip a carrier that does not write there, and need an offer for a premium', () => {
    const facts = readAnswersOfOthers(
      [rate('a', 'ineligible', undefined, ['not_offered']), rate('b', 'declined')],
      undefined,
    );
    expect(facts).toEqual({ declinations: 1, declination_groups: 1, other_offers: 0 });
    expect(readAnswersOfOthers([], undefined)).toEqual({});
  });

  it('have one answer for a carrier with several rates', () => {
    expect(
      readAnswersOfOthers([rate('a', 'declined'), rate('a', 'quoted', 5000), rate('a', 'quoted', 4500)], undefined),
    ).toMatchObject({ declinations: 0, other_offers: 1, lowest_other_premium: 4500 });
  });
});

describe('a verdict that depends on other carriers', () => {
  it('waits while others have not ended and there is time, and not if its rules decline anyway', async () => {
    const rates = [rate('plain'), rate('other', 'declined')];
    expect(await ask('searching', rates, { canWait: true })).toMatchObject({
      waitsForOthers: true,
      dependsOnOthers: true,
    });
    expect((await ask('searching', rates)).waitsForOthers).toBeUndefined();
    expect(
      (await ask('residual', rates, { canWait: true, fields: { year_built: 1890 } })).waitsForOthers,
    ).toBeUndefined();
    expect((await ask('plain', rates, { canWait: true })).waitsForOthers).toBeUndefined();
  });

  it('does not wait for carriers that wait themselves, nor for other forms', async () => {
    const rates = [rate('residual'), { ...rate('plain'), formType: 'dp3' as const }];
    const verdict = await ask('searching', rates, { canWait: true });
    expect(verdict).toMatchObject({ status: 'needs_information', missingFields: ['declinations'] });
    expect(verdict.waitsForOthers).toBeUndefined();
  });

  it('uses the number of declinations, and a number of the request instead', async () => {
    const declined = ['a', 'b', 'c'].map((key) => rate(key, 'declined'));
    expect((await ask('searching', declined)).status).toBe('eligible');
    expect((await ask('searching', declined.slice(1))).status).toBe('referral');
    expect((await ask('searching', [...declined.slice(1), rate('d', 'timed_out')])).status).toBe('needs_information');
    expect((await ask('searching', [], { fields: { declinations: 3 } })).status).toBe('eligible');
    expect((await verdicts('searching', request)).missingFields).toEqual(['declinations']);
  });

  it('compares the lowest premium with the premium of the rate once it is known', async () => {
    const offers = [rate('a', 'quoted', 2500), rate('b', 'quoted', 2400)];
    expect(await ask('residual', offers)).toMatchObject({ status: 'needs_information', testsOwnPremium: true });
    expect((await ask('residual', offers, { own: 2000 })).status).toBe('ineligible');
    expect((await ask('residual', offers, { own: 1999 })).status).toBe('eligible');
    expect((await ask('residual', [rate('a', 'declined')])).status).toBe('eligible');
    expect((await ask('residual', [rate('a', 'failed')], { own: 2000 })).status).toBe('needs_information');
    expect((await ask('residual', offers, { fields: { transaction: 'renewal' } })).status).toBe('eligible');
  });
});

describe('a quote as a home', () => {
  it('has lists, evidence, and a point instead of the address', async () => {
    const own = createCatalog([
      file('own', [
        rule('losses', 'decline', {
          count: 'losses',
          where: { fact: 'kind', operator: 'equal', value: 'water' },
          operator: 'greaterThan',
          value: 1,
        } as object),
        rule('permit', 'refer', { fact: 'roof_year.source', operator: 'notEqual', value: 'permit' }),
        rule('recent', 'refer', { fact: 'roof_year.evidence_age_years', operator: 'greaterThan', value: 2 }),
      ]),
    ]);
    const source = createVerdictSource({ rulesOf: async () => own, clock: () => new Date('2026-11-20T12:00:00Z') });
    const statusOf = async (fields: object) => {
      const { status, missingFields } = await source('own', { ...request, fields: { ...request.fields, ...fields } });
      return [status, ...missingFields];
    };
    const losses = [{ kind: 'water', date: '2025-01-01' }, { kind: 'fire' }];
    const evidence = { roof_year: { as_of: '2025-03', source: 'permit' }, state: { source: 'permit' } };
    expect(await statusOf({})).toEqual([
      'needs_information',
      'losses',
      'evidence.roof_year.as_of',
      'evidence.roof_year.source',
    ]);
    expect(await statusOf({ losses, evidence })).toEqual(['eligible']);
    expect(await statusOf({ losses, evidence: { roof_year: { as_of: '2022', source: 'permit' } } })).toEqual([
      'referral',
    ]);
    expect(await statusOf({ losses: [...losses, { kind: 'water' }], evidence })).toEqual(['ineligible']);
    expect(await statusOf({ losses, evidence, lat: 29.2, lng: -82.1 })).toEqual(['eligible']);
  });
});
