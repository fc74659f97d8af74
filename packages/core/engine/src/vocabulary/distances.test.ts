import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { homeVocabulary } from './home.ts';
import { toMeters } from './shore-distances.ts';

const context = { effectiveYear: 2026 };
const view = (name: string, meters: number) =>
  homeVocabulary.derivedFacts.find((fact) => fact.name === name)!.view(meters, context);

describe('a distance', () => {
  it('is exact by the international mile and foot', () => {
    expect([toMeters(1, 'miles'), toMeters(1, 'feet'), toMeters(2500, 'feet')]).toEqual([1609.344, 0.3048, 762]);
    expect(view('distance_to_coast_miles', 1609.344)).toBe(1);
    expect(view('distance_to_ocean_feet', 762)).toBe(2500);
    expect(view('distance_to_tidal_water_feet', toMeters(0.5, 'miles'))).toBe(2640);
  });

  it.each([
    ['miles', 10_000],
    ['feet', 10],
  ] as const)('in %s meets a limit exactly where its metres do', (unit, parts) => {
    const name = `distance_to_coast_${unit}`;
    const written = fc.integer({ min: 0, max: 40 * parts }).map((each) => each / parts);
    const near = fc.constantFrom(-0.0001, 0, 0.0001);
    const meters = fc.oneof(
      fc.record({ from: written, step: near }).map(({ from, step }) => Math.max(0, toMeters(from, unit) + step)),
      fc.integer({ min: 0, max: 700_000_000 }).map((each) => each / 10_000),
    );
    fc.assert(
      fc.property(meters, written, (known, limit) => {
        const kept = Math.round(known * 1e4) / 1e4;
        for (const limitMeters of [toMeters(limit, unit)]) {
          expect(Math.sign(view(name, kept) - limit)).toBe(Math.sign(kept - limitMeters));
        }
        expect(toMeters(view(name, kept), unit)).toBe(kept);
      }),
      { numRuns: testVolume(1500) },
    );
  });
});
