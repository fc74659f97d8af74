import { describe, expect, it } from 'vitest';
import { createSandboxCarrier } from './carriers/sandbox/sandbox-carrier.ts';
import { createBench, engines } from './test-bench.ts';
import { exampleBody } from './testing/example-request.ts';

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(engine.title, () => {
    it('asks every carrier and collects the answers', async () => {
      const carriers = ['one', 'two'].map((key) =>
        createSandboxCarrier({ key: `sandbox_${key}`, name: `Sandbox ${key}`, latencyMs: 20 }),
      );
      await using bench = await createBench(engine, carriers);
      const created = await bench.quotes.create('team-1', exampleBody);
      expect(created.counts).toEqual({ processing: 6, success: 0, error: 0 });
      const status = await bench.completed(created.quote_request_id);
      expect(status.counts).toEqual({ processing: 0, success: 6, error: 0 });
      expect(bench.events.filter((event) => event.type === 'trouble')).toEqual([]);
      console.log(JSON.stringify(status, null, 1).slice(0, 3000));
    });
  });
}
