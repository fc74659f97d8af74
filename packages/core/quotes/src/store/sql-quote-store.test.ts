import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../../../test/support/any-text.ts';
import { createUuid } from '../request/uuid.ts';
import { engines } from '../testing/bench.ts';
import { exampleFields } from '../testing/example-request.ts';
import { takeRates } from '../testing/store-bench.ts';
import type { NewQuote } from './create-quote.ts';
import type { LeasedRate } from './lease.ts';
import { quoteMigrations } from './migrations.ts';
import { SqlQuoteStore } from './sql-quote-store.ts';

const queue = 'bayou_mutual';

function quote(rates: number, more: Partial<NewQuote> = {}): NewQuote {
  return {
    id: createUuid(Date.now()),
    serviceQuoteId: createUuid(Date.now()),
    teamId: 'team-1',
    productCode: 'homeowners',
    producerEmail: 'agent@example.com',
    effectiveDate: '2026-12-01',
    fields: exampleFields,
    skipped: [],
    idempotency: undefined,
    rates: Array.from({ length: rates }, () => ({
      id: createUuid(Date.now()),
      carrierKey: queue,
      carrier: 'Bayou Mutual',
      formType: 'ho3' as const,
    })),
    deadlineMs: 60_000,
    ...more,
  };
}

const take = (store: SqlQuoteStore, options: Parameters<typeof takeRates>[2] = {}) =>
  takeRates(store, queue, { leaseMs: 5000, sent: false, ...options });
