import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createUuid } from '../request/uuid.ts';
import { engines } from '../testing/bench.ts';
import { exampleFields } from '../testing/example-request.ts';
import { takeRates } from '../testing/store-bench.ts';
import type { NewQuote } from './create-quote.ts';
import { quoteMigrations } from './migrations.ts';
import type { StoredEvent } from './read-outbox.ts';
import { SqlQuoteStore } from './sql-quote-store.ts';

const queue = 'bayou_mutual';
const id = () => createUuid(Date.now());

function quoteOf(rates: number): NewQuote {
  return {
    ...{ id: id(), serviceQuoteId: id(), teamId: 'team-1', productCode: 'homeowners', effectiveDate: '2026-12-01' },
    ...{ producerEmail: 'agent@example.com', fields: exampleFields, skipped: [], idempotency: undefined },
    rates: Array.from({ length: rates }, () => ({
      id: id(),
      carrierKey: queue,
      carrier: 'B',
      formType: 'ho3' as const,
    })),
    deadlineMs: 60_000,
  };
}

const endingOf = (rateId: string, retryable = false) => ({
  ...{ rateId, fence: 1, answer: {}, retryable },
  ...(retryable
    ? { teamId: 'team-1', outcome: 'failed' as const, premiumCents: undefined }
    : { teamId: 'team-1', outcome: 'quoted' as const, premiumCents: 12_300n }),
});

async function claimAll(store: SqlQuoteStore, rateIds: readonly string[]) {
  const taken = await takeRates(store, queue, { sent: false });
  expect(taken.map(({ rateId }) => rateId)).toEqual(expect.arrayContaining([...rateIds]));
}

