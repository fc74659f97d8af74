import { describe, expect, it } from 'vitest';
import { createRandom, wholeNumber } from '../../../../../test/support/random.ts';
import { type CellSet, cellsOf, fullSet, isEmpty, setOf } from './cell-set.ts';
import { isInside, mergeTerms, type Term } from './term.ts';
import { widestTerms } from './widest-terms.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);
const SIZES = [3, 40, 5, 2];

function randomTerms(random: () => number, count: number): Term[] {
  return Array.from({ length: count }, () =>
    SIZES.flatMap((size, axis) => {
      const cells: CellSet = setOf(size, () => random() < 0.6);
      return random() < 0.5 || isEmpty(cells) ? [] : [{ axis, cells, leaves: [] }];
    }),
  );
}

function pointsOf(terms: readonly Term[]): Set<string> {
  const points = new Set<string>();
  const walk = (term: Term, axis: number, point: readonly number[]): void => {
    if (axis === SIZES.length) {
      points.add(point.join());
      return;
    }
    const cells = term.find((part) => part.axis === axis)?.cells ?? fullSet(SIZES[axis]!);
    for (const cell of cellsOf(cells)) walk(term, axis + 1, [...point, cell]);
  };
  for (const term of terms) walk(term, 0, []);
  return points;
}

describe(`terms (seed ${seed})`, () => {
  it('that lie inside others are left out, and no others', () => {
    const random = createRandom(seed);
    for (let round = 0; round < 300; round++) {
      const terms = randomTerms(random, wholeNumber(random, 0, 40));
      const worse = randomTerms(random, wholeNumber(random, 0, 3));
      const kept = widestTerms(terms, worse);
      for (const term of terms) expect([...kept, ...worse].some((other) => isInside(term, other))).toBe(true);
      for (const term of kept) {
        expect([...kept, ...worse].filter((other) => other !== term && isInside(term, other))).toEqual([]);
      }
      expect(kept).toEqual(terms.filter((term) => kept.includes(term)));
    }
  });

  it('that are put together hold what they held one by one', () => {
    const random = createRandom(seed);
    const full = SIZES.map(fullSet);
    for (let round = 0; round < 60; round++) {
      const terms = randomTerms(random, wholeNumber(random, 0, 12));
      const together = mergeTerms(terms, (axis) => full[axis]!);
      expect(together.length).toBeLessThanOrEqual(terms.length);
      expect(pointsOf(together)).toEqual(pointsOf(terms));
    }
    const word = (cell: number): Term => [{ axis: 0, cells: setOf(3, (each) => each === cell), leaves: [] }];
    expect(mergeTerms([word(0), word(1), word(2)], (axis) => full[axis]!)).toEqual([[]]);
  });
});