const ending = (rateId: string, fence: number) => ({
  rateId,
  fence,
  teamId: 'team-1',
  outcome: 'quoted' as const,
  premiumCents: 100n,
  answer: {},
  retryable: false,
});

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`the store on ${engine.title}`, () => {
    async function withStore(
      work: (tools: {
        store: SqlQuoteStore;
        pass: (ms: number) => void;
        again: () => Promise<SqlQuoteStore>;
      }) => Promise<void>,
    ) {
      await using place = await engine.createPlace();
      let now = Date.UTC(2026, 10, 20) * 1000;
      const open = async () =>
        new SqlQuoteStore({
          database: await place.open({ migrations: [quoteMigrations] }),
          clock: { nowMicros: () => now },
        });
      await work({ store: await open(), pass: (ms) => (now += ms * 1000), again: open });
    }

    it('hands a rate out to one of many processes', () =>
      withStore(async ({ store, again }) => {
        const made = quote(1);
        await store.createQuote(made);
        const stores = [store, await again(), await again()];
        const { id } = made.rates[0]!;
        const taken = await Promise.all(Array.from({ length: 12 }, (_, index) => take(stores[index % 3]!)));
        expect(taken.flat()).toHaveLength(1);
        expect(taken.flat()[0]).toMatchObject({
          rateId: id,
          fence: 1,
          attempts: 1,
          sent: false,
          fields: exampleFields,
          remainingMs: 60_000,
        });
      }));

    it('returns the rates of a hand-out whose acknowledgement was lost', () =>
      withStore(async ({ store }) => {
        const made = quote(3);
        await store.createQuote(made);
        const request = { carrierKey: queue, concurrency: 9, settling: [], leaseMs: 5000, sent: false, token: 'first' };
        const [first] = await store.handOut([{ ...request, count: 2 }]);
        const [second] = await store.handOut([{ ...request, count: 2 }], true);
        const byId = (rates: typeof first) =>
          [...(rates as readonly LeasedRate[])].toSorted((one, other) => (one.rateId < other.rateId ? -1 : 1));
        expect(byId(first)).toHaveLength(2);
        expect(byId(second)).toEqual(byId(first));
        expect(await store.readEvents(byId(first)[0]!.rateId)).toHaveLength(1);
        expect(await store.handOut([{ ...request, count: 9, token: 'another' }])).toMatchObject([[{ fence: 1 }]]);
        expect(await store.handOut([{ ...request, count: 9, token: 'third' }], true)).toEqual([[]]);
      }));

    it('hands out a rate again only after its lease', () =>
      withStore(async ({ store, pass }) => {
        const made = quote(1);
        await store.createQuote(made);
        const { id } = made.rates[0]!;
        expect(await take(store)).toHaveLength(1);
        pass(4999);
        expect(await take(store)).toEqual([]);
        pass(1);
        expect(await take(store)).toMatchObject([{ rateId: id, fence: 2, attempts: 2 }]);
        expect(await store.markSent([{ rateId: id, fence: 1, leaseMs: 1000, sent: true }])).toEqual([false]);
        expect(await store.finish([ending(id, 1)])).toEqual([false]);
        expect(
          await store.release([{ rateId: id, fence: 1, delayMs: 0, keepSent: false, uncounted: false, reason: 'x' }]),
        ).toEqual([false]);
        expect(
          await store.findLostHolds([
            { rateId: id, fence: 1 },
            { rateId: id, fence: 2 },
          ]),
        ).toEqual([{ rateId: id, fence: 1 }]);
        expect(await store.finish([ending(id, 2)])).toEqual([true]);
      }));

    it('hands out no more than the concurrency of a carrier, over all processes', () =>
      withStore(async ({ store, again, pass }) => {
        const other = await again();
        await store.createQuote(quote(40));
        const taken = (
          await Promise.all(
            Array.from({ length: 20 }, (_, index) => take(index % 2 ? store : other, { count: 3, concurrency: 8 })),
          )
        ).flat();
        expect(taken).toHaveLength(8);
        const own = taken.filter(({ rateId }, index) => rateId !== '' && index < 3);
        expect(await take(store, { concurrency: 8 })).toEqual([]);
        await store.finish(own.slice(0, 1).map(({ rateId }) => ending(rateId, 1)));
        expect(await take(other, { concurrency: 8 })).toHaveLength(1);
        // A call that is over occupies no slot of its process, even before its answer is written.
        const third = await again();
        pass(5000);
        const [settled] = await take(third, { count: 1, concurrency: 1 });
        expect(await take(other, { concurrency: 1, settling: [settled!.rateId] })).toEqual([]);
        expect(await take(third, { concurrency: 1, settling: [settled!.rateId] })).toHaveLength(1);
      }));

    it('renews the lease before a carrier call', () =>
      withStore(async ({ store, pass }) => {
        const made = quote(1);
        await store.createQuote(made);
        const { id } = made.rates[0]!;
        await take(store);
        pass(4000);
        expect(await store.markSent([{ rateId: id, fence: 1, leaseMs: 5000, sent: true }])).toEqual([true]);
        pass(4000);
        expect(await take(store)).toEqual([]);
        pass(1000);
        expect(await take(store)).toMatchObject([{ sent: true }]);
      }));

    it('records the carrier call with a hand-out for later ones', () =>
      withStore(async ({ store, pass }) => {
        const made = quote(1);
        await store.createQuote(made);
        const { id } = made.rates[0]!;
        expect(await take(store, { sent: true })).toMatchObject([{ fence: 1, sent: false }]);
        pass(5000);
        expect(await take(store, { sent: true })).toMatchObject([{ fence: 2, sent: true }]);
        const back = { rateId: id, fence: 2, delayMs: 0, uncounted: false, reason: 'x' };
        expect(await store.release([{ ...back, keepSent: true }])).toEqual([true]);
        expect(await take(store)).toMatchObject([{ fence: 3, sent: true }]);
        expect(await store.release([{ ...back, fence: 3, keepSent: false }])).toEqual([true]);
        expect(await take(store)).toMatchObject([{ fence: 4, sent: false }]);
      }));

    it('hands out urgent rates of a team first, then the oldest', () =>
      withStore(async ({ store, pass }) => {
        const made: string[] = [];
        for (const priority of [3, 5, 1, 3, 2]) {
          const each = quote(1, { priority });
          await store.createQuote(each);
          made.push(each.rates[0]!.id);
          pass(1);
        }
        const order: string[] = [];
        for (const _ of made) order.push(...(await take(store, { count: 1 })).map(({ rateId }) => rateId));
        expect(order).toEqual([2, 4, 0, 3, 1].map((index) => made[index]));
      }));

    it('never changes an ended rate', () =>
      withStore(async ({ store, pass }) => {
        const made = quote(1);
        await store.createQuote(made);
        const { id } = made.rates[0]!;
        await take(store);
        await store.finish([ending(id, 1)]);
        const before = await store.readRates(made.id);
        pass(3_600_000);
        expect(await store.finish([{ ...ending(id, 1), outcome: 'failed' }])).toEqual([false]);
        expect(
          await store.release([{ rateId: id, fence: 1, delayMs: 0, keepSent: false, uncounted: false, reason: 'x' }]),
        ).toEqual([false]);
        expect(await store.cancelQuote(made.id)).toEqual([]);
        expect(await store.expire(10)).toBe(0);
        expect(await take(store)).toEqual([]);
        expect(await store.readRates(made.id)).toEqual(before);
      }));

    it('releases a rate with a delay, uncounted, and with its carrier state', () =>
      withStore(async ({ store, pass }) => {
        const made = quote(2);
        await store.createQuote(made);
        const [first, second] = made.rates.map((rate) => rate.id) as [string, string];
        expect(await take(store)).toHaveLength(2);
        await store.markSent([first, second].map((rateId) => ({ rateId, fence: 1, leaseMs: 1000, sent: true })));
        const release = { fence: 1, delayMs: 2000, reason: 'http_429' };
        expect(
          await store.release([
            { ...release, rateId: first, keepSent: false, uncounted: true },
            { ...release, rateId: second, keepSent: true, uncounted: false },
          ]),
        ).toEqual([true, true]);
        pass(1999);
        expect(await take(store)).toEqual([]);
        pass(1);
        const taken = await take(store);
        expect(taken).toHaveLength(2);
        expect(taken.find(({ rateId }) => rateId === first)).toMatchObject({ attempts: 1, sent: false });
        expect(taken.find(({ rateId }) => rateId === second)).toMatchObject({ attempts: 2, sent: true });
        expect((await store.readEvents(first)).map(({ from, to, reason }) => [from, to, reason])).toEqual([
          ['queued', 'processing', undefined],
          ['processing', 'queued', 'http_429'],
          ['queued', 'processing', undefined],
        ]);
      }));

    it('expires waiting and abandoned rates past their deadline', () =>
      withStore(async ({ store, pass }) => {
        const made = quote(4, { deadlineMs: 10_000 });
        await store.createQuote(made);
        pass(6000);
        const [left, asked] = (await take(store, { count: 2 })).map(({ rateId }) => rateId) as [string, string];
        const waits = made.rates.map((rate) => rate.id).find((id) => id !== left && id !== asked)!;
        await store.markSent([{ rateId: asked, fence: 1, leaseMs: 5000, sent: true }]);
        expect(await store.expire(10)).toBe(0);
        pass(4000);
        expect(await store.expire(1)).toBe(1);
        expect(await store.expire(10)).toBe(1);
        pass(1000);
        expect(await store.expire(10)).toBe(2);
        const ended = new Map(
          (await store.readRates(made.id)).map((rate) => [rate.id, [rate.outcome, rate.retryable]]),
        );
        expect(ended.get(waits)).toEqual(['timed_out', true]);
        expect(ended.get(left)).toEqual(['timed_out', true]);
        expect(ended.get(asked)).toEqual(['unknown_outcome', false]);
      }));

    it('handles lists of every length, and each item separately', () =>
      withStore(async ({ store }) => {
        for (const count of [1, 2, 5, 17, 63, 65, 130, 300]) {
          const made = quote(count);
          await store.createQuote(made);
          const ids = made.rates.map((rate) => rate.id);
          expect((await take(store)).map(({ rateId }) => rateId).toSorted()).toEqual(ids.toSorted());
          const ended = await store.finish(ids.map((id, index) => ending(id, index % 2 === 0 ? 1 : 9)));
          expect(ended).toEqual(ids.map((_, index) => index % 2 === 0));
          expect((await store.readRates(made.id)).map((rate) => rate.id)).toEqual(ids);
        }
        expect(await Promise.all([store.handOut([]), store.finish([]), store.release([]), store.markSent([])])).toEqual(
          [[], [], [], []],
        );
      }));

    it('returns an answer unchanged', () =>
      withStore(async ({ store }) => {
        await fc.assert(
          fc.asyncProperty(anyText(), fc.bigInt({ min: 0n, max: 10n ** 12n }), async (text, amountCents) => {
            const made = quote(1);
            await store.createQuote(made);
            const { id } = made.rates[0]!;
            await take(store);
            const answer = {
              carrierQuoteNumber: text.toWellFormed(),
              fees: [{ code: 'fee', name: text.toWellFormed(), amountCents }],
              messages: [{ level: 'info' as const, code: 'x', message: text.toWellFormed(), field: null }],
            };
            await store.finish([
              {
                rateId: id,
                fence: 1,
                teamId: 'team-1',
                outcome: 'quoted',
                premiumCents: amountCents,
                answer,
                retryable: false,
              },
            ]);
            const [rate] = await store.readRates(made.id);
            expect(rate).toMatchObject({ premiumCents: amountCents, answer });
          }),
          { numRuns: 25 },
        );
      }));

    it('grants permits up to the rate limit, over all callers', () =>
      withStore(async ({ store, again, pass }) => {
        const limit = { calls: 10, perMs: 1000, burst: 3 };
        const other = await again();
        const ask = async (count: number) => {
          const permits = await Promise.all(
            Array.from({ length: count }, (_, index) => (index % 2 ? other : store).takePermit(queue, limit)),
          );
          return permits.filter((permit) => permit.granted).length;
        };
        expect(await ask(10)).toBe(3);
        expect(await store.takePermit(queue, limit)).toEqual({ granted: false, waitMs: 100 });
        pass(99);
        expect(await ask(4)).toBe(0);
        pass(1);
        expect(await ask(4)).toBe(1);
        pass(250);
        expect(await ask(9)).toBe(2);
        pass(60_000);
        expect(await ask(9)).toBe(3);
        expect((await store.takePermit('another', limit)).granted).toBe(true);
      }));
  });
}
