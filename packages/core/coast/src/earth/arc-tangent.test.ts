import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { arcTangent, arcTangentAhead } from './arc-tangent.ts';

const coordinate = fc
  .oneof(
    fc.double({ min: -7e6, max: 7e6, noNaN: true }),
    fc.double({ min: -1e-6, max: 1e-6, noNaN: true }),
    fc.constantFrom(0, -0, 1, -1, 1 / 64, 31 / 32),
  )
  .map((number) => (Math.abs(number) < 1e-100 ? 0 : number));

describe.each([
  ['arcTangent', arcTangent],
  ['arcTangentAhead', arcTangentAhead],
])('%s', (_, angle) => {
  it('equals Math.atan2 to within two units of the last place of π', () => {
    fc.assert(
      fc.property(coordinate, coordinate, (y, x) => {
        const expected = Math.atan2(y, x);
        if (!(Math.abs(angle(y, x) - expected) <= 8.9e-16)) expect.fail(`${angle(y, x)}, not ${expected}`);
      }),
      { numRuns: testVolume(4_000) },
    );
  });

  it('is exact on the axes, and 0 for the zero vector', () => {
    expect(angle(0, 0)).toBe(0);
    expect(angle(0, 5)).toBe(0);
    expect(angle(5, 0)).toBe(Math.PI / 2);
    expect(angle(-5, 0)).toBe(-Math.PI / 2);
    expect(angle(0, -5)).toBe(Math.PI);
  });
});
