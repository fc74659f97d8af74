import type { CarrierRequest } from '@leeward/quotes';
import { exampleFields } from '@leeward/quotes/testing';
import type { FormType, JsonObject } from '@leeward/terms';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { examplePlan } from '../testing/example-plan.ts';
import { checkRatingPlan } from './check-plan.ts';
import { indicate, rate } from './rate.ts';
import { createRateTableCarrier } from './rate-table-carrier.ts';
import { between, multiply, parseDecimal, type Rational, roundTo } from './rational.ts';

const { plan } = checkRatingPlan(examplePlan);
const [program] = plan!.programs;

function request(fields: JsonObject, formType: FormType = 'ho3'): CarrierRequest {
  return {
    rateId: '01a1fb22-9661-77de-ad6e-3143c45b76a1',
    quoteRequestId: 'q',
    teamId: 't',
    productCode: 'homeowners',
    formType,
    effectiveDate: '2026-12-01',
    producerEmail: 'agent@example.com',
    fields: { ...exampleFields, ...fields },
  };
}

describe('a premium', () => {
  // 350,000 at 6.00 a thousand is 2,100; masonry × 0.90; a roof of 7 years × (0.80 + 0.20 × 7/10) = 0.94.
  it.each([
    ['an ordinary home', {}, 'ho3', '177660'],
    ['ho5 costs a fifth more', {}, 'ho5', '213192'],
    ['a county named with its kind and a full stop', { county: 'Saint Lucie County' }, 'ho3', '355320'],
    ['ZIP codes where no county is named', { county: 'Monroe', zipcode: '33040' }, 'ho3', '592200'],
    ['a value that is not listed', { construction_type_options: 'log' }, 'ho3', '197400'],
    ['a roof exactly at a point', { roof_year: 2016 }, 'ho3', '189000'],
    ['a roof beyond the last point', { roof_year: 1980 }, 'ho3', '283500'],
    ['a roof of next year', { roof_year: 2027 }, 'ho3', '151200'],
    ['a band from its first number on', { total_claims: 1 }, 'ho3', '195426'],
    ['a band far above', { total_claims: 50 }, 'ho3', '248724'],
    ['a number as text', { total_claims: '2' }, 'ho3', '248724'],
    ['nonsense in a field of one’s own counts as missing', { total_claims: 'several' }, 'ho3', '177660'],
    // 100,000 × 6.00 / 1000 × 0.90 × 0.94 = 507.60, under the minimum of 900.
    ['the minimum', { dwelling_a: 100_000 }, 'ho3', '90000'],
  ] as const)('%s', (_, fields, formType, cents) => {
    const rated = rate(program!, request(fields, formType));
    if ('reason' in rated) throw new Error(`not rated: ${rated.reason}`);
    // Half up.
    const rounded = ((BigInt(cents) + 50n) / 100n) * 100n;
    expect(rated.premiumCents).toBe(rounded);
    const fund = (rounded * 13n + 500n) / 1000n;
    const taxed = rounded + 2500n + fund;
    const tax = (taxed * 2n + 50n) / 100n;
    expect(rated.fees.map((line) => line.amountCents)).toEqual([2500n, fund, tax]);
    expect(rated.totalCents).toBe(taxed + tax);
  });

  it('has coverages and deductibles in cents', () => {
    const rated = rate(program!, request({ dwelling_a: 123_456 }));
    expect(rated).toMatchObject({
      coverages: [
        { code: 'dwelling', amountCents: 12_345_600n },
        { code: 'liability', amountCents: 30_000_000n },
      ],
      deductibles: [{ code: 'hurricane', amountCents: 246_912n }],
    });
  });

  it('rises with coverage A, and has a minimum', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 1, max: 1_000_000 }), (smaller, more) => {
        const [low, high] = [smaller, smaller + more].map((dwelling_a) => rate(program!, request({ dwelling_a })));
        if (low === undefined || high === undefined || 'reason' in low || 'reason' in high)
          throw new Error('not rated');
        expect(low.premiumCents).toBeGreaterThanOrEqual(90_000n);
        expect(high.premiumCents).toBeGreaterThanOrEqual(low.premiumCents);
      }),
    );
  });
});

