import type { Cents } from '@leeward/terms';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AmountLine } from '../ports/carrier-adapter.ts';
import type { StoredQuote, StoredRate } from '../store/read-quotes.ts';
import { presentComparison } from './comparison.ts';

const at = Date.UTC(2026, 10, 20, 12) * 1000;
const quote: StoredQuote = {
  id: 'quote-1',
  serviceQuoteId: 'service-1',
  teamId: 'team-1',
  productCode: 'homeowners',
  producerEmail: 'agent@example.com',
  effectiveDate: '2026-12-01',
  skipped: [],
  createdAt: at,
  erasedAt: undefined,
};
const dwelling = (amountCents: Cents): AmountLine => ({ code: 'dwelling', name: 'A. Dwelling', amountCents });
const rate = (id: string, premiumCents: Cents | undefined, more: Partial<StoredRate> = {}): StoredRate => ({
  id,
  quoteId: 'quote-1',
  carrierKey: `carrier_${id}`,
  carrier: `Carrier ${id}`,
  formType: 'ho3',
  status: premiumCents === undefined ? 'error' : 'success',
  outcome: premiumCents === undefined ? 'declined' : 'quoted',
  premiumCents,
  answer: { rateType: 'quoted', coverages: [dwelling(35_000_000n)] },
  retryable: false,
  attempts: 1,
  createdAt: at,
  startedAt: at,
  finishedAt: at,
  retryOf: undefined,
  supersededBy: undefined,
  pendingSince: undefined,
  ...more,
});

it('lists rates side by side, lowest first, and compares their coverages', () => {
  const dear = rate('dear', 200_000n, { answer: { rateType: 'bindable', coverages: [dwelling(30_000_000n)] } });
  const wind = { code: 'wind', name: 'Wind', amountCents: 700_000n };
  const cheap = rate('cheap', 99_900n, {
    answer: { rateType: 'quoted', coverages: [dwelling(35_000_000n)], deductibles: [wind] },
  });
  const replaced = rate('old', 1n, { supersededBy: 'cheap' });
  const compared = presentComparison(quote, [dear, cheap, replaced, rate('no', undefined)], {
    fields: { dwelling_a: 350_000 },
  });
  expect(compared.rates.map(({ id, premium, rate_type }) => [id, premium, rate_type])).toEqual([
    ['cheap', '999.00', 'quoted'],
    ['dear', '2000.00', 'bindable'],
  ]);
  expect(compared.lines).toMatchObject([
    {
      section: 'coverages',
      code: 'dwelling',
      name: 'A. Dwelling',
      requested: '350000.00',
      amounts: ['350000.00', '300000.00'],
      same: false,
      differs_from_request: ['dear'],
    },
    {
      section: 'deductibles',
      code: 'wind',
      name: 'Wind',
      requested: null,
      amounts: ['7000.00', null],
      same: true,
      differs_from_request: [],
    },
  ]);
  expect([compared.coverage_basis, compared.basis_differences]).toEqual(['different', ['coverages/dwelling']]);
  expect(compared.premiums).toEqual({
    indication: { count: 0, min: null, max: null },
    quoted: { count: 1, min: '999.00', max: '999.00' },
    bindable: { count: 1, min: '2000.00', max: '2000.00' },
  });
  expect(compared.without_premium).toMatchObject([{ id: 'no', status: 'error', outcome: 'declined' }]);
});

describe('coverages that are not amounts', () => {
  const percent = (value: number, amountCents?: Cents): AmountLine => ({
    ...{ code: 'hurricane', name: 'Hurricane', percent: value, percentOf: 'dwelling' },
    ...(amountCents !== undefined && { amountCents }),
  });
  const roof = (settlement: AmountLine['settlement']): AmountLine => ({ code: 'roof', name: 'Roof', settlement });
  const water = (inclusion: AmountLine['inclusion']): AmountLine => ({ code: 'water', name: 'Water', inclusion });
  const answers = {
    a: { coverages: [dwelling(35_000_000n), roof('replacement_cost')], deductibles: [percent(2, 700_000n)] },
    b: {
      ...{ coverages: [dwelling(35_000_000n), roof('schedule')], endorsements: [water('excluded')] },
      deductibles: [{ code: 'hurricane', name: 'Hurricane', amountCents: 700_000n }],
    },
    c: { coverages: [dwelling(35_000_000n), roof('replacement_cost')], deductibles: [percent(5, 1_750_000n)] },
  } as const;
  const rates = Object.entries(answers).map(([id, answer], index) => rate(id, 100_000n + BigInt(index), { answer }));

  it('are compared with one another and with the request', () => {
    const fields = {
      ...{ dwelling_a: 350_000 },
      requested_coverages: {
        hurricane: { percent: 2 },
        roof: { settlement: 'replacement_cost' },
        water: { inclusion: 'included' },
      },
    };
    const lineOf = (code: string, ids = ['a', 'b', 'c']) => {
      const chosen = rates.filter(({ id }) => ids.includes(id));
      return presentComparison(quote, chosen, { fields }).lines.find((line) => line.code === code);
    };
    expect(lineOf('hurricane', ['a', 'b'])).toMatchObject({ same: true, differs_from_request: ['b'] });
    expect(lineOf('hurricane')).toMatchObject({
      ...{ same: false, differs_from_request: ['b', 'c'], amounts: ['7000.00', '7000.00', '17500.00'] },
      requested_value: { percent: 2, percent_of: 'dwelling', amount: null },
    });
    expect(lineOf('roof')).toMatchObject({
      ...{ same: false, differs_from_request: ['b'], amounts: [null, null, null] },
      values: [{ settlement: 'replacement_cost' }, { settlement: 'schedule' }, { settlement: 'replacement_cost' }],
    });
    expect(lineOf('water')).toMatchObject({
      ...{ section: 'endorsements', differs_from_request: ['b'], values: [null, { inclusion: 'excluded' }, null] },
    });
  });

  it('are left out if only differences are requested, and by form type', () => {
    const codes = (context: object) => presentComparison(quote, rates, context).lines.map(({ code }) => code);
    expect(codes({})).toEqual(['dwelling', 'roof', 'hurricane', 'water']);
    expect(codes({ differencesOnly: true })).toEqual(['roof', 'hurricane']);
    const other = rate('d', 1n, { formType: 'ho5' });
    const compared = presentComparison(quote, [...rates, other], { formType: 'ho5' });
    expect(compared.rates.map(({ id }) => id)).toEqual(['d']);
    expect(compared.basis_differences).toEqual([]);
  });
});

