import type { Database } from '@leeward/database';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createPQueueBackend } from '../queues/p-queue.ts';
import { quoteMigrations } from '../store/migrations.ts';
import type { QuoteTables } from '../store/tables.ts';
import { type Bench, createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { replaceStoreMethods } from '../testing/store-bench.ts';
import { eventually } from '../testing/suite.ts';

const RATES = 50;

/** Returned to the sweep, so that the first worker claims all together. */
async function createDue(bench: Bench, database: Database) {
  const created = await Promise.all(
    Array.from({ length: RATES }, () => bench.quotes.create('team-1', { ...exampleBody, form_types: ['ho3'] })),
  );
  const handedBack = database
    .tables<QuoteTables>()
    .selectFrom('quote_rate')
    .select('id')
    .whereRef('wake_at', '<', sql<number>`created_at + 5000000`);
  await eventually(
    async () => (await handedBack.execute()).length === RATES,
    () => 'not all rates are due',
  );
  return created;
}

/**
 * Pauses a worker between claim and call until its lease ends and another has done the work. The carrier is not idempotent: a second
 * call is a second effect.
 */
async function pauseAWorker(engine: (typeof engines)[number], fenced: boolean) {
  const calls = new Map<string, number>();
  const carrier = scriptedCarrier(
    async ({ rateId }) => {
      calls.set(rateId, (calls.get(rateId) ?? 0) + 1);
      return quotedAt(100_000n);
    },
    { limits: { concurrency: RATES, deadlineMs: 200, maxAttempts: 10 } },
  );
  await using bench = await createBench(engine, [carrier], { work: false, leaseMarginMs: 300 });
  const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
  let waiting = 0;
  const database = await bench.place.open({ migrations: [quoteMigrations] });
  const wrapPort = replaceStoreMethods((store) => ({
    async markSent(holds) {
      waiting += holds.length;
      await resumed;
      const held = await store.markSent(holds);
      return fenced ? held : held.map(() => true);
    },
  }));
  const first = await bench.join({ wrapPort, sweepIntervalMs: 600_000 });
  const second = await bench.join();

  const created = await createDue(bench, database);
  await first.start();
  await eventually(
    () => waiting === RATES,
    () => `the first worker has taken ${waiting}`,
  );
  await second.start();
  for (const { quote_request_id: id } of created) {
    const status = await bench.completed(id);
    expect(status.outcomes.quoted).toBe(1);
  }
  const heldUp = [...calls.values()].reduce((sum, count) => sum + count, 0);
  expect(heldUp).toBe(RATES);
  resume();
  await first.stop({ graceMs: 2000 });
  return {
    doubled: [...calls.values()].filter((count) => count > 1).length,
    lost: bench.events.filter((event) => event.type === 'hold_lost').length,
  };
}

/**
 * With a shared queue, a claim records the call immediately. The worker is paused while its claim is pending, and another ends the rates
 * as possibly called.
 */
async function pauseAClaim(engine: (typeof engines)[number], fenced: boolean) {
  let calls = 0;
  const carrier = scriptedCarrier(
    async () => {
      calls++;
      return quotedAt(100_000n);
    },
    { limits: { concurrency: RATES, deadlineMs: 200, maxAttempts: 10 } },
  );
  const shared = () => {
    const queue = createPQueueBackend();
    return { ...queue, caps: { ...queue.caps, concurrencyScope: 'cluster' as const } };
  };
  await using bench = await createBench(engine, [carrier], { work: false, leaseMarginMs: 300 });
  const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
  const database = await bench.place.open({ migrations: [quoteMigrations] });
  let claimed = 0;
  const wrapPort = replaceStoreMethods((store) => ({
    async claim(claims) {
      const held = await store.claim(claims);
      claimed += held.length;
      await resumed;
      return held;
    },
    async markSent(holds) {
      const held = await store.markSent(holds);
      return fenced ? held : held.map(() => true);
    },
  }));
  const first = await bench.join({ queue: shared(), wrapPort, sweepIntervalMs: 600_000 });
  const created = await createDue(bench, database);
  await first.start();
  await eventually(
    () => claimed === RATES,
    () => `the first worker has claimed ${claimed}`,
  );
  const second = await bench.join({ queue: shared() });
  await second.start();
  for (const { quote_request_id: id } of created) {
    expect((await bench.completed(id)).outcomes.unknown_outcome).toBe(1);
  }
  expect(calls).toBe(0);
  resume();
  await first.stop({ graceMs: 2000 });
  return calls;
}

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`a paused worker, on ${engine.title}`, () => {
    it('skips carriers that another worker called meanwhile', async () => {
      const { doubled, lost } = await pauseAWorker(engine, true);
      console.info(`${engine.title}, with the fence: ${doubled} of ${RATES} carriers asked twice`);
      expect(doubled).toBe(0);
      expect(lost).toBe(RATES);
    });

    it('without the fence, calls each of them a second time', async () => {
      const { doubled } = await pauseAWorker(engine, false);
      console.info(`${engine.title}, without the fence: ${doubled} of ${RATES} carriers asked twice`);
      expect(doubled).toBe(RATES);
    });

    it('skips carriers whose rate ended during the claim', async () => {
      expect(await pauseAClaim(engine, true)).toBe(0);
    });

    it('without the fence, calls each of them once', async () => {
      expect(await pauseAClaim(engine, false)).toBe(RATES);
    });
  });
}
