import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { withVerdict } from '../carriers/with-verdict.ts';
import type { CarrierAdapter, OtherRates } from '../ports/carrier-adapter.ts';
import { CarrierFault } from '../ports/carrier-fault.ts';
import type { CarrierVerdict, VerdictSource } from '../ports/verdict-source.ts';
import type { FullRate } from '../present/rate.ts';
import { createBullMqBackend } from '../queues/bullmq.ts';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { findRedis } from '../testing/find-redis.ts';
import { forgetRedis } from '../testing/forget-redis.ts';
import { eventually } from '../testing/suite.ts';

const body = { ...exampleBody, form_types: ['ho3'] };
const eligible: CarrierVerdict = { status: 'eligible', reasons: [], missingFields: [] };

/** Rules that wait for all carriers but those that wait themselves. */
function lastCarrier(key: string, seen: OtherRates[], waiting: readonly string[] = [key]) {
  const carrier = scriptedCarrier(async () => quotedAt(100_000n), { key, name: key, limits: { deadlineMs: 500 } });
  const verdictOf: VerdictSource = async (_, __, answers) => {
    const others = await answers!.readOthers!();
    const rates = others.rates.filter((each) => !waiting.includes(each.carrierKey));
    if (others.canWait && rates.some(({ outcome }) => outcome === undefined))
      return { ...eligible, waitsForOthers: true };
    seen.push({ ...others, rates });
    return eligible;
  };
  return { carrier, adapter: withVerdict(carrier, verdictOf) };
}

const other = (key: string, quote: CarrierAdapter['quote'], more: Partial<CarrierAdapter> = {}) =>
  scriptedCarrier(quote, { key, name: key, limits: { deadlineMs: 300, maxAttempts: 1 }, ...more });
