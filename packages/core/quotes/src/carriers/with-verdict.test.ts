import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { CarrierAnswer } from '../ports/carrier-adapter.ts';
import { CarrierFault } from '../ports/carrier-fault.ts';
import type { CarrierVerdict, VerdictSource } from '../ports/verdict-source.ts';
import type { FullRate } from '../present/rate.ts';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { withVerdict } from './with-verdict.ts';

const ho3 = { ...exampleBody, form_types: ['ho3'] };
const referral: CarrierVerdict = {
  status: 'referral',
  reasons: [{ code: 'roof_age', message: 'An old roof.', field: 'roof_year' }],
  missingFields: [],
  requirements: [{ code: 'roof_photographs', message: 'Photographs of the roof.' }],
};
const eligible: CarrierVerdict = { ...referral, status: 'eligible', reasons: [] };
const lost = new CarrierFault('It broke off.', { kind: 'lost', code: 'lost' });

async function play(
  engine: (typeof engines)[number],
  judge: VerdictSource,
  options: {
    quote?: () => Promise<CarrierAnswer>;
    found?: CarrierAnswer;
    quoteDeadlineMs?: number;
    deadlineMs?: number;
  },
) {
  const { quote = async () => quotedAt(100_000n), found, quoteDeadlineMs = 60_000, deadlineMs = 5000 } = options;
  const carrier = scriptedCarrier(quote, {
    limits: { deadlineMs, backoff: { initialMs: 5, maxMs: 20 } },
    ...(found !== undefined && { lookup: async () => ({ status: 'found', answer: found }) as const }),
  });
  await using bench = await createBench(engine, [withVerdict(carrier, judge)], { quoteDeadlineMs });
  const created = await bench.quotes.create('team-1', ho3);
  const status = await bench.completed(created.quote_request_id);
  return { status, rate: status.rates[0] as FullRate, calls: carrier.calls, events: bench.events };
}

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`a carrier whose rules are asked, on ${engine.title}`, () => {
    it('refers what it refers, however its answer was come by', async () => {
      for (const options of [
        { quote: async () => ({ ...quotedAt(100_000n), rateType: 'bindable' as const }) },
        { quote: () => Promise.reject(lost), found: { ...quotedAt(100_000n), rateType: 'bindable' as const } },
      ]) {
        const { rate, status, calls } = await play(engine, async () => referral, options);
        expect(rate).toMatchObject({ outcome: 'referred', premium: '1000.00', rate_type: 'indication' });
        expect(rate.subject_to).toEqual([{ code: 'roof_photographs', message: 'Photographs of the roof.' }]);
        expect(status).toMatchObject({ min_quote: null, max_quote: null, outcomes: { referred: 1 } });
        expect(calls).toBe(1);
      }
    });

    it('is bound to nothing that is still to be shown, and to nothing it has not said', async () => {
      const bindable = async () => ({ ...quotedAt(100_000n), rateType: 'bindable' as const });
      expect((await play(engine, async () => eligible, { quote: bindable })).rate.rate_type).toBe('quoted');
      const bare = { ...eligible, requirements: [] };
      expect((await play(engine, async () => bare, { quote: bindable })).rate.rate_type).toBe('bindable');
      expect((await play(engine, async () => bare, {})).rate.rate_type).toBe('indication');
    });

    it('has its whole deadline, however long its rules took', async () => {
      const slow: VerdictSource = async () => {
        await sleep(300);
        return eligible;
      };
      const { rate, calls } = await play(engine, slow, {
        deadlineMs: 200,
        quote: async () => {
          await sleep(120);
          return quotedAt(100_000n);
        },
      });
      expect({ outcome: rate.outcome, calls }).toEqual({ outcome: 'quoted', calls: 1 });
    });

    it('is asked once its rules can be read again, and is not blamed meanwhile', async () => {
      let reads = 0;
      const { rate, calls, events } = await play(
        engine,
        async () => {
          if (++reads < 12) throw new Error('The store of rules is away.');
          return eligible;
        },
        {},
      );
      expect({ outcome: rate.outcome, calls, attempts: rate.attempts }).toEqual({
        outcome: 'quoted',
        calls: 1,
        attempts: 1,
      });
      // Eight calls that fail would give it up.
      expect(events.filter((event) => event.type === 'carrier_given_up')).toEqual([]);
    });

    it('was not asked where its rules cannot be read, and that is what is told', async () => {
      const { rate, calls } = await play(engine, () => Promise.reject(new Error('away')), { quoteDeadlineMs: 400 });
      expect(rate.error).toMatchObject({ code: 'rules_unavailable', retryable: true });
      expect(calls).toBe(0);
    });

    it('was not asked where its rules never answer', async () => {
      const { rate, calls } = await play(engine, () => new Promise<never>(() => {}), { quoteDeadlineMs: 400 });
      expect(rate.error).toMatchObject({ code: 'not_prepared', retryable: true });
      expect(calls).toBe(0);
    });
  });
}
