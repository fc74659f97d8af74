import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digitsPattern } from './digits-pattern.ts';

describe('digitsPattern', () => {
  it('matches exactly the whole numbers of a range', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1200, max: 1200 }), fc.nat(3000), (min, width) => {
        const max = Math.max(min + width, 0);
        const pattern = new RegExp(digitsPattern(min, max, { isWhole: true }));
        const near = [
          min - 1,
          min,
          min + 1,
          -1,
          1,
          max - 1,
          max,
          max + 1,
          ...Array.from({ length: 200 }, (_, i) => i * 17),
        ];
        for (const each of near) expect([each, pattern.test(String(each))]).toEqual([each, each >= min && each <= max]);
      }),
      { numRuns: 200 },
    );
  });

  it('takes fractions up to the bounds of a range', () => {
    const pattern = new RegExp(digitsPattern(-50, 100_000, { isWhole: false }));
    for (const text of ['0', '0.3', '99999.999', '100000', '-49.5', '-50'])
      expect([text, pattern.test(text)]).toEqual([text, true]);
    for (const text of ['100000.5', '-50.5', '1,000', '1.', '.5', '1e3', '', '-51'])
      expect([text, pattern.test(text)]).toEqual([text, false]);
  });
});
