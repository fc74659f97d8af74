import { describe, expect, it } from 'vitest';
import { CarrierFault } from '../ports/carrier-fault.ts';
import { createPQueueBackend } from '../queues/p-queue.ts';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { eventually } from '../testing/suite.ts';

const ho3 = { ...exampleBody, form_types: ['ho3'] };
const DAY_MS = 86_400_000;
const fullUntilTomorrow = new CarrierFault('It is full.', { kind: 'refused', code: 'http_429', retryAfterMs: DAY_MS });

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`a carrier that requests a cooldown, on ${engine.title}`, () => {
    const turningAway = (limits: object) =>
      scriptedCarrier(
        async () => {
          if (carrier.calls === 1) throw fullUntilTomorrow;
          return quotedAt(1000n);
        },
        { limits: { backoff: { initialMs: 1, maxMs: 2 }, ...limits } },
      );
    let carrier: ReturnType<typeof turningAway>;

    it.each([{}, { rateLimit: { calls: 100, perMs: 1000 } }])(
      'applies a cooldown up to the limits, with %j, and logs it',
      async (limits) => {
        carrier = turningAway({ maxCooldownMs: 300, ...limits });
        await using bench = await createBench(engine, [carrier]);
        const created = await bench.quotes.create('team-1', ho3);
        expect((await bench.completed(created.quote_request_id)).counts.success).toBe(1);
        expect(carrier.calls).toBe(2);
        expect(bench.events.filter((event) => event.type === 'carrier_resting')).toEqual([
          { type: 'carrier_resting', carrierKey: 'scripted', cooldownMs: 300, requestedMs: DAY_MS },
        ]);
      },
    );

    it('is paused in every process, also after a restart, until an operator resumes it', async () => {
      carrier = turningAway({ maxCooldownMs: DAY_MS / 2 });
      await using bench = await createBench(engine, [carrier], { quoteDeadlineMs: DAY_MS });
      const created = await bench.quotes.create('team-1', ho3);
      await eventually(
        async () => (await bench.quotes.carrierCooldowns()).length === 1,
        () => 'no rest',
      );
      const [rest] = await bench.quotes.carrierCooldowns();
      expect(rest).toMatchObject({ carrierKey: 'scripted' });
      expect(rest!.remainingMs).toBeLessThanOrEqual(DAY_MS / 2);
      await bench.quotes.stop();
      const next = await bench.join();
      await next.start();
      const another = await next.create('team-1', ho3);
      await next.sweep();
      await next.sweep();
      expect(carrier.calls).toBe(1);
      const operator = await bench.join();
      expect(await operator.resumeCarrier('Scripted Mutual')).toEqual({ carrierKey: 'scripted', changed: true });
      expect(await operator.resumeCarrier('scripted')).toEqual({ carrierKey: 'scripted', changed: false });
      expect(await operator.resumeCarrier('nobody')).toBeUndefined();
      for (const { quote_request_id: id } of [created, another])
        await eventually(
          async () => (await next.status('team-1', id))?.status === 'complete',
          () => 'not asked',
        );
      expect(carrier.calls).toBe(3);
    });

    it('stays paused while an operator has paused it', async () => {
      carrier = turningAway({});
      carrier.calls = 1;
      await using bench = await createBench(engine, [carrier]);
      expect(await bench.quotes.pauseCarrier('Scripted Mutual')).toEqual({ carrierKey: 'scripted', changed: true });
      expect(await bench.quotes.pauseCarrier('nobody')).toBeUndefined();
      expect(await bench.quotes.carrierCooldowns()).toEqual([{ carrierKey: 'scripted', remainingMs: undefined }]);
      const created = await bench.quotes.create('team-1', ho3);
      await bench.quotes.sweep();
      await bench.quotes.sweep();
      expect(carrier.calls).toBe(1);
      expect(await bench.quotes.resumeCarrier('scripted')).toMatchObject({ changed: true });
      expect((await bench.completed(created.quote_request_id)).counts.success).toBe(1);
    });

    it('is not called by a starting process that receives old jobs', async () => {
      const carrier = scriptedCarrier(async () => quotedAt(1000n));
      await using bench = await createBench(engine, [carrier], { work: false });
      const { rate_index } = await bench.quotes.create('team-1', ho3);
      await bench.quotes.pauseCarrier('scripted');
      const backend = createPQueueBackend();
      const next = await bench.join({
        queue: {
          ...backend,
          async start(queues, handler) {
            await backend.start(queues, handler);
            await handler({ key: 'old', queue: 'scripted', signal: new AbortController().signal });
          },
        },
      });
      await next.start();
      expect(carrier.calls).toBe(0);
      expect(await next.rate('team-1', rate_index[0]!.id)).toMatchObject({ status: 'processing', attempts: 0 });
    });
  });
}
