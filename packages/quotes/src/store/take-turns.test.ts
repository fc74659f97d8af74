import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { engines } from '../test-bench.ts';
import { exampleFields } from '../testing/example-request.ts';
import { createUuid } from '../uuid.ts';
import { quoteMigrations } from './migrations.ts';
import { createSqlStore } from './sql-store.ts';

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`turns of teams on ${engine.title}`, () => {
    it('gives every team that waits the same share of a lane, whoever came first and whatever the others have', async () => {
      await using place = await engine.createPlace();
      const database = await place.open({ migrations: [quoteMigrations] });
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 70 }),
          fc.integer({ min: 1, max: 12 }),
          async (waiting, room) => {
            let nowMs = 1_800_000_000_000;
            const store = createSqlStore({ database, clock: { nowMicros: () => nowMs * 1000 } });
            const lane = `carrier_${run++}`;
            const teamOf = new Map<string, string>();
            for (const [index, count] of waiting.entries()) {
              const teamId = `team-${index * 7919}`;
              const rates = Array.from({ length: count }, () => createUuid(nowMs));
              for (const id of rates) teamOf.set(id, teamId);
              await store.createQuote({
                id: createUuid(nowMs),
                serviceQuoteId: createUuid(nowMs),
                teamId,
                productCode: 'homeowners',
                producerEmail: 'agent@example.com',
                effectiveDate: '2026-12-01',
                fields: exampleFields,
                skipped: [],
                idempotency: undefined,
                rates: rates.map((id) => ({ id, carrierKey: lane, carrier: 'C', formType: 'ho3', told: false })),
                deadlineMs: 60_000,
              });
            }
            const left = new Map(waiting.map((count, index) => [`team-${index * 7919}`, count]));
            const served = new Map([...left.keys()].map((team) => [team, 0]));
            for (let after = ''; left.size > 0; nowMs++) {
              const before = new Set(left.keys());
              const servedBefore = new Map(served);
              const { jobs, lanes } = await store.takeDue({
                lanes: [{ carrierKey: lane, room, after }],
                againMs: 60_000,
              });
              expect(jobs.length).toBeGreaterThan(0);
              expect(jobs.length).toBeLessThanOrEqual(room);
              for (const { key } of jobs) {
                const team = teamOf.get(key.slice(0, -2))!;
                served.set(team, served.get(team)! + 1);
                left.set(team, left.get(team)! - 1);
                if (left.get(team) === 0) left.delete(team);
              }
              // Of one turn no team that goes on waiting has two less than any other team got.
              const got = (team: string) => served.get(team)! - servedBefore.get(team)!;
              const most = Math.max(...[...before].map(got));
              if (before.size <= Math.min(room, 60)) {
                for (const team of left.keys()) expect(got(team)).toBeGreaterThanOrEqual(most - 1);
              } else expect(most).toBe(1);
              // Over all turns: who has waited all the while has had as many turns as anyone, but for one round.
              const waitedOn = [...left.keys()].map((team) => served.get(team)!);
              if (waitedOn.length > 0) {
                expect(Math.min(...waitedOn)).toBeGreaterThanOrEqual(Math.max(...served.values()) - 2);
              }
              after = lanes.get(lane)!.after;
              expect(left.size === 0 || lanes.get(lane)!.more).toBe(true);
            }
            expect(await store.countTold()).toEqual(new Map([[lane, teamOf.size], ...(await told(store, lane))]));
          },
        ),
        { numRuns: 12 * Number(process.env.LEEWARD_TEST_VOLUME ?? 1) },
      );
    });
  });
}

/** Of other runs on the same database. */
async function told(store: ReturnType<typeof createSqlStore>, lane: string) {
  return [...(await store.countTold())].filter(([key]) => key !== lane);
}
