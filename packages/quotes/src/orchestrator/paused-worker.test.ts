import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { QuoteStore } from '../ports/quote-store.ts';
import { quoteMigrations } from '../store/migrations.ts';
import { createSqlStore } from '../store/sql-store.ts';
import type { QuoteTables } from '../store/tables.ts';
import { createBench, engines, quotedAt, scriptedCarrier } from '../test-bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { eventually } from '../testing/suite.ts';

const rates = 50;

/**
 * A worker is paused between taking a rate and asking its carrier, long enough for its lease to run out and for
 * another to do the work; then it goes on. The carrier is not idempotent: a second call is a second effect.
 */
async function pauseAWorker(engine: (typeof engines)[number], fenced: boolean) {
  const calls = new Map<string, number>();
  const carrier = scriptedCarrier(
    async ({ rateId }) => {
      calls.set(rateId, (calls.get(rateId) ?? 0) + 1);
      return quotedAt(100_000n);
    },
    { limits: { concurrency: rates, deadlineMs: 200, maxAttempts: 10 } },
  );
  await using bench = await createBench(engine, [carrier], { work: false, leaseMarginMs: 300 });
  const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
  let waiting = 0;
  const database = await bench.place.open({ migrations: [quoteMigrations] });
  const store = createSqlStore({ database });
  const paused: QuoteStore = {
    ...store,
    async markSent(holds) {
      waiting += holds.length;
      await resumed;
      const held = await store.markSent(holds);
      return fenced ? held : held.map(() => true);
    },
  };
  // Its sweeps are paused with it, after the one that it starts with.
  const first = await bench.join({ store: paused, sweepIntervalMs: 600_000 });
  const second = await bench.join();

  const created = await Promise.all(
    Array.from({ length: rates }, () => bench.quotes.create('team-1', { ...exampleBody, form_types: ['ho3'] })),
  );
  // Nobody works yet: each is handed back to the sweep, so that the first worker takes them all in one go.
  const handedBack = database
    .tables<QuoteTables>()
    .selectFrom('quote_rate')
    .select('id')
    .whereRef('wake_at', '<', sql<number>`created_at + 5000000`);
  await eventually(
    async () => (await handedBack.execute()).length === rates,
    () => 'not all rates are due',
  );
  await first.start();
  await eventually(
    () => waiting === rates,
    () => `the first worker has taken ${waiting}`,
  );
  await second.start();
  for (const { quote_request_id: id } of created) {
    const status = await bench.completed(id);
    expect(status.outcomes.quoted).toBe(1);
  }
  const heldUp = [...calls.values()].reduce((sum, count) => sum + count, 0);
  expect(heldUp).toBe(rates);
  resume();
  await first.stop({ graceMs: 2000 });
  return {
    doubled: [...calls.values()].filter((count) => count > 1).length,
    lost: bench.events.filter((event) => event.type === 'hold_lost').length,
  };
}

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`a paused worker, on ${engine.title}`, () => {
    it('asks no carrier that another has asked meanwhile', async () => {
      const { doubled, lost } = await pauseAWorker(engine, true);
      console.info(`${engine.title}, with the fence: ${doubled} of ${rates} carriers asked twice`);
      expect(doubled).toBe(0);
      expect(lost).toBe(rates);
    });

    it('would ask every one of them a second time without the fence', async () => {
      const { doubled } = await pauseAWorker(engine, false);
      console.info(`${engine.title}, without the fence: ${doubled} of ${rates} carriers asked twice`);
      expect(doubled).toBe(rates);
    });
  });
}
