import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { DurationHistogram } from './metrics.ts';

it('is written as prom-client’s own would be', async () => {
  const observation = fc.record({
    method: fc.constantFrom('GET', 'POST'),
    route: fc.constantFrom('/a', '/b/{"c"}\n', 'unmatched'),
    status: fc.constantFrom(200, 422, 503),
    seconds: fc.oneof(fc.double({ min: 0, max: 20, noNaN: true }), fc.constantFrom(0.0005, 0.1, 10)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(observation, { maxLength: 50 }), async (observations) => {
      const ours = new Registry();
      const theirs = new Registry();
      const histogram = new DurationHistogram('seconds', 'Time.', ours);
      const reference = new Histogram({
        name: 'seconds',
        help: 'Time.',
        labelNames: ['method', 'route', 'status'],
        buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
        registers: [theirs],
      });
      for (const { method, route, status, seconds } of observations) {
        histogram.observe(route, method, status, seconds);
        reference.observe({ method, route, status: String(status) }, seconds);
      }
      const lines = async (registry: Registry) => (await registry.metrics()).split('\n').sort();
      expect(await lines(ours)).toEqual(await lines(theirs));
    }),
    { numRuns: 100 },
  );
});

it('begins anew when its registry is told to', async () => {
  const registry = new Registry();
  const histogram = new DurationHistogram('seconds', 'Time.', registry);
  histogram.observe('/a', 'GET', 200, 1);
  registry.resetMetrics();
  expect(await registry.metrics()).not.toContain('/a');
});
