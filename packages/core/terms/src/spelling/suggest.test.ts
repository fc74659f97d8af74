import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fold } from './fold.ts';
import { didYouMean, suggest } from './suggest.ts';

function oracle(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const rest = oracle(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1);
  return Math.min(rest, oracle(a.slice(1), b) + 1, oracle(a, b.slice(1)) + 1);
}

it('returns the first of the nearest candidates within a third of the letters, by the definition of the distance', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-'), maxLength: 6 });
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 6 }), (text, candidates) => {
      const near = candidates
        .map((candidate) => ({ candidate, steps: oracle(fold(text), fold(candidate)) }))
        .filter(({ candidate, steps }) => {
          return steps <= Math.max(1, Math.floor(Math.max(fold(text).length, fold(candidate).length) / 3));
        });
      const fewest = Math.min(...near.map(({ steps }) => steps));
      expect(suggest(text, candidates)).toBe(near.find(({ steps }) => steps === fewest)?.candidate);
    }),
  );
});

it('suggests a near candidate only', () => {
  expect(didYouMean('rof_age', ['state', 'roof_age'])).toBe(' Did you mean "roof_age"?');
  expect(didYouMean('colour', ['state', 'roof_age'])).toBe('');
  expect(suggest('x'.repeat(100_000), ['x'])).toBeUndefined();
  expect(suggest('xx', ['x'.repeat(100_000)])).toBeUndefined();
});
