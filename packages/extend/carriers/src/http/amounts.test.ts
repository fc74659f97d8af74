import { checkAnswer } from '@leeward/quotes/testing';
import { describe, expect, it } from 'vitest';
import { exampleCarrier } from '../testing/example-carrier.ts';
import { checkHttpCarrier } from './check-http-carrier.ts';
import { mapResponse } from './map-response.ts';
import type { HttpResponseFile } from './schema.ts';

const file: HttpResponseFile = { premium: '/premium' };
const read = (body: unknown, more: Partial<HttpResponseFile> = {}) =>
  checkAnswer(mapResponse(body, { ...file, ...more }, undefined), {}) as { premiumCents?: bigint };
const faultOf = (body: unknown, more: Partial<HttpResponseFile> = {}) => {
  try {
    return read(body, more);
  } catch (error) {
    return error;
  }
};

describe('an amount with a floating-point artifact', () => {
  it.each([
    [1843.5500000000002, 184_355n],
    [0.1 + 0.2 + 100, 10_030n],
    [1843.55 * 3, 553_065n],
    [2000.1 + 0.05 + 0.05 + 0.1, 200_030n],
    ['1843.5500000000002', 184_355n],
    ['1843.5499999999997', 184_355n],
    ['1843.550', 184_355n],
    [9_999_999.990000002, 999_999_999n],
  ])('%s is %s cents', (premium, cents) => {
    expect(read({ premium })).toMatchObject({ premiumCents: cents });
  });

  it.each([1843.555, 1843.545, '1843.555', 1843.5501, 1843.551, 1e21, '1e3'])('rejects %s', (premium) => {
    expect(faultOf({ premium })).toMatchObject({ kind: 'invalid', code: 'invalid_premium' });
  });

  it.each([
    [184_355.00000000003, 184_355n],
    ['184355', 184_355n],
    [184_355.5, undefined],
    ['184355.5', undefined],
  ])('%s in cents is %s', (premium, cents) => {
    const found = faultOf({ premium }, { premium_unit: 'cents' });
    expect((found as { premiumCents?: bigint }).premiumCents).toBe(cents);
  });
});

describe('a negative amount', () => {
  it.each([
    ['cents', '-500', -500n],
    ['cents', -500, -500n],
    ['dollars', '-5.00', -500n],
    ['dollars', -5, -500n],
    ['dollars', '-5.0000000000000001', -500n],
  ] as const)('in %s of %s is a discount among the fees, not a premium', (unit, amount, cents) => {
    const fees = { path: '/fees', code: '/code', amount: '/amount' };
    const body = { premium: 100_000, fees: [{ code: 'loyalty', amount }] };
    const answer = mapResponse(body, { ...file, fees, premium_unit: unit }, undefined);
    expect(answer.fees).toEqual([{ code: 'loyalty', name: 'loyalty', amountCents: cents }]);
    expect(faultOf({ premium: amount }, { premium_unit: unit })).toMatchObject({ code: 'invalid_premium' });
  });
});

describe('a word of a carrier', () => {
  const named: Partial<HttpResponseFile> = {
    outcome: { path: '/decision', values: { Approved: 'quoted', DECLINED: 'declined' } },
    rate_type: { path: '/worth', values: { Firm: 'quoted', BINDABLE: 'bindable' } },
    messages: { path: '/notes', level: '/kind', levels: { Stop: 'error' }, message: '/text' },
  };
  it.each([
    ['APPROVED', 'firm', 'STOP', 'quoted'],
    ['approved', 'FIRM', 'stop', 'quoted'],
    ['Approved', 'Bindable', 'Stop', 'bindable'],
  ])('is matched in any case: %s, %s, %s', (decision, worth, kind, rateType) => {
    const answer = mapResponse(
      { decision, worth, premium: 1, notes: [{ kind, text: 'x' }] },
      { ...file, ...named },
      undefined,
    );
    expect(answer).toMatchObject({ outcome: 'quoted', rateType, messages: [{ level: 'error' }] });
  });
});

