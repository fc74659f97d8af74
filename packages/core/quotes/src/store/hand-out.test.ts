import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { engines } from '../testing/bench.ts';
import { createSetTime, newQuote, takeRates } from '../testing/store-bench.ts';
import { quoteMigrations } from './migrations.ts';
import type { SqlQuoteStore } from './sql-quote-store.ts';

const DAY_MS = 86_400_000;
const RUNS = Number(process.env.LEEWARD_TEST_VOLUME ?? 1);

const fates = ['pending', 'in_flight', 'backing_off'] as const;
type Fate = (typeof fates)[number] | 'due';

async function leave(store: SqlQuoteStore, carrierKey: string, rateIds: readonly string[], fate: Fate) {
  if (fate === 'due' || rateIds.length === 0) return;
  expect(await takeRates(store, carrierKey)).toHaveLength(rateIds.length);
  const holds = rateIds.map((rateId) => ({ rateId, fence: 1 }));
  if (fate === 'pending') {
    const wait = {
      keep: {},
      failures: 0,
      carrierKey,
      teamId: 'team-1',
      delayMs: DAY_MS,
      reference: undefined,
      maxPendingMs: 9 * DAY_MS,
    };
    await store.keepPending(holds.map((hold) => ({ ...hold, ...wait })));
  } else if (fate === 'backing_off') {
    const release = { delayMs: DAY_MS, keepSent: false, uncounted: false, reason: 'http_503' };
    await store.release(holds.map((hold) => ({ ...hold, ...release })));
  }
}

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`the hand-out on ${engine.title}`, () => {
    it('fills all capacity with due rates among any number of idle teams, in equal parts', {
      timeout: 120_000,
    }, async () => {
      await using place = await engine.createPlace();
      const database = await place.open({ migrations: [quoteMigrations] });
      let run = 0;
      const crowd = fc.record({
        fate: fc.constantFrom(...fates),
        name: fc.constantFrom('a', 'm', 'z'),
        size: fc.integer({ min: 1, max: 150 }),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(crowd, { maxLength: 2 }),
          fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 60 }),
          fc.integer({ min: 1, max: 70 }),
          async (crowds, waiting, capacity) => {
            const time = createSetTime();
            const processes = [time.open(database), time.open(database)];
            const [store] = processes as [SqlQuoteStore];
            const carrierKey = `carrier_${run++}`;
            for (const { fate, name, size } of crowds) {
              const quotes = Array.from({ length: size }, (_, index) =>
                newQuote(`team-${name}-${fate}-${index * 7919}`, carrierKey, 1),
              );
              await Promise.all(quotes.map((quote) => store.createQuote(quote)));
              const ids = quotes.map((quote) => quote.rates[0]!.id);
              await leave(store, carrierKey, ids, fate);
            }
            const teamOf = new Map<string, string>();
            const left = new Map<string, number>();
            for (const [index, count] of waiting.entries()) {
              const quote = newQuote(`team-${'amz'[index % 3]}-due-${index * 7919}`, carrierKey, count);
              for (const { id } of quote.rates) teamOf.set(id, quote.teamId);
              left.set(quote.teamId, count);
              await store.createQuote(quote);
            }
            let due = teamOf.size;
            for (let round = 0; due > 0; round++) {
              const before = new Map(left);
              const rates = await takeRates(processes[round % 2]!, carrierKey, { count: capacity });
              expect(rates).toHaveLength(Math.min(capacity, due));
              due -= rates.length;
              for (const { rateId } of rates) {
                const team = teamOf.get(rateId)!;
                left.set(team, left.get(team)! - 1);
                teamOf.delete(rateId);
              }
              // Waiting teams differ by at most one call.
              const handed = (team: string) => before.get(team)! - left.get(team)!;
              const most = Math.max(...[...left.keys()].map(handed));
              for (const [team, count] of left) if (count > 0) expect(handed(team)).toBeGreaterThanOrEqual(most - 1);
            }
            expect(teamOf.size).toBe(0);
            expect(await takeRates(store, carrierKey, { count: capacity })).toEqual([]);
            time.pass(DAY_MS);
            const later = await takeRates(store, carrierKey);
            const others = crowds.reduce((sum, { size }) => sum + size, 0);
            expect(new Set(later.map(({ rateId }) => rateId)).size).toBe(
              others + [...waiting].reduce((a, b) => a + b, 0),
            );
          },
        ),
        { numRuns: 6 * RUNS },
      );
    });

    it('charges a team nothing for rates that ended before their hand-out', async () => {
      await using place = await engine.createPlace();
      const time = createSetTime();
      const store = time.open(await place.open({ migrations: [quoteMigrations] }));
      const many = Array.from({ length: 20 }, () => newQuote('team-a', 'carrier', 20));
      for (const quote of many) await store.createQuote(quote);
      await store.createQuote(newQuote('team-b', 'carrier', 50));
      const next = (count: number) => takeRates(store, 'carrier', { count });
      expect(await next(10)).toHaveLength(10);
      for (const quote of many) await store.cancelQuote(quote.id);
      const fresh = newQuote('team-a', 'carrier', 1);
      await store.createQuote(fresh);
      expect((await next(2)).map(({ rateId }) => rateId)).toContain(fresh.rates[0]!.id);
    });

    it('continues the rates of a database without hand-out state', async () => {
      await using place = await engine.createPlace();
      const { name, migrations } = quoteMigrations;
      const before = migrations.slice(
        0,
        migrations.findIndex((migration) => migration.name === 'fair_hand_out'),
      );
      const old = await place.open({ migrations: [{ name, migrations: before }] });
      const time = createSetTime();
      const at = (seconds: number | null) => (seconds === null ? null : (time.nowMs + seconds * 1000) * 1000);
      await sql`
        insert into quote_request (id, service_quote_id, team_id, product_code, producer_email, effective_date, skipped,
          created_at)
        values ('quote', 's', 'team-1', 'homeowners', '', '2026-12-01', '[]', ${at(-9)})`.execute(old.tables());
      const rates: [id: string, told: number, wakeAt: number | null, leaseUntil: number | null][] = [
        ['due', 0, -1, null],
        ['handed-out', 1, 10, null],
        ['leased', 0, 20, 20],
        ['later', 0, 30, null],
        ['ended', 0, null, null],
      ];
      for (const [id, told, wakeAt, leaseUntil] of rates) {
        await sql`
          insert into quote_rate (id, quote_id, team_id, position, carrier_key, carrier, form_type, status, fence, told,
            wake_at, lease_until, deadline_at, attempts, transitions, retryable, created_at, finished_at)
          values (${id}, 'quote', 'team-1', 0, 'carrier', 'C', 'ho3', 'queued', 0, ${told}, ${at(wakeAt)}, ${at(leaseUntil)},
            ${at(99)}, 0, 0, 0, ${at(-9)}, ${wakeAt === null ? at(-1) : null})`.execute(old.tables());
      }
      const store = time.open(await place.open({ migrations: [quoteMigrations] }));
      const handedOut: string[][] = [];
      for (const _ of rates) {
        handedOut.push((await takeRates(store, 'carrier', { count: 9 })).map(({ rateId }) => rateId));
        time.pass(10_000);
      }
      expect(handedOut).toEqual([['due'], ['handed-out'], ['leased'], ['later'], []]);
    });

    it('loses no rate if another process changes the team at the same time', async () => {
      await using place = await engine.createPlace();
      const database = await place.open({ migrations: [quoteMigrations] });
      // SQLite has one writer at a time.
      if (database.engine === 'sqlite') return;
      const run = (statement: string) => sql.raw(statement).execute(database.tables());
      const store = createSetTime().open(database);
      await store.createQuote(newQuote('team-1', 'carrier', 2));
      await run('create sequence conflicts');
      await run(`create function conflict_once() returns trigger language plpgsql as $$ begin
        if nextval('conflicts') = 1 then raise exception 'deadlock' using errcode = '40P01'; end if; return new; end $$`);
      await run(`create trigger conflict_once before insert or update on quote_carrier_team
        for each row execute function conflict_once()`);
      expect(await takeRates(store, 'carrier', { count: 1 })).toHaveLength(1);
    });

    it('hands out every rate once to concurrent processes while new rates arrive', async () => {
      await using place = await engine.createPlace();
      const time = createSetTime();
      const stores = await Promise.all(
        [1, 2, 3].map(async () => time.open(await place.open({ migrations: [quoteMigrations] }))),
      );
      const ids: string[] = [];
      let isDone = false;
      const takeAll = async (store: SqlQuoteStore) => {
        for (let [empty, wasDone] = [0, false]; empty < 2; wasDone = isDone) {
          const rates = await takeRates(store, 'carrier', { count: 20 });
          ids.push(...rates.map(({ rateId }) => rateId));
          empty = wasDone && rates.length === 0 ? empty + 1 : 0;
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const taking = stores.map(takeAll);
      for (let round = 0; round < 30; round++) {
        await Promise.all(
          Array.from({ length: 10 }, (_, team) =>
            stores[team % 3]!.createQuote(newQuote(`team-${team}`, 'carrier', 1)),
          ),
        );
      }
      isDone = true;
      await Promise.all(taking);
      expect(ids).toHaveLength(300);
      expect(new Set(ids).size).toBe(300);
    });
  });
}
