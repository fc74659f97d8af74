import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMicros, isCalendarDate, parseMicros } from './instant.ts';

describe('an instant', () => {
  it('is printed with microseconds and a trailing Z, and read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7_000_000_000_000_000 }), (instant) => {
        const text = formatMicros(instant);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
        expect(parseMicros(text)).toBe(instant);
      }),
    );
    expect(formatMicros(Date.UTC(2026, 10, 20, 12) * 1000 + 7)).toBe('2026-11-20T12:00:00.000007Z');
  });

  it.each([
    ['2026-11-20T12:00:00-05:00', '2026-11-20T17:00:00.000000Z'],
    ['2026-11-20T12:00:00.123456789Z', '2026-11-20T12:00:00.123456Z'],
    ['2026-11-20t12:00+01:00', '2026-11-20T11:00:00.000000Z'],
  ])('is read with its offset: %s', (text, utc) => expect(formatMicros(parseMicros(text)!)).toBe(utc));

  it.each([
    '2026-11-20',
    '2026-11-20T12:00:00',
    '2026-02-30T12:00:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T12:00+0100',
    'now',
  ])('is not %s', (text) => expect(parseMicros(text)).toBeUndefined());

  it('lies on a day that exists', () => {
    expect(['2024-02-29', '2026-12-31'].every(isCalendarDate)).toBe(true);
    expect(['2026-02-29', '2026-00-10', '2026-1-1', '20261231', ''].some(isCalendarDate)).toBe(false);
  });
});