function expectSound(events: readonly StoredEvent[]) {
  expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
  const ended = events.flatMap(({ type, rate }) => (type === 'rate.ended' ? [rate!.id] : []));
  expect(new Set(ended).size).toBe(ended.length);
  return ended;
}

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`the outbox on ${engine.title}`, () => {
    it('numbers the events of quotes whose rates end concurrently', async () => {
      await using place = await engine.createPlace();
      const open = async () => new SqlQuoteStore({ database: await place.open({ migrations: [quoteMigrations] }) });
      const stores = [await open(), await open(), await open()];
      const quotes = Array.from({ length: 12 }, () => quoteOf(7));
      for (const each of quotes) await stores[0]!.createQuote(each);
      const rateIds = quotes.flatMap(({ rates }) => rates.map((rate) => rate.id));
      await claimAll(stores[0]!, rateIds);
      const lists = Array.from({ length: 7 }, (_, place) =>
        quotes.map(({ rates }) => rates[place]!.id).sort(() => (place % 2 === 0 ? 1 : -1)),
      );
      const done = await Promise.all(
        lists.map((list, index) => stores[index % 3]!.finish(list.map((each) => endingOf(each)))),
      );
      expect(done.flat().every((each) => each)).toBe(true);
      const wanted = quotes.map((each) => ({ quoteId: each.id, after: 0 }));
      const all = await stores[1]!.readOutbox(wanted, 100);
      for (const each of quotes) {
        const events = all.filter(({ quoteId }) => quoteId === each.id);
        expect(expectSound(events).sort()).toEqual(each.rates.map((rate) => rate.id).sort());
        expect(events.map(({ type }) => type)).toEqual([...Array(7).fill('rate.ended'), 'quote.completed']);
        expect(events[0]!.rate).toMatchObject({
          status: 'success',
          outcome: 'quoted',
          premiumCents: 12_300n,
          formType: 'ho3',
        });
      }
      expect(await stores[0]!.finish([endingOf(rateIds[0]!)])).toEqual([false]);
      const [first] = quotes;
      const rest = await stores[0]!.readOutbox([{ quoteId: first!.id, after: 6 }], 1);
      expect(rest.map(({ number, type }) => [number, type])).toEqual([[7, 'rate.ended']]);
      expect(await stores[0]!.readOutbox([{ quoteId: first!.id, after: 7 }], 9)).toMatchObject([
        { number: 8, type: 'quote.completed', rate: undefined },
      ]);
    });

    it('has an event for every kind of end, and a second completion after a retry', async () => {
      await using place = await engine.createPlace();
      const store = new SqlQuoteStore({ database: await place.open({ migrations: [quoteMigrations] }) });
      const typesOf = async (quoteId: string) => {
        const events = await store.readOutbox([{ quoteId, after: 0 }], 100);
        expectSound(events);
        return events.map(({ type, rate }) => (rate === undefined ? type : `${type} ${rate.outcome}`));
      };
      const retried = quoteOf(1);
      await store.createQuote(retried);
      expect(await typesOf(retried.id)).toEqual([]);
      await claimAll(store, [retried.rates[0]!.id]);
      await store.finish([endingOf(retried.rates[0]!.id, true)]);
      const again = id();
      expect(
        await store.retryRate(retried.rates[0]!.id, again, {
          deadlineMs: 60_000,
          mayRepeat: false,
        }),
      ).toBe('retried');
      await claimAll(store, [again]);
      await store.finish([endingOf(again)]);
      const both = ['rate.ended failed', 'quote.completed', 'rate.ended quoted', 'quote.completed'];
      expect(await typesOf(retried.id)).toEqual(both);

      const [cancelled, erased] = [quoteOf(2), quoteOf(2)];
      for (const each of [cancelled, erased]) await store.createQuote(each);
      await store.cancelQuote(cancelled!.id);
      await store.cancelQuote(cancelled!.id);
      await store.eraseQuotes([erased!.id]);
      const ends = ['rate.ended cancelled', 'rate.ended cancelled', 'quote.completed'];
      expect([await typesOf(cancelled!.id), await typesOf(erased!.id)]).toEqual([ends, ends]);
      await store.eraseQuotes([retried.id]);
      expect(await typesOf(retried.id)).toEqual(both);
    });

    it('contains the events of rates that ended before its migration', async () => {
      await using place = await engine.createPlace();
      const { migrations } = quoteMigrations;
      const before = migrations.slice(
        0,
        migrations.findIndex(({ name }) => name === 'outbox'),
      );
      const old = await place.open({ migrations: [{ name: 'quotes', migrations: before }] });
      const rate = (quoteId: string, name: string, finishedAt: number | null) => sql`
        insert into quote_rate (id, quote_id, team_id, position, carrier_key, carrier, form_type, status, outcome, fence,
          deadline_at, attempts, transitions, retryable, created_at, finished_at)
        values (${name}, ${quoteId}, 'team-1', 0, ${queue}, 'B', 'ho3', ${finishedAt === null ? 'queued' : 'success'},
          ${finishedAt === null ? null : 'quoted'}, 0, 9, 0, 0, 0, 1, ${finishedAt})`;
      for (const quoteId of ['done', 'open', 'new']) {
        await sql`
          insert into quote_request (id, service_quote_id, team_id, product_code, producer_email, effective_date, skipped,
            created_at)
          values (${quoteId}, ${`s-${quoteId}`}, 'team-1', 'homeowners', '', '2026-12-01', '[]', 1)`.execute(
          old.tables(),
        );
      }
      for (const each of [
        rate('done', 'd1', 20),
        rate('done', 'd2', 10),
        rate('open', 'o1', 5),
        rate('open', 'o2', null),
      ])
        await each.execute(old.tables());
      const store = new SqlQuoteStore({ database: await place.open({ migrations: [quoteMigrations] }) });
      const events = await store.readOutbox(
        ['done', 'open', 'new'].map((quoteId) => ({ quoteId, after: 0 })),
        100,
      );
      expect(
        events.map(({ quoteId, number, type, rate: of }) => `${quoteId} ${number} ${of?.id ?? type}`).sort(),
      ).toEqual(['done 1 d2', 'done 2 d1', 'done 3 quote.completed', 'open 1 o1']);
      await store.cancelQuote('open');
      const after = await store.readOutbox([{ quoteId: 'open', after: 1 }], 100);
      expect(after.map(({ number, type }) => [number, type])).toEqual([
        [2, 'rate.ended'],
        [3, 'quote.completed'],
      ]);
    });
  });
}
