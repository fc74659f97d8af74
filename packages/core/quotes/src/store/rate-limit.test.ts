import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { engines } from '../testing/bench.ts';
import { quoteMigrations } from './migrations.ts';
import { SqlQuoteStore } from './sql-quote-store.ts';

const runs = testVolume(6);

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`a rate limit, on ${engine.title}`, () => {
    it('holds in any window, for any times and callers', async () => {
      await using place = await engine.createPlace();
      let nowMs = 1_760_000_000_000;
      const clock = { nowMicros: () => nowMs * 1000 };
      const stores = [1, 2].map(
        async () => new SqlQuoteStore({ database: await place.open({ migrations: [quoteMigrations] }), clock }),
      );
      const [first, second] = await Promise.all(stores);
      let queue = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 12 }),
          fc.integer({ min: 1, max: 12 }),
          fc.integer({ min: 50, max: 3000 }),
          fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 6 })), {
            minLength: 20,
            maxLength: 60,
          }),
          async (calls, wanted, perMs, arrivals) => {
            const limit = { calls, perMs, burst: Math.min(calls, wanted) };
            const key = `carrier_${queue++}`;
            const granted: number[] = [];
            for (const [afterMs, askers] of arrivals) {
              nowMs += afterMs;
              const permits = await Promise.all(
                Array.from({ length: askers }, (_, index) => (index % 2 ? first! : second!).takePermit(key, limit)),
              );
              for (const permit of permits) if (permit.granted) granted.push(nowMs);
            }
            for (const start of granted) {
              const inWindow = granted.filter((at) => at >= start && at < start + perMs).length;
              expect(inWindow).toBeLessThanOrEqual(calls);
            }
          },
        ),
        { numRuns: runs },
      );
    });

    it('with bursts is used up to the last call', async () => {
      await using place = await engine.createPlace();
      let nowMs = 1_760_000_000_000;
      const store = new SqlQuoteStore({
        database: await place.open({ migrations: [quoteMigrations] }),
        clock: { nowMicros: () => nowMs * 1000 },
      });
      const limit = { calls: 10, perMs: 2000, burst: 5 };
      const granted: number[] = [];
      const start = nowMs;
      while (nowMs < start + 20_000) {
        const permit = await store.takePermit('bayou_mutual', limit);
        if (permit.granted) granted.push(nowMs - start);
        else nowMs += Math.ceil(permit.waitMs);
      }
      expect(granted.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
      expect(granted).toHaveLength(100);
    });
  });
}
