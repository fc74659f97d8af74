import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../test/support/random.ts';
import { estimateRadius, perfectDistances, type StationDistance } from './estimate-radius.ts';

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(share * values.length)]!;

/** Stations with errors of 150 to 1,260 m, by lines with normal errors, some of them without a line. */
function stationsBy(radiusMeters: number, count: number, missingShare: number, seed: number): StationDistance[] {
  const random = createRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: count }, () => {
    if (random() < missingShare) return { meters: 800 + 9000 * random(), errorMeters: 150 };
    const errorMeters = random() < 0.8 ? 150 : random() < 0.5 ? 261 : 1260;
    const part = random();
    const place = part < 0.21 ? 25 : part < 0.83 ? 80 : 240;
    const rounding = 0.42 * (errorMeters - 150);
    return { meters: Math.abs(normal() * Math.hypot(radiusMeters / 1.96, place, rounding)), errorMeters };
  });
}

describe('estimateRadius', () => {
  it.each([30, 200, 600, 2000])(
    'covers lines with errors of %i m in nine of ten cases, and is not much larger',
    (radius) => {
      const estimates = Array.from({ length: 60 }, (_, seed) =>
        estimateRadius(stationsBy(radius, 40, 0.15, 1000 * radius + seed)),
      );
      const covering = estimates.filter(({ maxRadiusMeters }) => maxRadiusMeters >= radius);
      expect(covering.length).toBeGreaterThanOrEqual(54);
      const median = percentile(
        estimates.map(({ maxRadiusMeters }) => maxRadiusMeters),
        0.5,
      );
      // 40 stations measure errors below their own only roughly.
      expect(median).toBeLessThan(Math.max(150, 2.1 * radius));
      expect(estimates.filter(({ minRadiusMeters }) => minRadiusMeters <= radius).length).toBeGreaterThanOrEqual(54);
    },
  );

  it('separates missing lines from displaced lines', () => {
    const stations = stationsBy(50, 40, 0, 5);
    const creeks = [1500, 3000, 6000].map((meters) => ({ meters, errorMeters: 150 }));
    const { maxRadiusMeters, missing } = estimateRadius([...stations, ...creeks]);
    expect([...missing.subarray(40)].every((probability) => probability > 0.95)).toBe(true);
    expect([...missing.subarray(0, 40)].filter((probability) => probability > 0.5).length).toBeLessThanOrEqual(1);
    expect(maxRadiusMeters).toBeLessThan(1.3 * estimateRadius(stations).maxRadiusMeters);
    // All lines displaced as far as one of the creeks: not a missing line.
    const displaced = estimateRadius(stationsBy(3000, 40, 0, 6));
    expect(displaced.missing.filter((probability) => probability > 0.5).length).toBe(0);
    expect(displaced.maxRadiusMeters).toBeGreaterThan(2500);
  });

  it('measures better with more stations, and no better than its limits', () => {
    const resolution = (count: number, errorMeters = 150): number =>
      estimateRadius(perfectDistances(Array.from({ length: count }, () => ({ errorMeters })))).maxRadiusMeters;
    expect(resolution(400)).toBeLessThan(resolution(80));
    expect(resolution(80)).toBeLessThan(resolution(20));
    expect(resolution(20, 1260)).toBeGreaterThan(2 * resolution(20));
    expect(estimateRadius([])).toMatchObject({ missing: new Float64Array(0) });
  });
});
