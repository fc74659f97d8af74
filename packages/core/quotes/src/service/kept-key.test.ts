import { describe, expect, it } from 'vitest';
import type { CarrierAdapter } from '../ports/carrier-adapter.ts';
import { CarrierFault, type CarrierFaultOptions } from '../ports/carrier-fault.ts';
import type { FullRate } from '../present/rate.ts';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { eventually } from '../testing/suite.ts';

const ho3 = { ...exampleBody, form_types: ['ho3'] };
const fault = (kind: CarrierFaultOptions['kind'], nothingMade?: boolean) =>
  new CarrierFault(`It ${kind}.`, { kind, code: kind, nothingMade });
const hang: CarrierAdapter['quote'] = (_, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
type Step = CarrierFault | 'hang' | 'nonsense';

function keyedCarrier(script: readonly Step[], maxAttempts: number, more: Partial<CarrierAdapter> = {}) {
  const keys: string[] = [];
  const carrier = scriptedCarrier(
    async (request, context) => {
      keys.push(context.idempotencyKey);
      const step = script[keys.length - 1];
      if (step === 'hang') return hang(request, context);
      if (step === 'nonsense') return quotedAt(0n);
      if (step !== undefined) throw step;
      return quotedAt(100_000n);
    },
    {
      idempotent: true,
      limits: { deadlineMs: 60, maxAttempts, backoff: { initialMs: 1, maxMs: 5 } },
      ...more,
    },
  );
  return { carrier, keys };
}

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`the idempotency key of a retry, on ${engine.title}`, () => {
    it.each<[string, readonly Step[], number, 'kept' | 'new']>([
      ['a time-out', ['hang'], 1, 'kept'],
      ['a 5xx', [fault('failed')], 1, 'kept'],
      ['a lost connection', [fault('lost')], 1, 'kept'],
      ['an answer that cannot be read', [fault('unreadable')], 1, 'kept'],
      ['a refused connection', [fault('refused')], 1, 'new'],
      ['a time-out, then a refused connection', ['hang', fault('refused')], 2, 'kept'],
      ['a refused connection, then a time-out', [fault('refused'), 'hang'], 2, 'kept'],
      ['refusals alone', [fault('refused'), fault('refused')], 2, 'new'],
      ['a 4xx refusal', [fault('invalid', true)], 1, 'new'],
      ['a 5xx, then a 4xx refusal', [fault('failed'), fault('invalid', true)], 2, 'kept'],
      ['an answer without sense', [fault('invalid')], 1, 'kept'],
      ['a premium of nothing', ['nonsense'], 1, 'kept'],
    ])('after %s', async (_, script, maxAttempts, expected) => {
      const { carrier, keys } = keyedCarrier(script, maxAttempts);
      await using bench = await createBench(engine, [carrier]);
      const created = await bench.quotes.create('team-1', ho3);
      const [rate] = (await bench.completed(created.quote_request_id)).rates as FullRate[];
      const { retried } = (await bench.quotes.retryRates({ rateIds: [rate!.id], mayRepeat: true }))!;
      const status = await bench.completed(created.quote_request_id);
      expect(status.counts.success).toBe(1);
      expect(keys).toHaveLength(script.length + 1);
      expect(new Set(keys.slice(0, -1))).toEqual(new Set([rate!.id]));
      expect(keys.at(-1)).toBe(expected === 'kept' ? rate!.id : retried[0]!.retried_as);
    });

    it('is kept over several retries, and replaced once a retry shows that nothing was made', async () => {
      const { carrier, keys } = keyedCarrier([fault('failed'), fault('failed'), fault('lost')], 1);
      await using bench = await createBench(engine, [carrier]);
      const created = await bench.quotes.create('team-1', ho3);
      let [rate] = (await bench.completed(created.quote_request_id)).rates as FullRate[];
      const first = rate!.id;
      for (let retries = 0; retries < 3; retries++) {
        rate = await bench.quotes.retry('team-1', rate!.id);
        await bench.completed(created.quote_request_id);
      }
      expect(keys).toEqual([first, first, first, first]);
    });

    it('is kept if a worker died during a call', async () => {
      const { carrier, keys } = keyedCarrier(['hang', fault('refused')], 2, {
        limits: { deadlineMs: 300, maxAttempts: 2, backoff: { initialMs: 1, maxMs: 5 } },
      });
      await using bench = await createBench(engine, [carrier], { leaseMarginMs: 100, work: false });
      const database = await bench.place.open();
      const gone = await bench.join({ sweepIntervalMs: 600_000 });
      await gone.start();
      const created = await gone.create('team-1', ho3);
      await eventually(
        () => keys.length === 1,
        () => 'not called',
      );
      await database
        .tables<{ quote_rate: { lease_until: number | null; wake_at: number | null } }>()
        .updateTable('quote_rate')
        .set({ lease_until: 1, wake_at: 1 })
        .execute();
      const heir = await bench.join();
      await heir.start();
      const [rate] = (await bench.completed(created.quote_request_id)).rates as FullRate[];
      expect(rate).toMatchObject({ outcome: 'failed', error: { code: 'refused' } });
      await heir.retry('team-1', rate!.id);
      await bench.completed(created.quote_request_id);
      expect(keys).toEqual([rate!.id, rate!.id, rate!.id]);
    });

    it('is kept if the process stopped during a call', async () => {
      const { carrier, keys } = keyedCarrier(['hang', fault('refused')], 1, {
        limits: { deadlineMs: 60_000, maxAttempts: 1, backoff: { initialMs: 1, maxMs: 5 } },
      });
      await using bench = await createBench(engine, [carrier], { work: false });
      const stopping = await bench.join();
      await stopping.start();
      const created = await stopping.create('team-1', ho3);
      await eventually(
        () => keys.length === 1,
        () => 'not called',
      );
      await stopping.stop({ graceMs: 0 });
      const heir = await bench.join();
      await heir.start();
      const [rate] = (await bench.completed(created.quote_request_id)).rates as FullRate[];
      expect(rate).toMatchObject({ outcome: 'failed', error: { code: 'refused' } });
      await heir.retry('team-1', rate!.id);
      await bench.completed(created.quote_request_id);
      expect(keys).toEqual([rate!.id, rate!.id, rate!.id]);
    });

    it('is kept if a poll of a pending answer is refused', async () => {
      const keys: string[] = [];
      let looks = 0;
      const carrier = scriptedCarrier(
        async (_, { idempotencyKey }) => {
          keys.push(idempotencyKey);
          return { outcome: 'pending', pending: { pollAfterMs: 1 } };
        },
        {
          idempotent: true,
          resume: async () => {
            if (++looks === 1) throw fault('invalid', true);
            return quotedAt(88_000n);
          },
        },
      );
      await using bench = await createBench(engine, [carrier]);
      const created = await bench.quotes.create('team-1', ho3);
      const [rate] = (await bench.completed(created.quote_request_id)).rates as FullRate[];
      expect(rate).toMatchObject({ outcome: 'invalid' });
      await bench.quotes.retryRates({ rateIds: [rate!.id], mayRepeat: true });
      await bench.completed(created.quote_request_id);
      expect(keys).toEqual([rate!.id, rate!.id]);
    });

    it('is replaced if a lookup found no request', async () => {
      const { carrier, keys } = keyedCarrier([fault('lost')], 3, {
        idempotent: false,
        lookup: async () => ({ status: 'absent' }),
      });
      await using bench = await createBench(engine, [carrier]);
      const created = await bench.quotes.create('team-1', ho3);
      const [rate] = (await bench.completed(created.quote_request_id)).rates as FullRate[];
      expect(rate).toMatchObject({ outcome: 'failed', error: { code: 'never_arrived', retryable: true } });
      const retried = await bench.quotes.retry('team-1', rate!.id);
      await bench.completed(created.quote_request_id);
      expect(keys).toEqual([rate!.id, retried!.id]);
    });

    it('leads callbacks to the retry only', async () => {
      let calls = 0;
      const carrier = scriptedCarrier(
        async (_, { idempotencyKey }) => ({
          outcome: 'pending',
          pending: { reference: idempotencyKey, ...(++calls === 1 && { pollAfterMs: 1 }) },
        }),
        {
          idempotent: true,
          resume: async () => {
            throw fault('invalid');
          },
          verifyCallback: ({ body }) => ({
            id: 'c1',
            reference: Buffer.from(body).toString(),
            answer: quotedAt(77_700n),
          }),
        },
      );
      await using bench = await createBench(engine, [carrier]);
      const created = await bench.quotes.create('team-1', ho3);
      const [rate] = (await bench.completed(created.quote_request_id)).rates as FullRate[];
      expect(rate).toMatchObject({ outcome: 'invalid' });
      await bench.quotes.retryRates({ rateIds: [rate!.id], mayRepeat: true });
      await eventually(
        () => bench.events.filter(({ type }) => type === 'rate_pending').length === 2,
        () => 'not pending',
      );
      const callback = { headers: {}, body: Buffer.from(rate!.id), receivedAtMs: Date.now() };
      expect(await bench.quotes.receiveCallback('scripted', callback)).toBe('taken');
      const [answered] = (await bench.completed(created.quote_request_id)).rates as FullRate[];
      expect(answered).toMatchObject({ outcome: 'quoted', premium: '777.00' });
    });
  });
}