describe('exact numbers', () => {
  it('interpolate as fractions, without rounding on the way', () => {
    fc.assert(
      fc.property(
        fc.nat(10_000),
        fc.nat(10_000),
        fc.nat(999),
        fc.integer({ min: 1, max: 1000 }),
        (a, b, part, whole) => {
          const hundredths = (value: number): Rational => ({ numerator: BigInt(value), denominator: 100n });
          const share = { numerator: BigInt(Math.min(part, whole)), denominator: BigInt(whole) };
          const { numerator, denominator } = between(hundredths(a), hundredths(b), share);
          // (a + (b - a) × part / whole) / 100, cross-multiplied.
          const wanted = BigInt(a) * BigInt(whole) + BigInt(b - a) * share.numerator;
          expect(numerator * BigInt(whole) * 100n).toBe(wanted * denominator);
        },
      ),
    );
  });

  it.each([
    ['2.5', '1', 'half_up', 3n],
    ['2.4999999', '1', 'half_up', 2n],
    ['2.0000001', '1', 'up', 3n],
    ['2.9999999', '1', 'down', 2n],
    ['12.5', '5', 'half_up', 3n],
    ['12', '5', 'up', 3n],
    ['10', '5', 'up', 2n],
  ] as const)('%s in steps of %s, %s, is %s steps', (value, step, mode, steps) => {
    expect(roundTo(parseDecimal(value)!, parseDecimal(step)!, mode)).toBe(steps);
  });

  it('multiply as decimals: 0.1 × 0.2 is 0.02', () => {
    const { numerator, denominator } = multiply(parseDecimal('0.1')!, parseDecimal('0.2')!);
    expect(numerator * 100n).toBe(2n * denominator);
  });

  it.each([
    '',
    '-1',
    '1e9',
    'NaN',
    '1.',
    '.5',
    '1,000',
    ' 1',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e21,
    null,
    [],
    {},
  ])('reject %s', (value) => expect(parseDecimal(value)).toBeUndefined());
});

describe('a rate-table carrier', () => {
  const ask = (fields: JsonObject, formType: FormType = 'ho3', effectiveDate = '2026-12-01') => {
    const carrier = createRateTableCarrier({
      plans: [plan!],
      clock: { nowMicros: () => Date.UTC(2026, 10, 20) * 1000 },
    });
    const context = { idempotencyKey: 'k', signal: new AbortController().signal, deadlineMs: 1000, attempt: 1 };
    return carrier.quote({ ...request(fields, formType), effectiveDate }, context);
  };

  it('answers with a number, a link, fees and an expiry', async () => {
    expect(await ask({})).toMatchObject({
      outcome: 'quoted',
      rateType: 'bindable',
      carrierQuoteNumber: expect.stringMatching(/^EM-[0-9A-F]{10}$/),
      carrierQuoteUrl: expect.stringMatching(/^https:\/\/example\.com\/quotes\/EM-[0-9A-F]{10}$/),
      expiresAt: '2026-12-20T00:00:00.000000Z',
    });
  });

  it.each([
    ['before the plan', {}, 'ho3', '2025-12-31', 'not_in_force'],
    ['on the day the plan ends', {}, 'ho3', '2027-01-01', 'not_in_force'],
    ['in another state', { state: 'GA' }, 'ho3', '2026-12-01', 'not_offered'],
    ['for another form', {}, 'ho8', '2026-12-01', 'not_offered'],
    ['for a home beyond measure', { dwelling_a: 100_000_000_000 }, 'ho3', '2026-12-01', 'premium_too_high'],
  ] as const)('declines %s', async (_, fields, formType, date, code) => {
    expect(await ask(fields, formType, date)).toMatchObject({ outcome: 'declined', messages: [{ code }] });
  });

  it('names the fields that it needs', async () => {
    expect(await ask({ roof_year: null })).toMatchObject({
      outcome: 'needs_information',
      messages: [{ code: 'missing_field', field: 'roof_age' }],
    });
  });

  it('uses the latest plan in force', async () => {
    const cheaper = structuredClone(examplePlan);
    cheaper.effective.from = '2026-11-01';
    cheaper.programs[0]!.territories[2]!.rate = '3.00';
    const carrier = createRateTableCarrier({ plans: [plan!, checkRatingPlan(cheaper).plan!] });
    const context = { idempotencyKey: 'k', signal: new AbortController().signal, deadlineMs: 1000, attempt: 1 };
    const [before, after] = await Promise.all(
      ['2026-10-31', '2026-11-01'].map((effectiveDate) =>
        carrier.quote({ ...request({ roof_year: 2016 }), effectiveDate }, context),
      ),
    );
    expect(before!.premiumCents).toBeGreaterThan(after!.premiumCents!);
  });

  it('rejects plans of two carriers, or from the same day', () => {
    expect(() => createRateTableCarrier({ plans: [plan!, plan!] })).toThrow(/start on 2026-01-01/);
    expect(() => createRateTableCarrier({ plans: [plan!, { ...plan!, carrierKey: 'other' }] })).toThrow(/two carriers/);
  });
});

