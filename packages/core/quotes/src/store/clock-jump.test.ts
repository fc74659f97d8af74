import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { CarrierFault } from '../ports/carrier-fault.ts';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { eventually } from '../testing/suite.ts';

const ho3 = { ...exampleBody, form_types: ['ho3'] };
const HOUR_MS = 3_600_000;

function setClock() {
  let offsetMs = 0;
  return {
    nowMicros: () => Math.round((Date.now() + offsetMs) * 1000),
    set: (ms: number) => {
      offsetMs += ms;
    },
  };
}

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`a clock that is set back an hour, on ${engine.title}`, () => {
    it('delays no postponed rate, in any process', async () => {
      const clock = setClock();
      let down = true;
      const carrier = scriptedCarrier(
        async () => {
          if (down) throw new CarrierFault('Not yet.', { kind: 'refused', code: 'busy' });
          return quotedAt(1000n);
        },
        { limits: { maxAttempts: 50, backoff: { initialMs: 300, maxMs: 300 }, rateLimit: { calls: 50, perMs: 1000 } } },
      );
      await using bench = await createBench(engine, [carrier], { clock });
      const other = await bench.join();
      await other.start();
      const made = await Promise.all(Array.from({ length: 5 }, () => bench.quotes.create('team-1', ho3)));
      await eventually(
        () => carrier.calls >= 5,
        () => `${carrier.calls} calls`,
      );
      clock.set(-HOUR_MS);
      down = false;
      for (const { quote_request_id: id } of made) await bench.completed(id, 10_000);
      const jumps = bench.events.filter((event) => event.type === 'clock_jumped');
      expect(jumps).toHaveLength(1);
      expect(jumps[0]!.jumpMs).toBeLessThan(-HOUR_MS + 5000);
      expect(jumps[0]!.jumpMs).toBeGreaterThan(-HOUR_MS - 5000);
    });

    it('delays no rate after a restart', async () => {
      const clock = setClock();
      const carrier = scriptedCarrier(async () => quotedAt(1000n));
      await using bench = await createBench(engine, [carrier], { clock, work: false });
      const created = await bench.quotes.create('team-1', ho3);
      clock.set(-HOUR_MS);
      const next = await bench.join();
      await next.start();
      await bench.completed(created.quote_request_id, 12_000);
      expect(carrier.calls).toBe(1);
    });

    it('delays no failed endpoint', async () => {
      const clock = setClock();
      let [asked, isBack] = [0, false];
      const server = createServer((request, response) => {
        asked++;
        request.resume();
        response.writeHead(isBack ? 204 : 500).end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      try {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
        const carrier = scriptedCarrier(async () => quotedAt(1000n));
        await using bench = await createBench(engine, [carrier], {
          clock,
          allowPrivateWebhooks: true,
          random: () => 0,
        });
        const { webhook_id } = await bench.quotes.webhooks.create('team-1', { url });
        await bench.quotes.create('team-1', ho3);
        await eventually(
          async () => (await bench.quotes.webhooks.read(webhook_id))?.state === 'failing',
          () => `${asked} attempts`,
        );
        clock.set(-HOUR_MS);
        isBack = true;
        await eventually(
          async () => (await bench.quotes.webhooks.read(webhook_id))?.waiting === 0,
          () => `${asked} attempts`,
          20_000,
        );
      } finally {
        server.close();
      }
    });

    it('ends no lease of a running worker', async () => {
      const clock = setClock();
      const { promise: answer, resolve } = Promise.withResolvers<ReturnType<typeof quotedAt>>();
      const carrier = scriptedCarrier(() => answer, { limits: { deadlineMs: 20_000 } });
      await using bench = await createBench(engine, [carrier], { clock });
      const other = await bench.join();
      await other.start();
      const created = await bench.quotes.create('team-1', ho3);
      await eventually(
        () => carrier.calls === 1,
        () => 'not asked',
      );
      clock.set(-HOUR_MS);
      await eventually(
        () => bench.events.some((event) => event.type === 'clock_jumped'),
        () => 'not noticed',
      );
      await Promise.all([bench.quotes.sweep(), other.sweep()]);
      resolve(quotedAt(1000n));
      expect((await bench.completed(created.quote_request_id)).counts.success).toBe(1);
      expect(carrier.calls).toBe(1);
    });
  });
}
