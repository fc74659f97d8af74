import { type CellSet, cellsOf, fullSet, isInside, setOf, type Term } from '@leeward/engine/compiled';
import { describe, expect, it } from 'vitest';
import { createRandom, pick, wholeNumber } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { type AxisKnowledge, type ClosingAxes, closeTerms } from './close-terms.ts';

type Random = () => number;

/** Two parts of three cells, a whole axis, a range and one that is always known. */
const sizes = [6, 3, 4, 3];
const parts = [setOf(6, (cell) => cell < 3), setOf(6, (cell) => cell >= 3)];
const knowledge: readonly AxisKnowledge[] = [
  { kind: 'parts', parts },
  { kind: 'whole' },
  { kind: 'range' },
  { kind: 'known' },
];
const axes: ClosingAxes = {
  fullOf: (axis) => fullSet(sizes[axis]!),
  knowledgeOf: (axis) => knowledge[axis]!,
};

function randomTerm(random: Random): Term {
  return sizes.flatMap((size, axis) => {
    if (random() < 0.4) return [];
    const kept = setOf(size, () => random() < 0.6);
    return cellsOf(kept).length === 0 ? [] : [{ axis, cells: kept, leaves: [] }];
  });
}

/** Random possible knowledge of each axis. */
function randomBox(random: Random): readonly CellSet[] {
  return sizes.map((size, axis) => {
    const one = wholeNumber(random, 0, size - 1);
    const { kind } = knowledge[axis]!;
    if (kind === 'known' || (kind === 'whole' && random() < 0.5)) return setOf(size, (cell) => cell === one);
    if (kind === 'whole') return fullSet(size);
    if (kind === 'range') {
      const end = wholeNumber(random, one, size - 1);
      return setOf(size, (cell) => cell >= one && cell <= end);
    }
    const part = cellsOf(pick(random, parts));
    const some = part.filter(() => random() < 0.6);
    return setOf(size, (cell) => (some.length > 0 ? some : part).includes(cell));
  });
}

/** All points of a box, each as a box. */
function pointsOf(box: readonly CellSet[]): readonly CellSet[][] {
  return box.reduce<CellSet[][]>(
    (points, cells, axis) =>
      points.flatMap((point) => cellsOf(cells).map((cell) => [...point, setOf(sizes[axis]!, (each) => each === cell)])),
    [[]],
  );
}

function isInsideOne(box: readonly CellSet[], terms: readonly Term[]): boolean {
  const whole: Term = box.map((cells, axis) => ({ axis, cells, leaves: [] }));
  return terms.some((term) => isInside(whole, term));
}

describe('closeTerms', () => {
  it('puts every box that the terms cover inside one term, and covers nothing else', () => {
    const random = createRandom(7);
    let joint = 0;
    for (let round = 0; round < testVolume(150); round++) {
      const terms = Array.from({ length: wholeNumber(random, 1, 8) }, () => randomTerm(random));
      const closed = closeTerms(terms, axes);
      expect(closed.isClosed).toBe(true);
      for (let draw = 0; draw < 60; draw++) {
        const box = randomBox(random);
        const isCovered = pointsOf(box).every((point) => isInsideOne(point, terms));
        if (isInsideOne(box, closed.terms) !== isCovered) expect.fail(JSON.stringify({ terms, box }));
        if (isCovered && !isInsideOne(box, terms)) joint++;
      }
    }
    expect(joint).toBeGreaterThan(20);
  });

  it('keeps terms sound that combine in too many ways, and reports it', () => {
    const random = createRandom(3);
    const wide: ClosingAxes = { fullOf: () => fullSet(8), knowledgeOf: () => ({ kind: 'whole' }) };
    const terms = Array.from({ length: 120 }, (): Term => {
      const tested = Array.from({ length: 14 }, (_, axis) => axis).filter(() => random() < 0.25);
      return tested.map((axis) => ({ axis, cells: setOf(8, () => random() < 0.5), leaves: [] }));
    }).filter((term) => term.length > 2);
    const closed = closeTerms(terms, wide);
    expect(closed.isClosed).toBe(false);
    expect(closed.terms.length).toBeLessThan(10_000);
    for (const term of closed.terms) {
      for (let draw = 0; draw < 20; draw++) {
        const point = Array.from({ length: 14 }, (_, axis) => {
          const cells = cellsOf(term.find((part) => part.axis === axis)?.cells ?? fullSet(8));
          const cell = cells.length === 0 ? 0 : pick(random, cells);
          return setOf(8, (each) => each === cell);
        });
        if (isInsideOne(point, closed.terms)) expect(isInsideOne(point, terms)).toBe(true);
      }
    }
  });
});
