import { describe, expect, it } from 'vitest';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { quoteMigrations } from './migrations.ts';
import { SqlQuoteStore } from './sql-quote-store.ts';

const ho3 = { ...exampleBody, form_types: ['ho3'] };
const HOUR_MS = 3_600_000;

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`quotas of a carrier, on ${engine.title}`, () => {
    it('are shared by all processes, count all or none, and start again', async () => {
      await using place = await engine.createPlace();
      let nowMs = Date.UTC(2026, 0, 31, 22, 30);
      const clock = { nowMicros: () => nowMs * 1000 };
      const open = async () =>
        new SqlQuoteStore({ database: await place.open({ migrations: [quoteMigrations] }), clock });
      const stores = [await open(), await open()];
      const quotas = [
        { requests: 3, per: 'hour' },
        { requests: 5, per: 'day' },
        { requests: 6, per: 'month' },
      ] as const;
      const take = (key = 'lantern') =>
        Promise.all(Array.from({ length: 10 }, (_, index) => stores[index % 2]!.takeQuota(key, quotas)));
      const granted = async () => (await take()).filter((permit) => permit.granted).length;
      expect(await granted()).toBe(3);
      const used = async () => (await stores[1]!.readQuotas()).map(({ per, used }) => `${used} a ${per}`).sort();
      expect(await used()).toEqual(['3 a day', '3 a hour', '3 a month']);
      const until = (resetsAt: string, per: string) => expect.objectContaining({ per, resetsAt });
      expect((await take())[0]).toMatchObject({
        granted: false,
        waitMs: HOUR_MS / 2,
        usedUp: until('2026-01-31T23:00:00.000000Z', 'hour'),
      });
      nowMs += HOUR_MS;
      expect(await granted()).toBe(2);
      expect((await take())[0]).toMatchObject({ usedUp: until('2026-02-01T00:00:00.000000Z', 'day') });
      nowMs -= HOUR_MS;
      expect(await granted()).toBe(0);
      nowMs = Date.UTC(2026, 1, 1);
      expect(await used()).toEqual([]);
      expect(await granted()).toBe(3);
      nowMs += 24 * HOUR_MS;
      expect(await granted()).toBe(3);
      nowMs += HOUR_MS;
      expect((await take())[0]).toMatchObject({ usedUp: until('2026-03-01T00:00:00.000000Z', 'month') });
    });

    it('end a rate that cannot wait, and report the reset time', async () => {
      const carrier = scriptedCarrier(async () => quotedAt(1000n), {
        limits: { quotas: [{ requests: 1, per: 'month' }] },
      });
      await using bench = await createBench(engine, [carrier], {
        clock: { nowMicros: () => Date.UTC(2026, 4, 5) * 1000 + Math.round(performance.now() * 1000) },
      });
      const quote = async () => {
        const { quote_request_id: id } = await bench.quotes.create('team-1', ho3);
        return (await bench.completed(id, 60_000)).rates[0];
      };
      expect(await quote()).toMatchObject({ status: 'success' });
      expect(await quote()).toMatchObject({
        status: 'error',
        outcome: 'failed',
        error: {
          code: 'quota_used_up',
          retryable: true,
          message: expect.stringContaining('1 requests a month is used up; it resets at 2026-06-01T00:00'),
        },
      });
      expect(carrier.calls).toBe(1);
    });
  });
}
