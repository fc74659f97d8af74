import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../../../test/support/any-text.ts';
import { createUuid } from '../request/uuid.ts';
import { engines } from '../testing/bench.ts';
import { exampleFields } from '../testing/example-request.ts';
import type { ClaimRequest } from './claim.ts';
import type { NewQuote } from './create-quote.ts';
import { jobOf, parseJobKey } from './job-key.ts';
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
      isHandedOut: true,
    })),
    deadlineMs: 60_000,
    ...more,
  };
}

const handOut = async (store: SqlQuoteStore, capacity: number, againMs: number, carrierKey = queue) =>
  (await store.handOut({ queues: [{ carrierKey, capacity }], againMs })).jobs;
const claimOf = (rateId: string, fence = 0, token = createUuid(Date.now())): ClaimRequest => ({
  ...jobOf(rateId, fence, queue),
  token,
  leaseMs: 5000,
  sent: false,
});
const ending = (rateId: string, fence: number) => ({
  rateId,
  fence,
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
          redispatchMs: 10_000,
        });
      await work({ store: await open(), pass: (ms) => (now += ms * 1000), again: open });
    }

    it('gives a rate to one of many claimants', () =>
      withStore(async ({ store, again }) => {
        const made = quote(1);
        await store.createQuote(made);
        const stores = [store, await again(), await again()];
        const { id } = made.rates[0]!;
        const claims = await Promise.all(
          Array.from({ length: 12 }, (_, index) => stores[index % 3]!.claim([claimOf(id)])),
        );
        const won = claims.flat().filter((claimed) => claimed !== undefined);
        expect(won).toHaveLength(1);
        expect(won[0]).toMatchObject({
          rateId: id,
          fence: 1,
          attempts: 1,
          sent: false,
          fields: exampleFields,
          remainingMs: 60_000,
        });
        const two = quote(1);
        await store.createQuote(two);
        const both = await store.claim([claimOf(two.rates[0]!.id), claimOf(two.rates[0]!.id)]);
        expect(both.map((claimed) => claimed?.fence)).toEqual([1, undefined]);
      }));

    it('accepts a repeated claim once', () =>
      withStore(async ({ store }) => {
        const made = quote(1);
        await store.createQuote(made);
        const claim = claimOf(made.rates[0]!.id);
        const [first] = await store.claim([claim]);
        const [second] = await store.claim([claim]);
        expect(second).toEqual(first);
        expect(await store.readEvents(claim.key.slice(0, -2))).toHaveLength(1);
        expect(await store.claim([{ ...claim, token: 'another' }])).toEqual([undefined]);
      }));

    it('gives a rate to another worker only after its lease', () =>
      withStore(async ({ store, pass }) => {
        const made = quote(1);
        await store.createQuote(made);
        const { id } = made.rates[0]!;
        await store.claim([claimOf(id)]);
        pass(4999);
        expect(await store.claim([claimOf(id, 1)])).toEqual([undefined]);
        expect(await handOut(store, 10, 1000)).toEqual([]);
        pass(1);
        expect(await handOut(store, 10, 1000)).toEqual([jobOf(id, 1, queue)]);
        expect(await store.claim([claimOf(id, 0)])).toEqual([undefined]);
        expect(await store.claim([claimOf(id, 1)])).toMatchObject([{ fence: 2, attempts: 2 }]);
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

    it('renews the lease before a carrier call', () =>
      withStore(async ({ store, pass }) => {
        const made = quote(1);
        await store.createQuote(made);
        const { id } = made.rates[0]!;
        await store.claim([claimOf(id)]);
        pass(4000);
        expect(await store.markSent([{ rateId: id, fence: 1, leaseMs: 5000, sent: true }])).toEqual([true]);
        pass(4000);
        expect(await store.claim([claimOf(id, 1)])).toEqual([undefined]);
        pass(1000);
        expect(await store.claim([claimOf(id, 1)])).toMatchObject([{ sent: true }]);
      }));

    it('records the carrier call with a claim for later claims', () =>
      withStore(async ({ store, pass }) => {
        const made = quote(1);
        await store.createQuote(made);
        const { id } = made.rates[0]!;
        const claim = { ...claimOf(id), sent: true };
        expect(await store.claim([claim])).toMatchObject([{ fence: 1, sent: false }]);
        // Repeated after a lost response: the carrier was not called.
        expect(await store.claim([claim])).toMatchObject([{ fence: 1, sent: false }]);
        pass(5000);
        expect(await store.claim([{ ...claimOf(id, 1), sent: true }])).toMatchObject([{ fence: 2, sent: true }]);
        const back = { rateId: id, fence: 2, delayMs: 0, uncounted: false, reason: 'x' };
        expect(await store.release([{ ...back, keepSent: true }])).toEqual([true]);
        expect(await store.claim([claimOf(id, 2)])).toMatchObject([{ fence: 3, sent: true }]);
        expect(await store.release([{ ...back, fence: 3, keepSent: false }])).toEqual([true]);
        expect(await store.claim([claimOf(id, 3)])).toMatchObject([{ fence: 4, sent: false }]);
      }));

    it('never changes an ended rate', () =>
      withStore(async ({ store, pass }) => {
        const made = quote(1);
        await store.createQuote(made);
        const { id } = made.rates[0]!;
        await store.claim([claimOf(id)]);
        await store.finish([ending(id, 1)]);
        const before = await store.readRates(made.id);
        pass(3_600_000);
        expect(await store.finish([{ ...ending(id, 1), outcome: 'failed' }])).toEqual([false]);
        expect(
          await store.release([{ rateId: id, fence: 1, delayMs: 0, keepSent: false, uncounted: false, reason: 'x' }]),
        ).toEqual([false]);
        expect(await store.claim([claimOf(id, 1), claimOf(id, 0)])).toEqual([undefined, undefined]);
        expect(await store.cancelQuote(made.id)).toEqual([]);
        expect(await store.expire(10)).toBe(0);
        await store.postpone([jobOf(id, 1, queue)], 0);
        expect(await handOut(store, 10, 1000)).toEqual([]);
        expect(await store.readRates(made.id)).toEqual(before);
      }));

    it('lets one process at a time enqueue due rates of its carriers', () =>
      withStore(async ({ store, again, pass }) => {
        const made = quote(30);
        await store.createQuote(made);
        expect(await handOut(store, 100, 5000)).toEqual([]);
        pass(10_000);
        expect(await handOut(store, 100, 5000, 'another')).toEqual([]);
        expect((await store.handOut({ queues: [], againMs: 5000 })).jobs).toEqual([]);
        const other = await again();
        const taken = (await Promise.all([store, other, store, other].map((each) => handOut(each, 100, 5000)))).flat();
        expect(taken.map((job) => job.key).toSorted()).toEqual(made.rates.map((rate) => `${rate.id}-0`).toSorted());
        pass(4999);
        expect(await handOut(store, 100, 5000)).toEqual([]);
        await store.postpone(taken.slice(0, 2), 0);
        expect((await handOut(store, 100, 5000)).map((job) => job.key).toSorted()).toEqual(
          taken
            .slice(0, 2)
            .map((job) => job.key)
            .toSorted(),
        );
        pass(1);
        // Unclaimed rates come again regardless of capacity, the others as capacity allows.
        expect(await handOut(store, 5, 5000)).toHaveLength(28);
        await store.postpone(taken, 0);
        expect(await handOut(store, 5, 5000)).toHaveLength(5);
      }));

    it('releases a rate with a delay, uncounted, and with its carrier state', () =>
      withStore(async ({ store, pass }) => {
        const made = quote(2);
        await store.createQuote(made);
        const [first, second] = made.rates.map((rate) => rate.id) as [string, string];
        await store.claim([claimOf(first), claimOf(second)]);
        await store.markSent([first, second].map((rateId) => ({ rateId, fence: 1, leaseMs: 1000, sent: true })));
        const release = { fence: 1, delayMs: 2000, reason: 'http_429' };
        expect(
          await store.release([
            { ...release, rateId: first, keepSent: false, uncounted: true },
            { ...release, rateId: second, keepSent: true, uncounted: false },
          ]),
        ).toEqual([true, true]);
        pass(1999);
        expect(await handOut(store, 10, 1000)).toEqual([]);
        pass(1);
        expect(await handOut(store, 10, 1000)).toHaveLength(2);
        expect(await store.claim([claimOf(first, 1), claimOf(second, 1)])).toMatchObject([
          { attempts: 1, sent: false },
          { attempts: 2, sent: true },
        ]);
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
        const [waits, , left, asked] = made.rates.map((rate) => rate.id) as [string, string, string, string];
        pass(6000);
        await store.claim([claimOf(left), claimOf(asked)]);
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
          const claimed = await store.claim([
            ...ids.map((id) => claimOf(id)),
            claimOf('nobody'),
            { ...claimOf('x'), key: 'nonsense' },
          ]);
          expect(claimed.map((each) => each?.rateId)).toEqual([...ids, undefined, undefined]);
          const ended = await store.finish(ids.map((id, index) => ending(id, index % 2 === 0 ? 1 : 9)));
          expect(ended).toEqual(ids.map((_, index) => index % 2 === 0));
          expect((await store.readRates(made.id)).map((rate) => rate.id)).toEqual(ids);
        }
        expect(await Promise.all([store.claim([]), store.finish([]), store.release([]), store.markSent([])])).toEqual([
          [],
          [],
          [],
          [],
        ]);
      }));

    it('returns an answer unchanged', () =>
      withStore(async ({ store }) => {
        await fc.assert(
          fc.asyncProperty(anyText(), fc.bigInt({ min: 0n, max: 10n ** 12n }), async (text, amountCents) => {
            const made = quote(1);
            await store.createQuote(made);
            const { id } = made.rates[0]!;
            await store.claim([claimOf(id)]);
            const answer = {
              carrierQuoteNumber: text.toWellFormed(),
              fees: [{ code: 'fee', name: text.toWellFormed(), amountCents }],
              messages: [{ level: 'info' as const, code: 'x', message: text.toWellFormed(), field: null }],
            };
            await store.finish([
              { rateId: id, fence: 1, outcome: 'quoted', premiumCents: amountCents, answer, retryable: false },
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

describe('a job key', () => {
  it('names a rate and a fence', () => {
    expect(parseJobKey(jobOf('0198f2c1-7a2b-7c3d-8e4f-0123456789ab', 12, queue).key)).toEqual({
      rateId: '0198f2c1-7a2b-7c3d-8e4f-0123456789ab',
      fence: 12,
    });
    for (const key of ['', 'x', '-1', 'a-', 'a-b', 'a-1.5', `${'x'.repeat(65)}-1`])
      expect(parseJobKey(key).rateId).toBe('');
  });
});

describe('identifiers', () => {
  it('are UUIDs of version 7, in the order of creation', () => {
    const ids = Array.from({ length: 100 }, (_, index) => createUuid(1_763_640_000_000 + index));
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(Array.from({ length: 1000 }, () => createUuid(0))).size).toBe(1000);
  });
});
