import { describe, expect, it } from 'vitest';
import { type NumberStyle, readWrittenNumber } from './written-number.ts';

describe('readWrittenNumber', () => {
  it.each([
    ['250000.00', 250_000],
    ['250,000', 250_000],
    ['$250,000', 250_000],
    ['$ 250,000.50', 250_000.5],
    ['US$1,234,567', 1_234_567],
    ['USD 250,000', 250_000],
    ['250,000 USD', 250_000],
    ['-$1,000', -1000],
    ['$-1,000', -1000],
    ['+7', 7],
    [' 6.0 ', 6],
    ['6.5', 6.5],
    ['.5', 0.5],
    ['-0', 0],
    ['1.234', 1.234],
    ['999999999999999', 999_999_999_999_999],
  ])('reads %j as in the United States', (text, number) => {
    expect(readWrittenNumber(text)).toBe(number);
  });

  it.each([
    ['1.234,56', '1.234,56', 1234.56],
    ['250.000', '1.234,56', 250_000],
    ['$ 250.000,00', '1.234,56', 250_000],
    ['0,125', '1.234,56', 0.125],
    ['250 000,5', '1 234,56', 250_000.5],
    ['1\u202f234\u00a0567', '1 234,56', 1_234_567],
  ] as const)('reads %j in the style %j', (text, style, number) => {
    expect(readWrittenNumber(text, { style })).toBe(number);
  });

  it.each<[string, NumberStyle | undefined]>([
    ['', undefined],
    ['$', undefined],
    ['.', undefined],
    ['5.', undefined],
    ['1,23', undefined],
    ['2,50,000', undefined],
    ['1234,567', undefined],
    [',500', undefined],
    ['1.234,56', undefined],
    ['1.234.567', undefined],
    ['1 234', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['Infinity', undefined],
    ['- -5', undefined],
    ['-$-5', undefined],
    ['€250', undefined],
    ['250k', undefined],
    ['1'.repeat(16), undefined],
    ['0'.repeat(41), undefined],
    ['250,000.00', '1.234,56'],
    ['6.5', '1.234,56'],
    ['1.234', '1 234,56'],
  ])('refuses %j in the style %j', (text, style) => {
    expect(readWrittenNumber(text, { style })).toBeUndefined();
  });

  it('refuses to guess whether 250.000 is a whole number of thousands, unless the style is known', () => {
    expect(readWrittenNumber('250.000', { isWhole: true })).toBeUndefined();
    expect(readWrittenNumber('250.000', { isWhole: true, style: '1,234.56' })).toBe(250);
    expect(readWrittenNumber('250.000', { isWhole: true, style: '1.234,56' })).toBe(250_000);
    expect(readWrittenNumber('250.00', { isWhole: true })).toBe(250);
    expect(readWrittenNumber('2.000', {})).toBe(2);
  });
});
