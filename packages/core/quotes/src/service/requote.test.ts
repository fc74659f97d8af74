import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { CarrierAdapter } from '../ports/carrier-adapter.ts';
import type { InvalidQuoteRequestError } from '../request/quote-errors.ts';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { eventually } from '../testing/suite.ts';

const ho3 = { ...exampleBody, form_types: ['ho3'] };
const DAY_MS = 86_400_000;
const named = (key: string, quote: CarrierAdapter['quote'], more: Partial<CarrierAdapter> = {}) =>
  scriptedCarrier(quote, { key, name: `The ${key}`, ...more });

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`a requote, on ${engine.title}`, () => {
    it('calls carriers whose request changed, and carries other valid answers over', async () => {
      const soon = () => new Date(Date.now() + 60_000).toISOString();
      const long = () => new Date(Date.now() + DAY_MS).toISOString();
      const all = named('all', async () => quotedAt(1000n));
      const roof = named('roof', async () => ({ ...quotedAt(2000n), expiresAt: long() }), {
        fieldsUsed: ['roof_year'],
      });
      const brief = named('brief', async () => ({ ...quotedAt(3000n), expiresAt: soon() }), { fieldsUsed: [] });
      const slow = named('slow', async () => ({ outcome: 'pending', pending: { reference: '1' } }), {
        fieldsUsed: [],
        verifyCallback: () => ({ id: '1', reference: '1' }),
      });
      const carriers = [all, roof, brief, slow];
      await using bench = await createBench(engine, carriers);
      const { quotes } = bench;
      const first = await quotes.create('team-1', { ...ho3, priority: 2 });
      const id = first.quote_request_id;
      await eventually(
        async () => (await quotes.status('team-1', id))?.counts.success === 3 && slow.calls === 1,
        () => 'not answered',
      );
      const again = (await quotes.requote('team-1', id, { fields: { dwelling_a: 400_000 } }, { idempotencyKey: 'k' }))!;
      expect(again).toMatchObject({
        requote_of: id,
        status: 'processing',
        counts: { processing: 1, success: 2, error: 0 },
        skipped: [{ carrier_key: 'slow', form_type: 'ho3', code: 'in_progress' }],
      });
      const { rows } = await sql`
        select distinct priority from quote_rate where quote_id = ${again.quote_request_id}`.execute(
        (await bench.place.open()).tables(),
      );
      expect(rows).toEqual([{ priority: 2 }]);
      const events = (await quotes.events('team-1', again.quote_request_id))!;
      const told = [];
      for (let count = 0; count < 4; count++) told.push((await events.next())?.message.type);
      events.end();
      expect(told).toEqual(['rate.ended', 'rate.ended', 'rate.ended', 'quote.completed']);
      const done = await bench.completed(again.quote_request_id);
      expect(carriers.map(({ calls }) => calls)).toEqual([2, 1, 1, 1]);
      const before = (await quotes.status('team-1', id, { includeRates: true }))!;
      const idOf = (key: string) => before.rate_index.find(({ carrier_key }) => carrier_key === key)!.id;
      expect(
        done.rates.map((rate) => 'carried_from' in rate && [rate.carrier_key, rate.premium, rate.carried_from]),
      ).toEqual([
        ['all', '10.00', null],
        ['roof', '20.00', idOf('roof')],
        ['brief', '30.00', idOf('brief')],
      ]);
      const same = { fields: { dwelling_a: 400_000 } };
      expect(await quotes.requote('team-1', id, same, { idempotencyKey: 'k' })).toEqual(again);
      await expect(quotes.requote('team-1', id, {}, { idempotencyKey: 'k' })).rejects.toThrow('Idempotency-Key');

      const later = await bench.join({ clock: { nowMicros: () => (Date.now() + 3_600_000) * 1000 } });
      const third = (await later.requote('team-1', id, { carrier_keys: ['roof', 'brief'] }))!;
      expect(third.counts).toEqual({ processing: 1, success: 1, error: 0 });
      const whole = (await later.requote('team-1', id, { carrier_keys: ['roof'] }))!;
      expect([whole.status, whole.counts.success]).toEqual(['complete', 1]);
      expect(await quotes.status('team-1', whole.quote_request_id)).toMatchObject({
        status: 'complete',
        min_quote: '20.00',
      });
      expect(roof.calls).toBe(1);
    });

    it('requires an existing quote of the team that is not erased', async () => {
      const carrier = scriptedCarrier(async () => quotedAt(1000n));
      await using bench = await createBench(engine, [carrier]);
      const { quotes } = bench;
      const { quote_request_id: id } = await quotes.create('team-1', ho3);
      await bench.completed(id);
      expect(await quotes.requote('team-2', id, {})).toBeUndefined();
      const faults = (changes: unknown) =>
        quotes.requote('team-1', id, changes).then(
          () => [],
          (error: InvalidQuoteRequestError) => error.faults.map(({ path, code }) => [path, code]),
        );
      expect(await faults({ product_code: 'wind' })).toEqual([['/product_code', 'unknown_field']]);
      expect(await faults({ fields: { year_built: null } })).toEqual([['/fields/year_built', 'required']]);
      expect(await faults({ carrier_keys: ['nobody'] })).toEqual([['/carrier_keys/0', 'unknown_carrier']]);
      expect(await faults([])).toEqual([['', 'invalid_type']]);
      await quotes.erase('team-1', id);
      expect(await faults({})).toEqual([['', 'erased']]);
      expect(carrier.calls).toBe(1);
    });
  });
}
