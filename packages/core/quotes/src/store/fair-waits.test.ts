import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { engines } from '../testing/bench.ts';
import { createSetTime, newQuote, takeRates } from '../testing/store-bench.ts';
import type { NewQuote } from './create-quote.ts';
import { quoteMigrations } from './migrations.ts';
import type { SqlQuoteStore } from './sql-quote-store.ts';

/* Bounds of the wait for a slot, in calls or on a set clock, so that a busy machine changes nothing. */

const HOUR_MS = 3_600_000;
const RUNS = 15 * Number(process.env.LEEWARD_TEST_VOLUME ?? 1);

const nameOf = (index: number) => `team-${String(index).padStart(4, '0')}`;

/** One carrier. Rates are known by their ids. */
function createLine(store: SqlQuoteStore, carrierKey: string) {
  const teamOf = new Map<string, string>();
  const fences = new Map<string, number>();
  const holds = (ids: readonly string[]) => ids.map((rateId) => ({ rateId, fence: fences.get(rateId)! }));
  return {
    teamOf,
    async create(teamId: string, count = 1, more: Partial<NewQuote> = {}) {
      const quote = newQuote(teamId, carrierKey, count, more);
      await store.createQuote(quote);
      for (const { id } of quote.rates) teamOf.set(id, teamId);
      return quote.rates.map(({ id }) => id);
    },
    async take(count: number) {
      const rates = await takeRates(store, carrierKey, { count });
      for (const { rateId, fence } of rates) fences.set(rateId, fence);
      return rates.map(({ rateId }) => rateId);
    },
    async keepPending(ids: readonly string[], delayMs: (index: number) => number) {
      const wait = {
        keep: {},
        failures: 0,
        carrierKey,
        teamId: 'team-1',
        reference: undefined,
        maxPendingMs: 999 * HOUR_MS,
      };
      const waits = holds(ids).map((hold, index) => ({ ...hold, ...wait, delayMs: delayMs(index) }));
      expect(await store.keepPending(waits)).not.toContain(false);
    },
    async backOff(ids: readonly string[], delayMs: number) {
      const back = { delayMs, keepSent: false, uncounted: false, reason: 'http_503' };
      expect(await store.release(holds(ids).map((hold) => ({ ...hold, ...back })))).not.toContain(false);
    },
  };
}

