import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCents, parseCents } from './cents.ts';

describe('money', () => {
  it('is printed with two decimals and read back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n }), (cents) => {
        const text = formatCents(cents);
        expect(text).toMatch(/^-?(0|[1-9]\d*)\.\d\d$/);
        expect(parseCents(text)).toBe(cents);
      }),
    );
  });

  it.each([
    ['1843.5', 184_350n],
    ['$1,843.50', 184_350n],
    ['-$12', -1200n],
    [1843.5, 184_350n],
    [0.07, 7n],
    [9_999_999.99, 999_999_999n],
    ['0', 0n],
  ])('reads %j', (value, cents) => expect(parseCents(value)).toBe(cents));

  it.each([
    '1843.505',
    '1,84',
    '1e9',
    'NaN',
    '',
    '.',
    '1.',
    '--1',
    '٣',
    null,
    undefined,
    true,
    {},
    Number.NaN,
    1e21,
    0.001,
  ])('refuses %j', (value) => expect(parseCents(value)).toBeUndefined());
});
