import fc from 'fast-check';
import { expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

it('waits a random time up to a bound that doubles up to the maximum', () => {
  const bounds = { initialMs: 100, maxMs: 1500 };
  expect([1, 2, 3, 4, 5, 6, 60].map((attempt) => backoffMs(attempt, bounds, () => 1))).toEqual([
    100, 200, 400, 800, 1500, 1500, 1500,
  ]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (attempt, share) => {
      const delay = backoffMs(attempt, bounds, () => share);
      expect(delay).toBeGreaterThanOrEqual(0);
      expect(delay).toBeLessThan(1500);
    }),
  );
});