/** Counts the calls of other teams while a team waits. */
function createCount() {
  const due = new Map<string, Set<string>>();
  const calls = new Map<string, Map<string, number>>();
  return {
    get size() {
      return [...due.values()].reduce((sum, ids) => sum + ids.size, 0);
    },
    add(team: string, id: string) {
      if (!due.has(team)) due.set(team, new Set());
      due.get(team)!.add(id);
    },
    /** At once. */
    serve(taken: readonly (readonly [team: string, id: string])[]) {
      for (const [team, id] of taken) expect(due.get(team)?.delete(id)).toBe(true);
      for (const [team] of taken) calls.delete(team);
      const served = new Set(taken.map(([team]) => team));
      for (const [waiting, ids] of due) {
        if (ids.size === 0 || served.has(waiting)) continue;
        const others = calls.get(waiting) ?? new Map<string, number>();
        calls.set(waiting, others);
        for (const [team] of taken) others.set(team, (others.get(team) ?? 0) + 1);
        for (const [team, count] of others) {
          expect(count, `calls of ${team} while ${waiting} waits`).toBeLessThanOrEqual(2);
        }
      }
    },
  };
}

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`waits for a slot of a carrier, on ${engine.title}`, () => {
    async function inStore(
      work: (
        line: ReturnType<typeof createLine>,
        time: ReturnType<typeof createSetTime>,
        store: SqlQuoteStore,
      ) => Promise<void>,
    ) {
      await using place = await engine.createPlace();
      const time = createSetTime();
      const store = time.open(await place.open({ migrations: [quoteMigrations] }));
      await work(createLine(store, 'carrier'), time, store);
    }

    it('are below a second for a new quote while 1,000 teams poll pending answers', { timeout: 120_000 }, () =>
      inStore(async ({ create, take, keepPending }, time) => {
        const [teams, slots, callMs, pollEveryMs, steps] = [1000, 16, 50, 5000, 110];
        await Promise.all(Array.from({ length: teams }, (_, index) => create(nameOf(index))));
        const pending = await take(teams);
        expect(pending).toHaveLength(teams);
        await keepPending(pending, (index) => (index * pollEveryMs) / teams);
        const since = new Map<string, number>();
        const waits: number[] = [];
        let polls = 0;
        for (let step = 0; step < steps; step++) {
          // Half of these teams have pending answers.
          if (step % 5 === 0) for (const id of await create(nameOf((step * 7919) % 2000))) since.set(id, time.nowMs);
          const taken = await take(slots);
          for (const id of taken) {
            if (since.has(id)) waits.push(time.nowMs - since.get(id)!);
            else polls++;
            since.delete(id);
          }
          time.pass(callMs);
          await keepPending(taken, () => pollEveryMs);
        }
        expect(polls).toBeGreaterThan(teams);
        expect(since).toEqual(new Map());
        expect(Math.max(...waits)).toBeLessThanOrEqual(1000);
      }),
    );

    it('are at most one call for priority 1 behind 450 rates of the same team', () =>
      inStore(async ({ create, take }) => {
        await create('team-m', 450);
        await create('team-z', 20);
        expect(await take(5)).toHaveLength(5);
        for (let round = 0; round < 3; round++) {
          const urgent = await create('team-m', 1, { priority: 1 });
          expect([...(await take(1)), ...(await take(1))]).toContain(urgent[0]);
        }
      }));

    it.each(['team-a', 'team-z'])(
      'are at most two calls of a team with 10,000 rates, for any number of new rates of %s and others',
      { timeout: 120_000 },
      (fresh) =>
        inStore(async ({ create, take, teamOf }, time) => {
          await create('team-m', 10_000);
          expect(await take(100)).toHaveLength(100);
          for (const others of [1, 6, 12]) {
            time.pass(1);
            for (let index = 0; index < others; index++) await create(`${fresh}-${index}`);
            let [left, calls] = [others, 0];
            while (left > 0 && calls <= 2) {
              const [id] = await take(1);
              if (teamOf.get(id!) === 'team-m') calls++;
              else left--;
            }
            expect(left).toBe(0);
          }
        }),
    );

    it('end with the first due rate while all others back off or are pending', () =>
      inStore(async ({ create, take, keepPending, backOff }, time) => {
        expect(await take(10)).toEqual([]);
        await Promise.all(Array.from({ length: 300 }, (_, index) => create(nameOf(index))));
        const all = await take(300);
        await backOff(all.slice(0, 200), HOUR_MS);
        await keepPending(all.slice(200), () => HOUR_MS);
        for (let round = 0; round < 3; round++) {
          expect(await take(10)).toEqual([]);
          const fresh = await create(nameOf(150 * round));
          expect(await take(1)).toEqual(fresh);
        }
        time.pass(HOUR_MS);
        const later: string[] = [];
        for (let left = 300; left > 0; left -= 16) later.push(...(await take(16)));
        expect(later.toSorted()).toEqual(all.toSorted());
      }));

    it(
      'are at most two calls of each other team, also of teams that return after their tags were deleted',
      {
        timeout: 120_000,
      },
      () =>
        inStore(async (_, time, store) => {
          const action = fc.oneof(
            {
              arbitrary: fc.record({ team: fc.nat({ max: 5 }).map(nameOf), count: fc.constantFrom(1, 2, 30) }),
              weight: 3,
            },
            { arbitrary: fc.record({ take: fc.constantFrom(1, 2, 9) }), weight: 6 },
            { arbitrary: fc.constantFrom('forget', 'take all', 'keep pending', 'pass'), weight: 3 },
          );
          let run = 0;
          await fc.assert(
            fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 60, size: 'max' }), async (actions) => {
              const { create, take, keepPending, teamOf } = createLine(store, `carrier-${run++}`);
              const count = createCount();
              let held: string[] = [];
              const resting: string[] = [];
              const takeAndServe = async (slots: number) => {
                const expected = Math.min(slots, count.size);
                const taken = await take(slots);
                expect(taken).toHaveLength(expected);
                count.serve(taken.map((id) => [teamOf.get(id)!, id] as const));
                held.push(...taken);
              };
              for (const next of actions) {
                if (typeof next !== 'string') {
                  if ('take' in next) await takeAndServe(next.take);
                  else for (const id of await create(next.team, next.count)) count.add(next.team, id);
                } else if (next === 'forget') await store.deleteExpired();
                else if (next === 'take all') await takeAndServe(100_000);
                else if (next === 'pass') {
                  time.pass(HOUR_MS);
                  for (const id of resting.splice(0)) count.add(teamOf.get(id)!, id);
                } else {
                  await keepPending(held, () => HOUR_MS);
                  resting.push(...held);
                  held = [];
                }
              }
            }),
            { numRuns: RUNS },
          );
        }),
    );
  });
}
