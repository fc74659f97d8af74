import { describe, expect, it } from 'vitest';
import { createSandboxCarrier } from '../carriers/sandbox/sandbox-carrier.ts';
import { withVerdict } from '../carriers/with-verdict.ts';
import type { FullRate } from '../present/rate.ts';
import type { InvalidQuoteRequestError } from '../request/quote-errors.ts';
import { createBench, engines, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody, exampleFields } from '../testing/example-request.ts';

const asking = (requested_coverages: unknown) => ({
  ...exampleBody,
  form_types: ['ho3'],
  fields: { ...exampleFields, requested_coverages },
});

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`requested coverages, on ${engine.title}`, () => {
    it('reach the carrier, are compared, and change one by one in a requote', async () => {
      const sandbox = createSandboxCarrier({ latencyMs: 0 });
      const term = { name: 'hurricane_deductible_percent', text: 'hurricane deductible: at least 5 percent', min: 5 };
      const carrier = withVerdict(
        {
          ...sandbox,
          financialStrength: async () => ({ agency: 'Example Ratings', rating: 'A-', asOf: '2026-06-30' }),
        },
        async () => ({ status: 'eligible', reasons: [], missingFields: [], terms: [term] }),
      );
      await using bench = await createBench(engine, [carrier]);
      const { quotes } = bench;
      const body = asking({ hurricane: { percent: 2 }, roof: { settlement: 'replacement_cost' } });
      const { quote_request_id: id } = await quotes.create('team-1', body);
      const first = (await bench.completed(id)).rates[0] as FullRate;
      expect(first.coverages).toContainEqual({
        ...{ code: 'loss_of_use', name: 'D. Loss of use', amount: '70000.00', percent: 20, percent_of: 'dwelling' },
        ...{ inclusion: null, settlement: null },
      });
      expect(first.deductibles).toContainEqual(
        expect.objectContaining({ code: 'hurricane', percent: 2, amount: '7000.00' }),
      );
      const compared = (await quotes.compare('team-1', id, { formType: 'HO-3' }))!;
      expect(compared.lines.find(({ code }) => code === 'hurricane')).toMatchObject({ differs_from_request: [] });
      expect(compared.rates[0]!.financial_strength).toEqual({
        ...{ agency: 'Example Ratings', rating: 'A-', as_of: '2026-06-30' },
      });

      expect(compared.rates[0]!.terms).toMatchObject([
        { ...{ name: term.name, text: term.text }, result: 'satisfied' },
      ]);

      const changes = { fields: { requested_coverages: { hurricane: { percent: 5 } } } };
      const again = (await quotes.requote('team-1', id, changes))!;
      const second = (await bench.completed(again.quote_request_id)).rates[0] as FullRate;
      expect(second.deductibles).toContainEqual(
        expect.objectContaining({ code: 'hurricane', percent: 5, amount: '17500.00' }),
      );
      const lines = (await quotes.compare('team-1', again.quote_request_id))!.lines;
      expect(
        lines.map(({ code, requested_value }) => [code, requested_value?.settlement ?? requested_value?.percent]),
      ).toEqual(
        expect.arrayContaining([
          ['hurricane', 5],
          ['roof', 'replacement_cost'],
        ]),
      );
    });

    it('are flagged if they violate a term of the carrier’s rules', async () => {
      const term = { name: 'hurricane_deductible_percent', text: 'at least 5 percent', min: 5 };
      const { quote } = createSandboxCarrier({ latencyMs: 0 });
      const careless = scriptedCarrier(async (request, context) => quote(request, { ...context, terms: [] }));
      const verdict = { status: 'eligible', reasons: [], missingFields: [], terms: [term] } as const;
      await using bench = await createBench(engine, [withVerdict(careless, async () => verdict)]);
      const { quote_request_id: id } = await bench.quotes.create('team-1', asking({ hurricane: { percent: 2 } }));
      const terms = [{ name: term.name, text: term.text, result: 'violated', value: 2 }];
      expect((await bench.completed(id)).rates[0]).toMatchObject({ rate_type: 'indication', terms });
      expect((await bench.quotes.compare('team-1', id))!.rates[0]).toMatchObject({ violates_terms: true, terms });
    });

    it('are rejected with the place of each fault', async () => {
      await using bench = await createBench(engine, [createSandboxCarrier()], { work: false });
      const faultsOf = (requested: unknown) =>
        bench.quotes.create('team-1', asking(requested)).then(
          () => [],
          (error: InvalidQuoteRequestError) => error.faults.map(({ path }) => path),
        );
      const at = '/fields/requested_coverages';
      expect(await faultsOf('2 %')).toEqual([at]);
      expect(await faultsOf({ hurricane: { percent: 101 }, roof: { settlement: 'new' } })).toEqual([
        `${at}/hurricane/percent`,
        `${at}/roof/settlement`,
      ]);
      expect(await faultsOf({ hurricane: {} })).toEqual([`${at}/hurricane`]);
      expect(await faultsOf({ hurricane: { percentage: 2 } })).toContain(`${at}/hurricane/percentage`);
      expect(await faultsOf({ 'Hurricane!': { percent: 2 } })).toHaveLength(1);
    });
  });
}
