import { describe, expect, it } from 'vitest';
import type { InvalidQuoteRequestError } from '../request/quote-errors.ts';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody, exampleFields } from '../testing/example-request.ts';
import { eventually } from '../testing/suite.ts';

const body = (form_types: string[], more: object = {}) => ({ ...exampleBody, form_types, ...more });

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`a list of quotes, on ${engine.title}`, () => {
    it('has the quotes of one team, newest first, by page, product and status', async () => {
      const premiums = { ho3: 200_000n, ho5: 100_000n };
      const carrier = scriptedCarrier(
        async ({ formType }) =>
          formType === 'dp3'
            ? { outcome: 'pending', pending: { reference: '1' } }
            : {
                ...quotedAt(premiums[formType as 'ho3']),
                rateType: formType === 'ho3' ? 'bindable' : 'indication',
                // Text of a carrier does not count.
                messages: [{ level: 'info', code: 'note', message: '"rateType":"bindable"' }],
              },
        { offers: [{ formTypes: ['ho3', 'ho5', 'dp3'] }], verifyCallback: () => ({ id: '1', reference: '1' }) },
      );
      await using bench = await createBench(engine, [carrier]);
      const { quotes } = bench;
      const ids: string[] = [];
      for (const each of [
        body(['ho3', 'ho5']),
        body(['ho3'], { fields: { ...exampleFields, first_name: 'élodie', last_name: 'de Wit' } }),
        body(['dp3'], { product_code: 'dwelling_fire' }),
        body(['ho5']),
      ]) {
        ids.unshift((await quotes.create('team-1', each)).quote_request_id);
      }
      await eventually(
        async () => (await quotes.list('team-1', { status: 'complete' })).quotes.length === 3,
        () => 'not answered',
      );
      const idsOf = async (options?: Parameters<typeof quotes.list>[1]) =>
        (await quotes.list('team-1', options)).quotes.map(({ quote_request_id }) => quote_request_id);
      expect(await idsOf()).toEqual(ids);
      expect(await idsOf({ status: 'processing' })).toEqual([ids[1]]);
      expect(await idsOf({ status: 'complete' })).toEqual([ids[0], ids[2], ids[3]]);
      expect(await idsOf({ product: 'Dwelling Fire' })).toEqual([ids[1]]);
      expect(await quotes.list('team-2')).toEqual({ quotes: [], next: null });

      const pages: string[][] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await quotes.list('team-1', { limit: 3, cursor });
        pages.push(page.quotes.map(({ quote_request_id }) => quote_request_id));
        cursor = page.next;
      }
      expect(pages).toEqual([ids.slice(0, 3), ids.slice(3)]);

      const [, second, third, last] = (await quotes.list('team-1')).quotes;
      expect(second).toMatchObject({ status: 'processing', min_quote: null, product_code: 'dwelling_fire' });
      expect(third).toMatchObject({ insured_initials: 'ÉD', insured: null });
      expect(last).toMatchObject({
        ...{ status: 'complete', counts: { processing: 0, success: 2, error: 0 }, team_id: 'team-1' },
        ...{ min_quote: '1000.00', max_quote: '2000.00', insured_initials: 'DW', form_types: ['ho3', 'ho5'] },
        // The cheaper one is only an indication.
        best_offer: { premium: '2000.00', rate_type: 'bindable' },
      });
      const shown = (await quotes.list('team-1', { showsInsured: true })).quotes.at(-1)!;
      expect(shown.insured).toEqual({ name: 'Dana Whitfield', address: '1420 Larkspur Ave, Ocala, FL 34471' });
      const text = JSON.stringify(await quotes.list('team-1'));
      for (const personal of ['Dana', 'Larkspur', '34471', 'example.com"}', '1979'])
        expect(text).not.toContain(personal);

      await quotes.erase('team-1', ids[3]!);
      const erased = (await quotes.list('team-1', { showsInsured: true })).quotes.at(-1);
      expect(erased).toMatchObject({ insured_initials: null, insured: null, assigned_producer_email: '' });
    });

    it('rejects an unknown product, and a cursor of another list', async () => {
      await using bench = await createBench(engine, [scriptedCarrier(async () => quotedAt(1n))], { work: false });
      const faultsOf = (options: object) =>
        bench.quotes.list('team-1', options).then(
          () => [],
          (error: InvalidQuoteRequestError) => error.faults.map(({ path, code }) => `${path} ${code}`),
        );
      expect(await faultsOf({ product: 'boat' })).toEqual(['/product_code unknown_product']);
      expect(await faultsOf({ cursor: "1' or 1=1" })).toEqual(['/cursor invalid_value']);
    });
  });
}
