import { describe, expect, it } from 'vitest';
import { quoteValue } from './fault.ts';

describe('a value in a message', () => {
  it('is JSON, cut to 78 characters', () => {
    expect(quoteValue({ a: ['x', null] })).toBe('{"a":["x",null]}');
    expect(quoteValue('x'.repeat(100))).toBe(`"${'x'.repeat(76)}…`);
  });

  it('is described if JSON cannot represent it', () => {
    const circular: Record<string, unknown> = {};
    circular['a'] = circular;
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
    expect([circular, deep, 10n, undefined, Number.NaN].map(quoteValue)).toEqual([
      ...['an object', 'a list', '10', 'undefined', 'NaN'],
    ]);
  });
});