describe('a premium', () => {
  const currency = { path: '/currency', values: { 'US dollar': 'USD' } };
  const term = { path: '/term', values: { Annual: 12, monthly: 1, 'semi-annual': 6 } };

  it.each([
    [{ currency: 'USD' }, { currency }],
    [{ currency: 'usd' }, { currency }],
    [{ currency: 'us DOLLAR' }, { currency }],
    [{}, { currency: 'USD' }],
    [{ term: 12 }, { term_months: term }],
    [{ term: '12' }, { term_months: term }],
    [{ term: 'ANNUAL' }, { term_months: term }],
    [{ term: 'annual' }, { term_months: term, annualize: true }],
  ] as const)('in dollars for a year is compared: %j', (said, more) => {
    expect(read({ premium: 1843.5, ...said }, more)).toMatchObject({
      outcome: 'quoted',
      premiumCents: 184_350n,
      answer: { messages: undefined },
    });
  });

  it.each([
    [{ currency: 'CAD' }, { currency }, 'other_currency'],
    [{ currency: 'dollars' }, { currency }, 'unknown_currency'],
    [{}, { currency }, 'unknown_currency'],
    [{}, { currency: 'CAD' }, 'other_currency'],
    [{ term: 'monthly' }, { term_months: term }, 'other_term'],
    [{ term: 6 }, { term_months: term }, 'other_term'],
    [{}, { term_months: 1 }, 'other_term'],
    [{ term: 'weekly' }, { term_months: term, annualize: true }, 'unknown_term'],
    [{}, { term_months: term, annualize: true }, 'unknown_term'],
  ] as const)('in anything else is never compared as such: %j with %j', (said, more, code) => {
    expect(faultOf({ premium: 153.63, ...said }, more)).toMatchObject({ kind: 'invalid', code });
  });

  it.each([
    [{ term: 'monthly' }, 153.63, 184_356n],
    [{ term: 'semi-annual' }, '921.75', 184_350n],
    [{ term: 7 }, 100, 17_143n],
    [{ term: 24 }, 100.01, 5001n],
  ])('for %j of %s is annualized if the file allows it, with a message', (said, premium, cents) => {
    const found = read({ premium, ...said }, { term_months: term, annualize: true });
    expect(found).toMatchObject({
      premiumCents: cents,
      answer: { messages: [{ level: 'info', code: 'annualized_premium', message: expect.stringContaining('months') }] },
    });
  });

  it('of a coded adapter is compared only in dollars for a year', () => {
    const answer = { outcome: 'quoted', premiumCents: 100n } as const;
    expect(() => checkAnswer({ ...answer, currency: 'CAD' }, {})).toThrow('premium in CAD');
    expect(() => checkAnswer({ ...answer, termMonths: 1 }, {})).toThrow('for 1 months');
    expect(checkAnswer({ ...answer, currency: 'USD', termMonths: 12 }, {})).toMatchObject({ premiumCents: 100n });
  });

  it.each([
    [{ currency: 'CAD' }, '/response/currency', 'other_currency'],
    [{ term_months: 1 }, '/response/term_months', 'other_term'],
    [{ annualize: true }, '/response/annualize', 'no_term'],
  ])('that can never be compared is a fault of the file: %j', (more, path, code) => {
    const example = exampleCarrier('https://carrier.example');
    const response = { ...(example['response'] as object), ...more };
    const { faults } = checkHttpCarrier({ ...example, response }, { secrets: () => 'secret' });
    expect(faults).toEqual([{ path, code, message: expect.any(String) }]);
    const right = { ...response, currency: 'USD', term_months: 1, annualize: true };
    expect(checkHttpCarrier({ ...example, response: right }, { secrets: () => 'secret' }).faults).toEqual([]);
  });
});

describe('an answer without a premium', () => {
  const outcome = { path: '/decision', values: { approved: 'quoted' } } as const;
  it.each([
    ['of a file without outcomes may be of a gateway', { message: 'Under maintenance' }, {}, 'unreadable'],
    ['that says that it is a quote makes no sense', { decision: 'approved' }, { outcome }, 'invalid'],
  ])('%s', (_, body, more, kind) => {
    expect(faultOf(body, more)).toMatchObject({ kind, code: 'missing_premium' });
  });
});

describe('an amount with fractions of a cent', () => {
  it.each([
    ['half_up', '1843.555', 184_356n],
    ['half_up', '1843.554', 184_355n],
    ['up', '1843.551', 184_356n],
    ['up', '1843.5500', 184_355n],
    ['down', 1843.559, 184_355n],
    ['half_up', '0.995', 100n],
  ] as const)('is rounded %s: %s is %s cents', (rounding, premium, cents) => {
    expect(read({ premium }, { rounding })).toMatchObject({ premiumCents: cents });
  });

  it('is rounded in cents too, and text that is not a number stays a fault', () => {
    expect(read({ premium: '184355.5' }, { rounding: 'half_up', premium_unit: 'cents' })).toMatchObject({
      premiumCents: 184_356n,
    });
    expect(faultOf({ premium: '1e3' }, { rounding: 'up' })).toMatchObject({ code: 'invalid_premium' });
  });
});

describe('expected values', () => {
  const expect_ = [{ path: '/currency', name: 'currency', one_of: ['USD'] }];
  it('are checked for answers with a premium', () => {
    expect(read({ premium: '1.00', currency: 'USD' }, { expect: expect_ })).toMatchObject({ premiumCents: 100n });
    expect(faultOf({ premium: '1.00', currency: 'CAD' }, { expect: expect_ })).toMatchObject({
      ...{ kind: 'invalid', code: 'unexpected_value' },
      message: "The carrier's answer has another currency; its file expects USD.",
    });
    expect(faultOf({ premium: '1.00' }, { expect: expect_ })).toMatchObject({
      message: "The carrier's answer lacks its currency; its file expects USD.",
    });
  });
});

it('reads percentages, inclusions and settlements of coverages', () => {
  const lines = {
    ...{ path: '/lines', code: '/c', name: '/n', amount: '/a', percent: '/p', percent_of: '/of' },
    codes: { HUR: 'hurricane', A: 'dwelling' },
    inclusion: { path: '/s', values: { Y: 'included', N: 'excluded', '-': 'not_offered' } },
    settlement: { path: '/v', values: { RC: 'replacement_cost', ACV: 'actual_cash_value', SCH: 'schedule' } },
  } as const;
  const body = {
    premium: '1.00',
    lines: [
      { c: 'HUR', n: 'Hurricane', p: '2%', of: 'A' },
      { c: 'roof', v: 'acv' },
      { c: 'flood', s: 'N' },
      { c: 'A', a: '350000' },
      { c: 'empty' },
    ],
  };
  const answer = mapResponse(body, { ...file, coverages: lines, endorsements: lines }, undefined);
  expect(answer.coverages).toEqual(answer.endorsements);
  expect(answer.coverages).toMatchObject([
    { code: 'hurricane', name: 'Hurricane', percent: 2, percentOf: 'dwelling' },
    { code: 'roof', settlement: 'actual_cash_value' },
    { code: 'flood', inclusion: 'excluded' },
    { code: 'dwelling', amountCents: 35_000_000n },
  ]);
});