it('rates a requested deductible, and lists settlements, inclusions and percentages', () => {
  const [example] = examplePlan.programs;
  const file = {
    ...examplePlan,
    carrier: { ...examplePlan.carrier, financial_strength: { agency: 'Example Ratings', rating: 'A' } },
    programs: [
      {
        ...example,
        factors: [
          {
            ...{ id: 'hurricane', field: 'requested_coverages.hurricane.percent' },
            ...{
              bands: [
                [0, '1'],
                [5, '0.5'],
              ],
              missing: '1',
            },
          },
        ],
        deductibles: [{ code: 'hurricane', name: 'Hurricane', percent_of_dwelling: '2', percent_options: ['2', '5'] }],
        endorsements: [{ code: 'water', name: 'Water backup', inclusion: 'excluded' }],
        coverages: [{ code: 'roof', name: 'Roof', settlement: 'schedule' }],
      },
    ],
  };
  const checked = checkRatingPlan(file);
  expect(checked.faults).toEqual([]);
  const rateWith = (percent?: number) => {
    const fields = percent === undefined ? {} : { requested_coverages: { hurricane: { percent } } };
    return rate(checked.plan!.programs[0]!, request(fields)) as Exclude<ReturnType<typeof rate>, { reason: unknown }>;
  };
  const [usual, chosen, other] = [rateWith(), rateWith(5), rateWith(3)];
  expect(chosen.premiumCents * 2n).toBe(usual.premiumCents);
  expect(usual.deductibles).toEqual([{ code: 'hurricane', name: 'Hurricane', amountCents: 700_000n, percent: 2 }]);
  expect(chosen.deductibles).toMatchObject([{ amountCents: 1_750_000n, percent: 5 }]);
  expect(other.deductibles).toEqual(usual.deductibles);
  expect(usual.endorsements).toEqual([{ code: 'water', name: 'Water backup', inclusion: 'excluded' }]);
  expect(usual.coverages).toEqual([{ code: 'roof', name: 'Roof', settlement: 'schedule' }]);
  expect(createRateTableCarrier({ plans: [checked.plan!] }).financialStrength!()).toMatchObject({ rating: 'A' });
});

describe('an indication', () => {
  const construction = fc.constantFrom('frame', 'masonry', 'log');
  const home = fc.record({
    construction_type_options: construction,
    roof_year: fc.integer({ min: 1960, max: 2026 }),
    total_claims: fc.integer({ min: 0, max: 4 }),
    dwelling_a: fc.integer({ min: 100_000, max: 2_000_000 }),
  });
  const totalOf = (fields: JsonObject) => {
    const rated = rate(program!, request(fields));
    if ('reason' in rated) throw new Error(rated.reason);
    return rated.totalCents;
  };

  it('is the premium if no field is missing', () => {
    fc.assert(
      fc.property(home, (fields) => {
        const total = totalOf(fields);
        const expected = { premiumCents: total, minCents: total, maxCents: total, missingFields: [] };
        expect(indicate(program!, request(fields))).toEqual(expected);
      }),
    );
  });

  it('bounds the premium of every home with other values of the missing fields', () => {
    const names = ['construction_type_options', 'roof_year'];
    fc.assert(
      fc.property(home, home, fc.subarray(names), (fields, others, missing) => {
        const { fields: whole, ...rest } = request(fields);
        const known = Object.fromEntries(Object.entries(whole).filter(([name]) => !missing.includes(name)));
        const indication = indicate(program!, { ...rest, fields: known })!;
        const total = totalOf({
          ...fields,
          ...Object.fromEntries(missing.map((name) => [name, (others as JsonObject)[name]!])),
        });
        expect(indication.minCents <= total && total <= indication.maxCents).toBe(true);
        expect(indication.minCents <= indication.premiumCents && indication.premiumCents <= indication.maxCents).toBe(
          true,
        );
        expect(indication.missingFields.toSorted()).toEqual(missing.toSorted());
      }),
    );
  });

  it('needs the base of the rates and a territory', () => {
    const { fields, ...rest } = request({});
    expect(indicate(program!, { ...rest, fields: { ...fields, dwelling_a: null } })).toBeUndefined();
    const elsewhere = { ...program!, territories: program!.territories.slice(0, 1) };
    expect(indicate(elsewhere, request({}))).toBeUndefined();
  });
});
