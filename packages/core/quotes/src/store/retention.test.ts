import { describe, expect, it } from 'vitest';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { createSetTime, newQuote, takeRates } from '../testing/store-bench.ts';
import { quoteMigrations } from './migrations.ts';
import type { QuoteTables } from './tables.ts';

const DAY_MS = 86_400_000;
const tables = [
  'quote_request',
  'quote_rate',
  'quote_rate_event',
  'quote_event',
  'quote_progress',
  'quote_webhook_delivery',
] as const satisfies (keyof QuoteTables)[];

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`finished quotes, on ${engine.title}`, () => {
    async function withStore(
      work: (tools: {
        time: ReturnType<typeof createSetTime>;
        store: ReturnType<ReturnType<typeof createSetTime>['open']>;
        counts: () => Promise<number[]>;
        end: (ids: readonly string[], retryable?: boolean) => Promise<void>;
      }) => Promise<void>,
    ) {
      await using place = await engine.createPlace();
      const database = await place.open({ migrations: [quoteMigrations] });
      const time = createSetTime();
      const store = time.open(database);
      const db = database.tables<QuoteTables>();
      await work({
        time,
        store,
        counts: () =>
          Promise.all(tables.map(async (table) => (await db.selectFrom(table).selectAll().execute()).length)),
        async end(ids, retryable = false) {
          await takeRates(store, 'carrier', { leaseMs: 99 * DAY_MS });
          const outcome = retryable ? ('failed' as const) : ('quoted' as const);
          const ending = { teamId: 'team-1', outcome, premiumCents: retryable ? undefined : 1n, answer: {}, retryable };
          await store.finish(ids.map((rateId) => ({ rateId, fence: 1, ...ending })));
        },
      });
    }
    const idsOf = (quote: ReturnType<typeof newQuote>) => quote.rates.map(({ id }) => id);

    it('are deleted with all their rows, and unfinished ones are kept', () =>
      withStore(async ({ time, store, counts, end }) => {
        const [done, open, pending, retried, late] = Array.from({ length: 5 }, () =>
          newQuote('team-1', 'carrier', 2),
        ) as [
          ReturnType<typeof newQuote>,
          ReturnType<typeof newQuote>,
          ReturnType<typeof newQuote>,
          ReturnType<typeof newQuote>,
          ReturnType<typeof newQuote>,
        ];
        await store.createQuote({ ...done, idempotency: { key: 'key', bodyHash: 'hash' } });
        const empty = newQuote('team-1', 'carrier', 0);
        for (const quote of [open, pending, retried, late, empty]) await store.createQuote(quote);
        await end(idsOf(done));
        await end([idsOf(open)[0]!]);
        const [first, second] = idsOf(pending) as [string, string];
        await end([second]);
        await takeRates(store, 'carrier');
        const follow = { keep: {}, failures: 0, carrierKey: 'carrier', delayMs: DAY_MS, reference: undefined };
        const referred = {
          teamId: 'team-1',
          outcome: 'referred',
          premiumCents: 1n,
          answer: {},
          retryable: false,
        } as const;
        await store.finish([
          { rateId: first, fence: 1, ...referred, follow: { ...follow, teamId: 'team-1', maxPendingMs: 99 * DAY_MS } },
        ]);
        await end(idsOf(retried), true);
        const options = { deadlineMs: 99 * DAY_MS, mayRepeat: false };
        expect(await store.retryRate(idsOf(retried)[0]!, 'retry', options)).toBe('retried');
        time.pass(5 * DAY_MS);
        await end(idsOf(late));
        time.pass(5 * DAY_MS);
        const before = await counts();
        const all = () => store.deleteFinished({ ageMs: 10 * DAY_MS, after: undefined, limit: 100 });
        time.pass(-1);
        expect(await all()).toEqual({ count: 0, next: undefined });
        expect(await counts()).toEqual(before);
        time.pass(1);
        let count = 0;
        for (let after: { at: number; id: string } | undefined; ; ) {
          const step = await store.deleteFinished({ ageMs: 10 * DAY_MS, after, limit: 2 });
          count += step.count;
          after = step.next;
          if (after === undefined) break;
        }
        expect(count).toBe(2);
        for (const { id } of [done, empty]) expect(await store.readQuote('team-1', id)).toBeUndefined();
        for (const { id } of [open, pending, retried, late]) expect(await store.readQuote('team-1', id)).toBeDefined();
        expect(await store.findByIdempotencyKey('team-1', 'key')).toBeUndefined();
        expect(await counts()).toEqual([
          before[0]! - 2,
          before[1]! - 2,
          before[2]! - 4,
          before[3]! - 3,
          before[4]! - 2,
          0,
        ]);
        time.pass(5 * DAY_MS);
        expect(await all()).toMatchObject({ count: 1 });
        expect(await store.readQuote('team-1', late.id)).toBeUndefined();
      }));

    it('are kept while a webhook has unsent events of them', () =>
      withStore(async ({ time, store, end, counts }) => {
        const webhook = { url: 'https://example.com', description: undefined, eventTypes: undefined, secret: 's' };
        await store.webhooks.create({ ...webhook, id: 'w', teamId: 'team-1' }, 9);
        const quote = newQuote('team-1', 'carrier', 1);
        await store.createQuote(quote);
        await end(idsOf(quote));
        time.pass(10 * DAY_MS);
        const all = () => store.deleteFinished({ ageMs: DAY_MS, after: undefined, limit: 100 });
        expect((await all()).count).toBe(0);
        const [delivery] = await store.webhooks.claim('w', { limit: 1, leaseMs: 1000 });
        expect((await all()).count).toBe(0);
        await store.webhooks.advance(delivery!, 2, 1000);
        expect(await store.webhooks.settle(delivery!)).toBe('done');
        expect((await all()).count).toBe(1);
        expect(await counts()).toEqual(tables.map(() => 0));
      }));

    it('are deleted by every process after the configured days, and kept without an option', async () => {
      let nowMs = Date.UTC(2026, 10, 20);
      const clock = { nowMicros: () => nowMs * 1000 };
      const carrier = scriptedCarrier(async () => quotedAt(1000n));
      await using bench = await createBench(engine, [carrier], { clock });
      const { quote_request_id: id } = await bench.quotes.create('team-1', { ...exampleBody, form_types: ['ho3'] });
      await bench.completed(id);
      nowMs += 29 * DAY_MS;
      const young = await bench.join({ finishedQuoteDays: 30 });
      await young.sweep();
      expect(await bench.quotes.status('team-1', id)).toBeDefined();
      nowMs += DAY_MS;
      await (await bench.join()).sweep();
      expect(await bench.quotes.status('team-1', id)).toBeDefined();
      await (await bench.join({ finishedQuoteDays: 30 })).sweep();
      expect(await bench.quotes.status('team-1', id)).toBeUndefined();
      expect(bench.events.filter(({ type }) => type === 'quotes_deleted')).toEqual([
        { type: 'quotes_deleted', count: 1 },
      ]);
      for (const days of [0, -1, Number.NaN]) {
        await expect(bench.join({ finishedQuoteDays: days })).rejects.toThrow(`finishedQuoteDays is ${days}; give`);
      }
    });
  });
}
