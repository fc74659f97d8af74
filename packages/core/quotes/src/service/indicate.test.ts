import { expect, it } from 'vitest';
import type { Indication } from '../ports/carrier-adapter.ts';
import type { InvalidQuoteRequestError } from '../request/quote-errors.ts';
import { createBench, engines, scriptedCarrier } from '../testing/bench.ts';

const indication: Indication = { premiumCents: 200_000n, minCents: 100_000n, maxCents: 300_000n, missingFields: ['x'] };

it('estimates for the appointed carriers with rates, without the fields of a quote and without a call', async () => {
  const offers = [{ formTypes: ['ho3'] as const, states: ['fl'] }];
  const uncalled = async () => {
    throw new Error('called');
  };
  const adapter = (key: string, more: object) => ({
    ...scriptedCarrier(uncalled, { key, name: key, offers }),
    ...more,
  });
  const carriers = [
    adapter('dear', { indicate: () => indication }),
    adapter('cheap', { indicate: async () => ({ ...indication, premiumCents: 150_000n }) }),
    adapter('unable', { indicate: () => undefined }),
    adapter('broken', { indicate: uncalled }),
    adapter('without', {}),
  ];
  await using bench = await createBench(engines[0]!, carriers, { work: false });
  const inFlorida = { formTypes: ['HO3', 'ho5'], fields: { state: 'FL' } };
  const { indications, carriers: callable } = await bench.quotes.indicate('team-1', inFlorida);
  expect(indications.map(({ carrier_key, form_type, premium }) => [carrier_key, form_type, premium])).toEqual([
    ['cheap', 'ho3', '1500.00'],
    ['dear', 'ho3', '2000.00'],
  ]);
  expect(indications[1]).toMatchObject({ min: '1000.00', max: '3000.00', missing_fields: ['x'] });
  const inTexas = await bench.quotes.indicate('team-1', { formTypes: ['ho3'], fields: { state: 'tx' } });
  expect(inTexas.indications).toEqual([]);
  const codes = (list: typeof callable, key: string) =>
    list.flatMap(({ carrier_key, form_type, skip_code }) => (carrier_key === key ? [[form_type, skip_code]] : []));
  expect(codes(callable, 'without')).toEqual([
    ['ho3', null],
    ['ho5', 'form_type_not_offered'],
  ]);
  expect(codes(inTexas.carriers, 'dear')).toEqual([['ho3', 'state_not_offered']]);
  const faults = await bench.quotes
    .indicate('team-1', { formTypes: ['ho33'], fields: { dwelling_a: 'much' } })
    .catch((error: InvalidQuoteRequestError) => error.faults.map(({ path }) => path));
  expect(faults).toEqual(['/form_types/0', '/fields/dwelling_a']);
  expect((await bench.quotes.list('team-1')).quotes).toEqual([]);
});
