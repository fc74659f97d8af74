import { describe, expect, it } from 'vitest';
import { type Bench, createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { replaceStoreMethods } from '../testing/store-bench.ts';
import { eventually } from '../testing/suite.ts';

const RATES = 50;

async function createDue(bench: Bench) {
  return Promise.all(
    Array.from({ length: RATES }, () => bench.quotes.create('team-1', { ...exampleBody, form_types: ['ho3'] })),
  );
}

/**
 * Pauses a worker between hand-out and call until its lease ends and another has done the work. The carrier is not idempotent: a second
 * call is a second effect.
 */
async function pauseAWorker(engine: (typeof engines)[number], fenced: boolean) {
  const calls = new Map<string, number>();
  const carrier = scriptedCarrier(
    async ({ rateId }) => {
      calls.set(rateId, (calls.get(rateId) ?? 0) + 1);
      return quotedAt(100_000n);
    },
    // Prepared first, so that the hand-out does not record the call.
    {
      limits: { concurrency: RATES, deadlineMs: 200, maxAttempts: 10 },
      prepare: async () => ({ prepared: undefined }),
    },
  );
  await using bench = await createBench(engine, [carrier], { work: false, leaseMarginMs: 300 });
  const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
  let waiting = 0;
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

  const created = await createDue(bench);
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
 * The hand-out records the calls. The worker is paused while its hand-out is pending, and another ends the rates as possibly called.
 */
async function pauseAHandOut(engine: (typeof engines)[number], fenced: boolean) {
  let calls = 0;
  const carrier = scriptedCarrier(
    async () => {
      calls++;
      return quotedAt(100_000n);
    },
    { limits: { concurrency: RATES, deadlineMs: 200, maxAttempts: 10 } },
  );
  await using bench = await createBench(engine, [carrier], { work: false, leaseMarginMs: 300 });
  const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
  let taken = 0;
  const wrapPort = replaceStoreMethods((store) => ({
    async handOut(requests, isRepeat) {
      const rates = await store.handOut(requests, isRepeat);
      taken += rates.flat().length;
      await resumed;
      return rates;
    },
    async markSent(holds) {
      const held = await store.markSent(holds);
      return fenced ? held : held.map(() => true);
    },
  }));
  const first = await bench.join({ wrapPort, sweepIntervalMs: 600_000 });
  const created = await createDue(bench);
  await first.start();
  await eventually(
    () => taken === RATES,
    () => `the first worker has taken ${taken}`,
  );
  const second = await bench.join();
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

    it('skips carriers whose rate ended during the hand-out', async () => {
      expect(await pauseAHandOut(engine, true)).toBe(0);
    });

    it('without the fence, calls each of them once', async () => {
      expect(await pauseAHandOut(engine, false)).toBe(RATES);
    });
  });
}