it('has links, fees, violated terms and the financial strength of the carrier', () => {
  const answer = {
    ...({ rateType: 'quoted', carrierQuoteNumber: 'N-1', bridgeUrl: 'https://carrier.example/b' } as const),
    fees: [{ code: 'tax', name: 'Tax', amountCents: 5_000n }],
    constraints: [
      { name: 'wind_deductible_percent', text: 'at least 5 percent', min: 5, result: 'violated', value: 2 },
    ],
  } as const;
  const strengths = new Map([['carrier_a', { agency: 'Example Ratings', rating: 'A' }]]);
  const [a, b] = presentComparison(quote, [rate('a', 100_000n, { answer }), rate('b', 200_000n)], { strengths }).rates;
  expect(a).toMatchObject({
    ...{ premium: '1000.00', premium_before_fees: '950.00', carrier_quote_number: 'N-1', violates_terms: true },
    terms: [{ name: 'wind_deductible_percent', text: 'at least 5 percent', result: 'violated', value: 2 }],
    ...{ financial_strength: { agency: 'Example Ratings', rating: 'A', as_of: null }, documents: [] },
  });
  expect(b).toMatchObject({ premium_before_fees: null, violates_terms: false, financial_strength: null });
});

it('reports the same basis only if every rate lists its coverages', () => {
  const basis = (...rates: StoredRate[]) => presentComparison(quote, rates).coverage_basis;
  expect(basis(rate('a', 1n), rate('b', 2n))).toBe('same');
  expect(basis(rate('a', 1n))).toBe('unknown');
  expect(basis(rate('a', 1n), rate('b', 2n, { answer: {} }))).toBe('unknown');
  expect(basis(rate('a', 1n), rate('b', 2n, { formType: 'ho5' }))).toBe('different');
  expect(basis()).toBe('unknown');
});

it('contains every line of every rate once, in its column', () => {
  const line = fc.record({
    code: fc.constantFrom('dwelling', 'loss_of_use', 'liability'),
    name: fc.constant('x'),
    amountCents: fc.bigInt(0n, 10_000n),
  });
  const lines = fc.uniqueArray(line, { selector: ({ code }) => code });
  fc.assert(
    fc.property(
      fc.array(fc.record({ premium: fc.option(fc.bigInt(1n, 99n)), coverages: lines, fees: lines }), { maxLength: 6 }),
      (given) => {
        const rates = given.map(({ premium, coverages, fees }, index) =>
          rate(`r${index}`, premium ?? undefined, { answer: { coverages, fees } }),
        );
        const compared = presentComparison(quote, rates);
        const premiums = compared.rates.map(({ premium }) => Number(premium));
        expect(premiums).toEqual(premiums.toSorted((a, b) => a - b));
        for (const [column, { id }] of compared.rates.entries()) {
          const { answer } = rates.find((each) => each.id === id)!;
          for (const section of ['coverages', 'fees'] as const) {
            const shown = compared.lines
              .filter((row) => row.section === section && row.amounts[column] !== null)
              .map((row) => [row.code, Math.round(Number(row.amounts[column]) * 100)]);
            const listed = answer![section]!.map(({ code, amountCents }) => [code, Number(amountCents)]);
            expect(shown.toSorted()).toEqual(listed.toSorted());
          }
        }
        expect(compared.rates.length + compared.without_premium.length).toBe(rates.length);
      },
    ),
  );
});
