import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordOf, writeWord } from './code-words.ts';
import { unitFor, writeQuantity, writeRange } from './write-quantity.ts';
import { writeTime } from './write-time.ts';

describe('writeQuantity', () => {
  it.each([
    [450_000, 'dollars', '$450,000'],
    [1275.5, 'dollars', '$1,275.50'],
    [-20, 'dollars', '-$20'],
    [1987, 'year', '1987'],
    [1, 'years', '1 year'],
    [22, 'years', '22 years'],
    [1, 'feet', '1 foot'],
    [1240, 'square feet', '1,240 square feet'],
    [2, 'percent', '2 %'],
    [0.25, 'acres', '0.25 acres'],
    [3, undefined, '3'],
  ])('writes %d %s as %s', (value, unit, text) => {
    expect(writeQuantity(value, unit)).toBe(text);
  });

  it('omits a unit that the label has', () => {
    expect(writeQuantity(2, 'claims', { label: 'claims in five years' })).toBe('2');
  });

  it('writes every whole number of dollars so that it can be read again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), (value) => {
        expect(Number(writeQuantity(value, 'dollars').replaceAll(/[$,]/g, ''))).toBe(value);
      }),
    );
  });
});

it('writes the unit of a range once, and a range of one number as a number', () => {
  expect(writeRange(15, 20, 'years')).toBe('15 to 20 years');
  expect(writeRange(1, 1, 'years')).toBe('1 year');
  expect(writeRange(1.001, 1.002, 'miles', { decimals: 2 })).toBe('1 mile');
  expect(unitFor(1, 'miles')).toBe('mile');
});

it('writes times to the minute, with seconds if there are any', () => {
  expect(writeTime('2026-09-29T05:01:00.000000Z')).toBe('2026-09-29 05:01 UTC');
  expect(writeTime(Date.UTC(2026, 8, 29, 5, 1, 9))).toBe('2026-09-29 05:01:09 UTC');
  expect(writeTime('soon')).toBe('soon');
});

it('writes values and codes as people do', () => {
  expect(['ho3', 'dp1', 'x-wind', 'pex', 'a', 've', '3-tab shingle'].map(writeWord)).toEqual([
    'HO3',
    'DP1',
    'Wind excluded',
    'PEX',
    'A',
    'VE',
    '3-tab shingle',
  ]);
  expect(wordOf('precision', 'zip_centroid')).toBe('the center of the ZIP code');
  expect(wordOf('reason', 'x_wood_stove')).toBe('wood stove');
  expect(wordOf('status', 'constructor')).toBe('constructor');
});