const refused = new CarrierFault('Down.', { kind: 'refused', code: 'down' });

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`a carrier that depends on others, on ${engine.title}`, () => {
    it('is called once, after all others have ended, with their outcomes and premiums', async () => {
      const seen: OtherRates[] = [];
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      const slow = other('slow', () => gate.then(() => quotedAt(250_050n)), { limits: { deadlineMs: 10_000 } });
      const declining = other('declining', async () => ({
        outcome: 'declined',
        messages: [{ level: 'error', code: 'roof', message: 'No.', field: null }],
      }));
      const { carrier, adapter } = lastCarrier('last', seen);
      await using bench = await createBench(engine, [adapter, slow, declining]);
      const { quote_request_id: id } = await bench.quotes.create('team-1', body);
      await eventually(
        async () =>
          slow.calls + declining.calls === 2 &&
          bench.events.some((event) => event.type === 'rate_requeued' && event.reason === 'other_carriers'),
        () => JSON.stringify(bench.events),
      );
      expect(carrier.calls).toBe(0);
      open();
      const { rates } = await bench.completed(id);
      expect(
        (rates as FullRate[]).map(({ carrier_key, outcome, attempts }) => [carrier_key, outcome, attempts]),
      ).toEqual([
        ['last', 'quoted', 1],
        ['slow', 'quoted', 1],
        ['declining', 'declined', 1],
      ]);
      expect([carrier.calls, slow.calls, declining.calls]).toEqual([1, 1, 1]);
      expect(seen).toEqual([
        {
          canWait: true,
          rates: [
            { carrierKey: 'slow', formType: 'ho3', outcome: 'quoted', premiumCents: 250_050n, messageCodes: [] },
            {
              carrierKey: 'declining',
              formType: 'ho3',
              outcome: 'declined',
              premiumCents: undefined,
              messageCodes: ['roof'],
            },
          ],
        },
      ]);
    });

    it('is called with the answers so far if the others fail, or do not answer in the time of the quote', async () => {
      const seen: OtherRates[] = [];
      const { carrier, adapter } = lastCarrier('last', seen);
      const failing = other('failing', () => Promise.reject(refused));
      const silent = other('silent', () => new Promise<never>(() => {}), { limits: { deadlineMs: 60_000 } });
      await using bench = await createBench(engine, [adapter, failing, silent], { quoteDeadlineMs: 2500 });
      const { quote_request_id: id } = await bench.quotes.create('team-1', body);
      const { rates } = await bench.completed(id);
      expect(Object.fromEntries((rates as FullRate[]).map((each) => [each.carrier_key, each.outcome]))).toEqual({
        last: 'quoted',
        failing: 'failed',
        silent: expect.stringMatching(/timed_out|unknown_outcome/),
      });
      expect(carrier.calls).toBe(1);
      expect(seen).toEqual([
        {
          canWait: false,
          rates: [
            expect.objectContaining({ carrierKey: 'failing', outcome: 'failed' }),
            expect.objectContaining({ carrierKey: 'silent', outcome: undefined }),
          ],
        },
      ]);
    });

    it('skips carriers that wait too', async () => {
      const seen: OtherRates[] = [];
      const [one, two] = ['one', 'two'].map((key) => lastCarrier(key, seen, ['one', 'two']));
      await using bench = await createBench(engine, [one!.adapter, two!.adapter]);
      const { quote_request_id: id } = await bench.quotes.create('team-1', body);
      const { rates } = await bench.completed(id);
      expect((rates as FullRate[]).map(({ outcome }) => outcome)).toEqual(['quoted', 'quoted']);
      expect([one!.carrier.calls, two!.carrier.calls, seen.map((each) => each.rates)]).toEqual([1, 1, [[], []]]);
    });

    it('is not called if the quote is cancelled while it waits', async () => {
      const { carrier, adapter } = lastCarrier('last', []);
      const silent = other('silent', () => new Promise<never>(() => {}), { limits: { deadlineMs: 60_000 } });
      await using bench = await createBench(engine, [adapter, silent]);
      const { quote_request_id: id } = await bench.quotes.create('team-1', body);
      const isWaiting = async () => bench.events.some((event) => event.type === 'rate_requeued');
      await eventually(isWaiting, () => JSON.stringify(bench.events));
      await bench.quotes.cancel('team-1', id);
      const { rates } = await bench.completed(id);
      expect((rates as FullRate[]).map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled']);
      await bench.quotes.sweep();
      expect(carrier.calls).toBe(0);
    });

    it('keeps waiting in another process after the first one stops', async () => {
      const seen: OtherRates[] = [];
      const { carrier, adapter } = lastCarrier('last', seen);
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      const slow = other('slow', () => gate.then(() => quotedAt(1_000_00n)), {
        idempotent: true,
        limits: { deadlineMs: 10_000, maxAttempts: 4 },
      });
      await using bench = await createBench(engine, [adapter, slow]);
      const { quote_request_id: id } = await bench.quotes.create('team-1', body);
      const isWaiting = async () => bench.events.some((event) => event.type === 'rate_requeued');
      await eventually(isWaiting, () => JSON.stringify(bench.events));
      await bench.quotes.stop({ graceMs: 0 });
      const next = await bench.join();
      await next.start();
      open();
      await eventually(
        async () => (await next.status('team-1', id))?.status === 'complete',
        () => JSON.stringify(bench.events),
      );
      expect(carrier.calls).toBe(1);
      expect(seen.map((each) => each.rates.map(({ outcome }) => outcome))).toEqual([['quoted']]);
    });

    it('has the latest rate of a carrier that was retried', async () => {
      const seen: OtherRates[] = [];
      const { adapter } = lastCarrier('last', seen);
      let isUp = false;
      const flaky = other('flaky', async () => {
        if (!isUp) throw refused;
        return quotedAt(900_00n);
      });
      await using bench = await createBench(engine, [flaky, adapter]);
      const { quote_request_id: id } = await bench.quotes.create('team-1', body);
      const first = await bench.completed(id);
      isUp = true;
      await bench.quotes.retry('team-1', (first.rates as FullRate[]).find((each) => each.carrier_key === 'flaky')!.id);
      await bench.completed(id);
      const again = await bench.quotes.requote('team-1', id, { fields: { dwelling_a: 360_000 } });
      await bench.completed((again as { quote_request_id: string }).quote_request_id);
      expect(seen.map((each) => each.rates.map(({ outcome }) => outcome))).toEqual([['failed'], ['quoted']]);
    });

    it('is called again by a requote that calls another carrier, and carried over otherwise', async () => {
      const carrier = scriptedCarrier(async () => quotedAt(100_000n), { key: 'last', name: 'last' });
      const adapter = withVerdict(carrier, async () => ({ ...eligible, dependsOnOthers: true }));
      let isUp = false;
      const flaky = other('flaky', async () => {
        if (!isUp) throw refused;
        return quotedAt(900_00n);
      });
      await using bench = await createBench(engine, [flaky, adapter]);
      const { quote_request_id: id } = await bench.quotes.create('team-1', body);
      const first = await bench.completed(id);
      const [, last] = first.rates as FullRate[];
      expect(last!.carrier_response_messages!.map(({ code }) => code)).toEqual(['depends_on_other_carriers']);
      isUp = true;
      const again = await bench.quotes.requote('team-1', id, {});
      await bench.completed(again!.quote_request_id);
      expect([carrier.calls, flaky.calls]).toEqual([2, 2]);
      const same = await bench.quotes.requote('team-1', again!.quote_request_id, {});
      await bench.completed(same!.quote_request_id);
      expect([carrier.calls, flaky.calls]).toEqual([2, 2]);
    });

    it('withdraws a rate that its rules decline at its premium, and keeps one that they accept', async () => {
      const verdictOf: VerdictSource = async (_, __, answers) => {
        const cents = answers?.ownPremiumCents;
        if (cents === undefined) {
          return { status: 'needs_information', reasons: [], missingFields: ['own_premium'], testsOwnPremium: true };
        }
        if (cents < 150_000n) return eligible;
        return {
          status: 'ineligible',
          reasons: [{ code: 'other_carriers', message: 'Another is cheaper.' }],
          missingFields: [],
        };
      };
      for (const [cents, outcome] of [
        [100_000n, 'quoted'],
        [200_000n, 'ineligible'],
      ] as const) {
        const carrier = scriptedCarrier(async () => ({ ...quotedAt(cents), rateType: 'quoted' }));
        await using bench = await createBench(engine, [withVerdict(carrier, verdictOf)]);
        const { quote_request_id: id } = await bench.quotes.create('team-1', body);
        const [rate] = (await bench.completed(id)).rates as FullRate[];
        expect(carrier.calls).toBe(1);
        expect(rate).toMatchObject({ outcome, premium: outcome === 'quoted' ? '1000.00' : null });
        const codes = (rate!.carrier_response_messages ?? []).map(({ code }) => code);
        if (outcome === 'quoted') expect([rate!.rate_type, codes]).toEqual(['quoted', []]);
        else expect(codes).toEqual(['rate_withdrawn', 'other_carriers']);
      }
    });
  });
}

