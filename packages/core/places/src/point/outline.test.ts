import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { canBeInUnitedStates, isNearUnitedStates, SLACK_METERS } from './outline.ts';

it('returns the same result by cells as by points', () => {
  const seen = new Set<boolean>();
  // On both sides of the border: the Rio Grande, the Great Lakes, the Keys, the Aleutians.
  const corners = [
    [24, -99],
    [41, -84],
    [23, -83],
    [51, -176],
  ] as const;
  const offset = fc.double({ min: 0, max: 3, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(...corners), offset, offset, ([south, west], north, east) => {
      const point = { latitude: south + north, longitude: west + east };
      const wanted = isNearUnitedStates(point, SLACK_METERS);
      seen.add(wanted);
      expect(canBeInUnitedStates(point)).toBe(wanted);
    }),
    { numRuns: testVolume(1_500) },
  );
  expect(seen.size).toBe(2);
});
