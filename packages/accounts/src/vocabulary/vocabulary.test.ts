import { describe, expect, it } from 'vitest';
import { emailKey } from './email.ts';
import { instant } from './instant.ts';
import { readPolicyType } from './policy-types.ts';
import { readState } from './states.ts';

describe('The words of administration', () => {
  it.each([
    ['FL', 'fl'],
    [' florida ', 'fl'],
    ['North-Carolina', 'nc'],
    ['D.C.', 'dc'],
    ['District of Columbia', 'dc'],
    ['U.S. Virgin Islands', 'vi'],
    ['virgin islands', 'vi'],
    ['Puerto Rico', 'pr'],
    ['OR', 'or'],
    ['" or ""="', undefined],
    ['fl;', undefined],
    ['ontario', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('reads the state %j as %j', (text, state) => {
    expect(readState(text)).toBe(state);
  });

  it('knows 50 states, the District and five territories', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const known = letters.flatMap((a) => letters.map((b) => a + b)).filter((text) => readState(text) === text);
    expect(known).toHaveLength(56);
  });

  it.each([
    ['HO-3', 'ho3'],
    [' ho 5', 'ho5'],
    ['wind_only', 'wind only'],
    ['X-Wind', 'x-wind'],
    ['wind x', 'x-wind'],
    ['ex wind', 'x-wind'],
    ['ho9', undefined],
    ['wind', undefined],
    ['', undefined],
  ])('reads the policy type %j as %j', (text, policyType) => {
    expect(readPolicyType(text)).toBe(policyType);
  });

  it('finds people by their address however it is written', () => {
    expect(emailKey(' ANA@Example.COM ')).toBe('ana@example.com');
    expect(emailKey('NU\u0301N\u0303EZ@x.com')).toBe(emailKey('núñez@x.com'));
  });

  it('writes instants to the microsecond', () => {
    expect(instant(Date.UTC(2026, 10, 20, 12, 0, 0, 7))).toBe('2026-11-20T12:00:00.007000Z');
  });
});