const redis = await findRedis();
const postgres = engines.at(-1)!;
const isMissing = 'unreachable' in redis || postgres.skip !== undefined;
describe.skipIf(isMissing)('carriers that depend on others, in two processes with BullMQ on Redis', () => {
  it('are called once for each quote, after the others', async () => {
    const url = 'url' in redis ? redis.url : '';
    const prefix = `leeward-test-${randomBytes(6).toString('hex')}`;
    const seen: OtherRates[] = [];
    const { carrier, adapter } = lastCarrier('last', seen);
    const slow = other(
      'slow',
      async () => {
        await sleep(400);
        return quotedAt(100_000n);
      },
      { limits: { deadlineMs: 10_000 } },
    );
    const declining = other('declining', async () => ({ outcome: 'declined' }));
    try {
      const queue = await createBullMqBackend({ url, prefix });
      await using bench = await createBench(postgres, [adapter, slow, declining], { queue });
      const second = await bench.join({ queue: await createBullMqBackend({ url, prefix }) });
      await second.start();
      const created = await Promise.all(
        Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? bench.quotes : second).create('team-1', body)),
      );
      for (const { quote_request_id: id } of created) await bench.completed(id, 30_000);
      expect([carrier.calls, slow.calls, declining.calls]).toEqual([12, 12, 12]);
      const outcomes = seen.map(({ rates }) => rates.map(({ outcome }) => outcome).join());
      expect(outcomes).toEqual(Array.from({ length: 12 }, () => 'quoted,declined'));
    } finally {
      await forgetRedis(url, prefix);
    }
  });
});
