import { describe, expect, it } from 'vitest';
import { findState } from './find-state.ts';
import { states } from './states.ts';

describe('findState', () => {
  it('finds each of the 56 by name and abbreviation, in any case', () => {
    expect(states).toHaveLength(56);
    for (const state of states) {
      for (const text of [state.name, state.code]) {
        expect(findState(text)).toBe(state);
        expect(findState(` ${text.toUpperCase()} `)).toBe(state);
        expect(findState(text.toLowerCase().replaceAll(' ', '-'))).toBe(state);
      }
      expect(findState(state.code.split('').join('.'))).toBe(state);
      expect(findState(`State of ${state.name}`)).toBe(state);
    }
  });

  it('rejects other pairs of letters', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const pairs = letters.flatMap((a) => letters.map((b) => a + b));
    expect(pairs.filter((text) => findState(text)?.code === text)).toHaveLength(56);
  });

  it('has a time zone for each that the platform knows', () => {
    for (const { timeZone } of states) {
      expect(new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone).toBeTruthy();
    }
  });

  it.each([
    ['FL', 'fl'],
    [' florida ', 'fl'],
    ['North-Carolina', 'nc'],
    ['OR', 'or'],
    ['U.S. Virgin Islands', 'vi'],
    ['Puerto Rico', 'pr'],
    ['D.C.', 'dc'],
    ['Washington, D.C.', 'dc'],
    ['district of columbia', 'dc'],
    ['Washington', 'wa'],
    ['n. carolina', 'nc'],
    ['S Dakota', 'sd'],
    ['W. Virginia', 'wv'],
    ['W Va', 'wv'],
    ['Fla.', 'fl'],
    ['Tex.', 'tx'],
    ['Calif', 'ca'],
    ['Hawaiʻi', 'hi'],
    ['Virgin Islands', 'vi'],
    ['USVI', 'vi'],
    ['CNMI', 'mp'],
    ['P.R.', 'pr'],
    ['Commonwealth of Virginia', 'va'],
  ])('%s is %s', (text, code) => {
    expect(findState(text)?.code).toBe(code);
  });

  it.each([
    '',
    ' ',
    '" or ""="',
    'Ontario',
    'zz',
    '48',
    '__proto__',
    'constructor',
    '\ud800',
    'tx🤠',
    'texas'.repeat(2_000),
  ])('rejects %j', (text) => {
    expect(findState(text)).toBeUndefined();
  });
});
