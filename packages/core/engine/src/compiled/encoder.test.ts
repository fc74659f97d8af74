import { expect, it } from 'vitest';
import { createRandom, wholeNumber } from '../../../../../test/support/random.ts';
import { numberAxis } from '../compiled/axis.ts';
import { cellOfNumber, encoderOf } from './encoder.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);

it(`a number comes to the cell that its axis gives it (seed ${seed})`, () => {
  const random = createRandom(seed);
  for (let round = 0; round < 400; round++) {
    const min = wholeNumber(random, -20, 20);
    const integer = random() < 0.7;
    // Small whole domains use a direct table, others buckets.
    const max = min + wholeNumber(random, 0, random() < 0.5 ? 40 : 100_000);
    const limits = Array.from({ length: wholeNumber(random, 0, 12) }, () => {
      const limit = wholeNumber(random, min - 5, Math.min(max, min + 60) + 5);
      return random() < 0.3 ? limit + 0.5 : limit;
    });
    const axis = numberAxis('x', { kind: 'numbers', min, max, integer }, limits);
    const encoder = encoderOf(axis);
    if (encoder.kind !== 'number') throw new Error(encoder.kind);
    expect(encoder.direct !== undefined).toBe(integer && max - min < 70_000);
    for (let each = 0; each < 80; each++) {
      const whole = wholeNumber(random, min, each < 60 ? Math.min(max, min + 70) : max);
      const value = integer || random() < 0.5 ? whole : Math.min(max, whole + random());
      expect([value, cellOfNumber(encoder, value)]).toEqual([value, axis.cellOf(value)]);
    }
  }
});

it('a number among more limits than two bytes count, crowded in one place, comes to its cell', () => {
  const limits = [...Array.from({ length: 40_000 }, (_, index) => index / 7), 9e9];
  const axis = numberAxis('x', { kind: 'numbers', min: 0, max: 1e10, integer: false }, limits);
  expect(axis.size).toBeGreaterThan(0xffff);
  const encoder = encoderOf(axis);
  if (encoder.kind !== 'number') throw new Error(encoder.kind);
  for (const value of [0, 1 / 7, 0.2, 3_000, 5_713.999, 5_714, 5_715, 8e9, 9e9, 1e10]) {
    expect([value, cellOfNumber(encoder, value)]).toEqual([value, axis.cellOf(value)]);
  }
});
