import { describe, expect, it, vi } from 'vitest';
import type { CarrierAdapter, CarrierAnswer } from '../ports/carrier-adapter.ts';
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
  verdictOf: VerdictSource,
  options: {
    quote?: CarrierAdapter['quote'];
    lookupAnswer?: CarrierAnswer;
    quoteDeadlineMs?: number;
    deadlineMs?: number;
  },
) {
  const { quote = async () => quotedAt(100_000n), lookupAnswer, quoteDeadlineMs = 60_000, deadlineMs = 5000 } = options;
  const carrier = scriptedCarrier(quote, {
    limits: { deadlineMs, backoff: { initialMs: 5, maxMs: 20 } },
    ...(lookupAnswer !== undefined && { lookup: async () => ({ status: 'found', answer: lookupAnswer }) as const }),
  });
  await using bench = await createBench(engine, [withVerdict(carrier, verdictOf)], { quoteDeadlineMs });
  const created = await bench.quotes.create('team-1', ho3);
  const status = await bench.completed(created.quote_request_id);
  return { status, rate: status.rates[0] as FullRate, calls: carrier.calls, events: bench.events };
}

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`a carrier with rules, on ${engine.title}`, () => {
    it('returns a referral for an answer and for a looked-up answer', async () => {
      for (const options of [
        { quote: async () => ({ ...quotedAt(100_000n), rateType: 'bindable' as const }) },
        { quote: () => Promise.reject(lost), lookupAnswer: { ...quotedAt(100_000n), rateType: 'bindable' as const } },
      ]) {
        const { rate, status, calls } = await play(engine, async () => referral, options);
        expect(rate).toMatchObject({ outcome: 'referred', premium: '1000.00', rate_type: 'indication' });
        expect(rate.subject_to).toEqual([{ code: 'roof_photographs', message: 'Photographs of the roof.' }]);
        expect(status).toMatchObject({ min_quote: null, max_quote: null, outcomes: { referred: 1 } });
        expect(calls).toBe(1);
      }
    });

    it('passes the tier on, and gives only an indication while the tier is open', async () => {
      const preferred = { of: 'homeowners', rank: 1, name: 'Preferred', programId: 'p' };
      const standard = { of: 'homeowners', rank: 2, programId: 's' };
      const passed: unknown[] = [];
      const quote: CarrierAdapter['quote'] = async (_, context) => {
        passed.push(context.tier);
        return { ...quotedAt(100_000n), rateType: 'bindable' as const };
      };
      const named = await play(engine, async () => ({ ...eligible, requirements: [], tier: preferred }), { quote });
      expect(named.rate).toMatchObject({ outcome: 'quoted', rate_type: 'bindable' });
      expect(named.rate.carrier_response_messages).toMatchObject([
        { code: 'tier', message: 'Tier of the carrier: Preferred.' },
      ]);
      const possibleTiers = [preferred, standard];
      const open = await play(engine, async () => ({ ...eligible, requirements: [], possibleTiers }), { quote });
      expect(open.rate).toMatchObject({ outcome: 'quoted', rate_type: 'indication' });
      expect(open.rate.carrier_response_messages).toMatchObject([
        { code: 'tier_open', message: 'The tier of the carrier depends on missing fields: Preferred or s.' },
      ]);
      expect(passed).toEqual([preferred, undefined]);
    });

    it('flags a rate that violates a term, and lists a term that the rate does not state', async () => {
      const wind = { name: 'hurricane_deductible_percent', text: 'hurricane deductible: at least 5 percent', min: 5 };
      const roof = {
        name: 'roof_settlement',
        text: 'roof settlement: actual cash value',
        oneOf: ['actual cash value'],
      };
      const verdict = { ...eligible, requirements: [], terms: [wind, roof] };
      const passed: unknown[] = [];
      const answerWith = (percent: bigint, terms = {}) => {
        const quote: CarrierAdapter['quote'] = async (_, context) => {
          passed.push(context.terms);
          return {
            ...quotedAt(100_000n),
            rateType: 'bindable' as const,
            coverages: [{ code: 'dwelling', name: 'Dwelling', amountCents: 40_000_000n }],
            deductibles: [{ code: 'hurricane', name: 'Hurricane', amountCents: 400_000n * percent }],
            ...terms,
          };
        };
        return play(engine, async () => verdict, { quote });
      };
      const low = (await answerWith(2n)).rate;
      expect(passed).toEqual([[wind, roof]]);
      expect(low).toMatchObject({ outcome: 'quoted', rate_type: 'indication' });
      expect(low.carrier_response_messages).toContainEqual({
        level: 'warning',
        code: 'term_violated',
        message: 'The rate violates a term of the carrier (hurricane deductible: at least 5 percent); it has 2.',
        field: null,
      });
      const open = (await answerWith(5n)).rate;
      expect(open.rate_type).toBe('quoted');
      expect(open.subject_to).toEqual([
        { code: 'roof_settlement', message: 'Term of the carrier: roof settlement: actual cash value.' },
      ]);
      const stated = (await answerWith(5n, { terms: { roof_settlement: 'actual cash value' } })).rate;
      expect(stated).toMatchObject({ rate_type: 'bindable', subject_to: [] });
      const wrong = (await answerWith(5n, { terms: { roof_settlement: 'replacement cost' } })).rate;
      expect(wrong).toMatchObject({ rate_type: 'indication' });
    });

    it('returns bindable only for a bindable answer without open requirements', async () => {
      const bindable = async () => ({ ...quotedAt(100_000n), rateType: 'bindable' as const });
      expect((await play(engine, async () => eligible, { quote: bindable })).rate.rate_type).toBe('quoted');
      const bare = { ...eligible, requirements: [] };
      expect((await play(engine, async () => bare, { quote: bindable })).rate.rate_type).toBe('bindable');
      expect((await play(engine, async () => bare, {})).rate.rate_type).toBe('indication');
    });

    it('gives the call its full deadline after slow rules', async () => {
      const now = performance.now.bind(performance);
      let passedMs = 0;
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
      try {
        const slow: VerdictSource = async () => {
          passedMs += 6000;
          return eligible;
        };
        const deadlines: number[] = [];
        const { rate } = await play(engine, slow, {
          deadlineMs: 5000,
          quote: async (_, { deadlineMs }) => {
            deadlines.push(deadlineMs);
            return quotedAt(100_000n);
          },
        });
        expect({ outcome: rate.outcome, deadlines }).toEqual({ outcome: 'quoted', deadlines: [5000] });
      } finally {
        clock.mockRestore();
      }
    });

    it('calls the carrier once its rules are readable, without counting failures', async () => {
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
      expect(events.filter((event) => event.type === 'carrier_given_up')).toEqual([]);
    });

    it('ends with rules_unavailable if the rules stay unreadable', async () => {
      const { rate, calls } = await play(engine, () => Promise.reject(new Error('away')), { quoteDeadlineMs: 400 });
      expect(rate.error).toMatchObject({ code: 'rules_unavailable', retryable: true });
      expect(calls).toBe(0);
    });

    it('ends with not_prepared if the rules never answer', async () => {
      const { rate, calls } = await play(engine, () => new Promise<never>(() => {}), { quoteDeadlineMs: 400 });
      expect(rate.error).toMatchObject({ code: 'not_prepared', retryable: true });
      expect(calls).toBe(0);
    });
  });
}
