import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { ErrorDistribution } from './error-distribution.ts';
import { Likelihood } from './likelihood.ts';

const distributions = fc
  .tuple(
    fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 9 }),
    fc.array(fc.double({ min: -900, max: 900, noNaN: true }), { minLength: 9, maxLength: 9 }),
    fc.double({ min: 0, max: 900, noNaN: true }),
  )
  .map(([mills, errors, radius]) => {
    const probabilities = [...new Set(mills)].sort((one, other) => one - other).map((mill) => mill / 1000);
    const quantiles = errors.slice(0, probabilities.length).sort((one, other) => one - other);
    return { probabilities, quantiles, distribution: new ErrorDistribution(probabilities, quantiles, radius) };
  });

describe('ErrorDistribution', () => {
  it('has the probabilities of its quantiles, is monotone, and ends at 0 and 1', () => {
    fc.assert(
      fc.property(
        distributions,
        fc.array(fc.double({ min: -2_000, max: 2_000, noNaN: true })),
        ({ probabilities, quantiles, distribution }, errors) => {
          quantiles.forEach((quantile, at) => {
            if (quantiles[at + 1] !== quantile) {
              expect(distribution.probabilityOf(quantile)).toBeCloseTo(probabilities[at]!, 9);
            }
          });
          const values = errors.sort((one, other) => one - other).map((error) => distribution.probabilityOf(error));
          const rounded = values.map((value) => Math.round(value * 1e12));
          expect(rounded).toEqual(rounded.toSorted((one, other) => one - other));
          expect(distribution.probabilityOf(-1e9)).toBeLessThan(1e-6);
          expect(distribution.probabilityOf(1e9)).toBeGreaterThan(1 - 1e-6);
        },
      ),
      { numRuns: testVolume(200) },
    );
  });

  it('has 95 % of errors within a radius', () => {
    for (const radius of [1e-3, 50, 580, 16_000]) {
      const distribution = ErrorDistribution.ofRadius(radius);
      expect(distribution.probabilityOf(radius) - distribution.probabilityOf(-radius)).toBeCloseTo(0.95, 9);
    }
    const exact = ErrorDistribution.ofRadius(0);
    expect([exact.probabilityOf(-0.01), exact.probabilityOf(0.01)]).toEqual([0, 1]);
  });
});

describe('Likelihood', () => {
  const parts = fc.array(
    fc.tuple(fc.double({ min: 0, max: 3_000, noNaN: true }), distributions, fc.double({ min: 0, max: 1, noNaN: true })),
    { minLength: 1, maxLength: 6 },
  );

  it('is monotone, consistent with the interval, and has one-sided bounds', () => {
    fc.assert(
      fc.property(
        parts,
        fc.tuple(fc.double({ min: 0, max: 2_000, noNaN: true }), fc.double({ min: 0, max: 2_000, noNaN: true })),
        fc.double({ min: 0.5, max: 0.999, noNaN: true }),
        fc.option(fc.double({ min: 0, max: 3_000, noNaN: true })),
        (each, ends, certainty, other) => {
          const interval = { minMeters: Math.min(...ends), maxMeters: Math.max(...ends) };
          const likelihood = new Likelihood();
          for (const [distance, { distribution }, weight] of each) likelihood.add(distance, distribution, weight);
          if (other !== null) likelihood.setOther(other, ErrorDistribution.ofRadius(600));
          // One shore is certain.
          likelihood.add(1_000, ErrorDistribution.ofRadius(300));
          const at = (meters: number) => likelihood.probabilityWithin(meters, interval);
          let last = 0;
          for (let meters = 0; meters < 8_000; meters += 37) {
            const probability = at(meters);
            expect(probability).toBeGreaterThanOrEqual(last - 1e-12);
            expect(probability).toBeLessThanOrEqual(1);
            if (meters < interval.minMeters) expect(probability).toBeLessThanOrEqual(0.05);
            if (meters >= interval.maxMeters) expect(probability).toBeGreaterThanOrEqual(0.95);
            last = probability;
          }
          expect([at(-1e-9), at(Number.NEGATIVE_INFINITY), at(Number.POSITIVE_INFINITY)]).toEqual([0, 0, 1]);
          expect(at(1e7)).toBeGreaterThan(0.999999);
          const { minMeters, maxMeters } = likelihood.intervalAt(certainty, interval);
          expect(at(maxMeters)).toBeGreaterThanOrEqual(certainty);
          if (maxMeters > 0.02) expect(at(maxMeters - 0.02)).toBeLessThan(certainty);
          if (minMeters > 0) expect(at(minMeters)).toBeLessThanOrEqual(1 - certainty);
          expect(at(minMeters + 0.02)).toBeGreaterThan(1 - certainty);
          expect(minMeters).toBeLessThanOrEqual(maxMeters);
        },
      ),
      { numRuns: testVolume(100) },
    );
  });

  it('is the share of a simulation of independent errors', () => {
    const likelihood = new Likelihood()
      .add(300, ErrorDistribution.ofRadius(200))
      .add(350, ErrorDistribution.ofRadius(600))
      .add(100, ErrorDistribution.ofRadius(50), 0.3);
    const random = seededRandom(7);
    const draw = (distance: number, radius: number) => {
      const uniform = random() - 0.5;
      const scale = radius / Math.log(20);
      return distance - scale * Math.sign(uniform) * Math.log(1 - 2 * Math.abs(uniform));
    };
    const rounds = testVolume(40_000);
    const limits = [60, 120, 250, 350, 600];
    const counts = limits.map(() => 0);
    for (let round = 0; round < rounds; round++) {
      const possible = random() < 0.3 ? draw(100, 50) : Number.POSITIVE_INFINITY;
      const distance = Math.min(draw(300, 200), draw(350, 600), possible);
      limits.forEach((limit, at) => {
        if (distance <= limit) counts[at]! += 1;
      });
    }
    const interval = { minMeters: 0, maxMeters: 1e6 };
    limits.forEach((limit, at) => {
      expect(Math.abs(likelihood.probabilityWithin(limit, interval) - counts[at]! / rounds)).toBeLessThan(
        3 / Math.sqrt(rounds),
      );
    });
  });
});
