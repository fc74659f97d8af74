import { describe, expect, it } from 'vitest';
import { createIdentifiers, isIdentifier } from './identifier.ts';

describe('Identifiers', () => {
  it('sort by the time they were made, within a millisecond and across', () => {
    let ms = Date.UTC(2026, 10, 20);
    const newId = createIdentifiers(
      () => ms,
      (count) => new Uint8Array(count).fill(31),
    );
    const made: string[] = [];
    for (let index = 0; index < 200; index++) {
      made.push(newId());
      if (index % 7 === 0) ms++;
    }
    // Counting up carries over every place once.
    expect(new Set(made).size).toBe(200);
    for (const id of made) expect(id).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/);
    const byTime = made.map((id) => id.slice(0, 10));
    expect(byTime).toEqual([...byTime].sort());
  });

  it('do not go back when the clock does', () => {
    let ms = 2000;
    const newId = createIdentifiers(
      () => ms,
      (count) => new Uint8Array(count),
    );
    const first = newId();
    ms = 1000;
    const second = newId();
    expect(second > first).toBe(true);
  });

  it('are well-formed; other values are not', () => {
    expect(isIdentifier('01jd3k5x8m2v9c7w4hqtyzbnrg')).toBe(true);
    for (const other of ['', 'a b', 'A', "'", '\0', 'é', 'x'.repeat(65), 5, null, undefined, {}, ['a']]) {
      expect(isIdentifier(other)).toBe(false);
    }
  });
});
