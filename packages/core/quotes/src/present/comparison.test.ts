import type { Cents } from '@leeward/terms';
import fc from 'fast-check';
import { expect, it } from 'vitest';
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
  const compared = presentComparison(quote, [dear, cheap, replaced, rate('no', undefined)], 35_000_000n);
  expect(compared.rates.map(({ id, premium, rate_type }) => [id, premium, rate_type])).toEqual([
    ['cheap', '999.00', 'quoted'],
    ['dear', '2000.00', 'bindable'],
  ]);
  expect(compared.lines).toEqual([
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

it('reports the same basis only if every rate lists its coverages', () => {
  const basis = (...rates: StoredRate[]) => presentComparison(quote, rates, undefined).coverage_basis;
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
        const compared = presentComparison(quote, rates, undefined);
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
