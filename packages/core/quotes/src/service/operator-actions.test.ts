import { describe, expect, it } from 'vitest';
import { CarrierFault } from '../ports/carrier-fault.ts';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { eventually } from '../testing/suite.ts';

const ho3 = { ...exampleBody, form_types: ['ho3'] };

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`an operator, on ${engine.title}`, () => {
    it('lists failed rates and retries each once; may_repeat rates only with mayRepeat', async () => {
      let isWell = false;
      const carrier = scriptedCarrier(
        async ({ fields }) => {
          if (isWell) return quotedAt(1000n);
          const kind = fields['city'] === 'Ocala' ? 'refused' : 'lost';
          throw new CarrierFault('It is down.', { kind, code: `is_${kind}` });
        },
        { limits: { maxAttempts: 1 } },
      );
      await using bench = await createBench(engine, [carrier]);
      const { quotes } = bench;
      const refused = await quotes.create('team-1', ho3);
      const lost = await quotes.create('team-1', {
        ...ho3,
        fields: { ...(exampleBody['fields'] as object), city: 'Belleview' },
      });
      for (const { quote_request_id: id } of [refused, lost]) await bench.completed(id);

      const { rates, next } = (await quotes.failedRates({ carrier: 'Scripted Mutual' }))!;
      expect(next).toBeNull();
      const seen = Object.fromEntries(rates.map((rate) => [rate.quote_request_id, rate]));
      expect(seen[refused.quote_request_id]).toMatchObject({ outcome: 'failed', why: 'is_refused', retry: 'yes' });
      expect((await quotes.failures()).map(({ outcome, count }) => [outcome, count]).toSorted()).toEqual([
        ['failed', 1],
        ['unknown_outcome', 1],
      ]);
      expect(seen[lost.quote_request_id]).toMatchObject({
        outcome: 'unknown_outcome',
        why: 'is_lost',
        retry: 'may_repeat',
      });
      expect(await quotes.failedRates({ carrier: 'nobody' })).toBeUndefined();
      expect((await quotes.failedRates({ teamId: 'team-2' }))?.rates).toEqual([]);
      const first = (await quotes.failedRates({ limit: 1 }))!;
      const second = (await quotes.failedRates({ limit: 1, after: first.next! }))!;
      expect([...first.rates, ...second.rates]).toEqual(rates);
      expect(second.next).toBeNull();
      await expect(quotes.failedRates({ after: 'x' })).rejects.toThrow('after is not a position in this list');

      isWell = true;
      const again = (await quotes.retryRates({ carrier: 'scripted' }))!;
      expect(again).toMatchObject({ retried: [{ rate_id: seen[refused.quote_request_id]!.rate_id }], more: false });
      expect((await bench.completed(refused.quote_request_id)).counts).toEqual({ processing: 0, success: 1, error: 0 });
      const unknown = seen[lost.quote_request_id]!.rate_id;
      const codes = async (mayRepeat: boolean) =>
        (await quotes.retryRates({ rateIds: [unknown, 'nothing'], mayRepeat }))?.refused.map(({ code }) => code);
      expect(await codes(false)).toEqual(['not_found', 'may_repeat']);
      expect(carrier.calls).toBe(3);
      expect((await Promise.all([codes(true), codes(true)])).flat().toSorted()).toEqual([
        'already_retried',
        'not_found',
        'not_found',
      ]);
      expect((await bench.completed(lost.quote_request_id)).counts.success).toBe(1);
      expect(await quotes.failures()).toEqual([]);
      expect(carrier.calls).toBe(4);
      expect((await quotes.failedRates())?.rates).toEqual([]);
    });

    it('lists waiting rates with their reasons, and a paused carrier is not polled', async () => {
      let looks = 0;
      const carrier = scriptedCarrier(async () => ({ outcome: 'pending', pending: { pollAfterMs: 1 } }), {
        resume: async () => {
          looks++;
          return { outcome: 'pending', pending: { pollAfterMs: 1 } };
        },
      });
      await using bench = await createBench(engine, [carrier]);
      const { quotes } = bench;
      const pending = await quotes.create('team-1', ho3);
      await eventually(
        async () => looks > 0,
        () => 'never looked at',
      );
      await quotes.pauseCarrier('scripted');
      await quotes.sweep();
      await eventually(
        async () => (await quotes.failedRates({ state: 'waiting', waitingMs: 0 }))?.rates[0]?.why === 'carrier_paused',
        () => 'still asked',
      );
      const before = looks;
      const queued = await quotes.create('team-1', ho3);
      for (let rounds = 0; rounds < 5; rounds++) await quotes.sweep();
      expect([looks, carrier.calls]).toEqual([before, 1]);
      const { rates } = (await quotes.failedRates({ state: 'waiting', waitingMs: 0 }))!;
      expect(rates.map((rate) => [rate.quote_request_id, rate.why, rate.retry])).toEqual([
        [pending.quote_request_id, 'carrier_paused', 'no'],
        [queued.quote_request_id, 'carrier_paused', 'no'],
      ]);
      expect((await quotes.failedRates({ state: 'waiting' }))?.rates).toEqual([]);
      await quotes.resumeCarrier('scripted');
      await eventually(
        async () => looks > before && carrier.calls === 2,
        () => `not asked again: ${looks} looks, ${carrier.calls} calls`,
      );
    });
  });
}
