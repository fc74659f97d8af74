import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { states } from './states.ts';
import { suggestCounty } from './suggest-county.ts';

describe('suggestCounty', () => {
  it.each([
    ['tx', 'haris', 'Harris County'],
    ['tx', 'Galvston County', 'Galveston County'],
    ['fl', 'Hillsboro', 'Hillsborough County'],
    ['fl', 'palm', 'Palm Beach County'],
    ['fl', 'Browrad', 'Broward County'],
    ['la', 'St. John', 'St. John the Baptist Parish'],
    ['fl', 'dade', 'Miami-Dade County'],
    ['la', 'Tangipohoa Parish', 'Tangipahoa Parish'],
    ['md', 'Prince George', "Prince George's County"],
  ])('%s, %s: %s', (stateCode, text, label) => {
    expect(suggestCounty(stateCode, text)?.label).toBe(label);
  });

  it.each([
    ['tx', 'qqqqqqqq'],
    ['tx', ''],
    ['tx', '99999'],
    ['zz', 'harris'],
    ['tx', '__proto__'],
    ['tx', 'x'.repeat(10_000)],
    ['tx', '\ud800'],
  ])('%s, %#: nothing near', (stateCode, text) => {
    expect(suggestCounty(stateCode, text)).toBeUndefined();
  });

  it('never throws, and keeps to the state', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.constantFrom(...states), (text, state) => {
        expect(suggestCounty(state.code, text)?.state ?? state.code).toBe(state.code);
      }),
    );
  });
});
