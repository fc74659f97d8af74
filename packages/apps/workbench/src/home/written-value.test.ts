import { describe, expect, it } from 'vitest';
import { describeAnswer, readNumber, showNumber } from './written-value.ts';

const dollars = { unit: 'dollars', integer: true };

describe('a number as people write it', () => {
  it.each([
    ['$450,000', dollars, 450_000],
    ['450k', dollars, 450_000],
    ['$1.25 Million', dollars, 1_250_000],
    ['62.5K', dollars, 62_500],
    ['500 dollars', dollars, 500],
    ['12 yrs.', { unit: 'years', integer: true }, 12],
    ['1,320 ft', { unit: 'miles' }, 0.25],
    ['2 miles', { unit: 'feet' }, 10_560],
    ['.3 ac', { unit: 'acres' }, 0.3],
    ['1987', { unit: 'year', integer: true }, 1987],
  ] as const)('reads %s', (text, field, value) => {
    expect(readNumber(text, field)).toBe(value);
  });

  it.each([
    ['12k', { unit: 'years' }],
    ['12 days', { unit: 'years' }],
    ['2 million miles', dollars],
    ['about 12', { unit: 'years' }],
    ['12 ft', { unit: 'acres' }],
    ['1.2.3 ft', { unit: 'feet' }],
    ['k', dollars],
  ] as const)('does not guess %s', (text, field) => {
    expect(readNumber(text, field)).toBeUndefined();
  });

  it.each([
    ['450k', dollars, '$450,000'],
    ['1987', { unit: 'year' }, '1987'],
    ['9.0', { unit: 'years' }, '9'],
    ['.3', { unit: 'acres' }, '0.3'],
    ['-80.134', {}, '-80.134'],
    ['-5', dollars, '-$5'],
    ['abc', dollars, 'abc'],
  ] as const)('shows %s', (text, field, shown) => {
    expect(showNumber(text, field)).toBe(shown);
  });

  it.each([
    [285_000, { unit: 'dollars' }, '$285,000'],
    [1, { unit: 'years' }, '1 year'],
    [2014, { unit: 'years' }, '2014'],
    [2, { unit: 'claims', label: 'claims in five years' }, '2'],
    ['wind only', {}, 'Wind only'],
    [true, {}, 'yes'],
    [['pool', 'trampoline'], {}, 'pool and trampoline'],
    [[{ kind: 'fire' }], {}, '1'],
  ])('describes the answer %j', (value, field, words) => {
    expect(describeAnswer(value, field)).toBe(words);
  });

  it('shows what it reads the same way', () => {
    for (const text of ['$450,000', '450k', '0', '62.5k', '1 million', '$0.5k']) {
      const shown = showNumber(text, dollars);
      expect([shown, readNumber(shown, dollars)]).toEqual([shown, readNumber(text, dollars)]);
    }
  });
});
