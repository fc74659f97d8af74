import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testVolume } from '../../test/support/test-volume.ts';
import { joinLines } from './join-lines.ts';
import { isClosed, type LineSet, LineSetBuilder, lineCount, signedAreaSquareMeters } from './line-set.ts';
import { SegmentGrid } from './segment-grid.ts';
import { keptVertices, thinLines } from './thin-lines.ts';

function lineSet(...lines: (readonly (readonly [number, number])[])[]): LineSet {
  const builder = new LineSetBuilder();
  for (const line of lines) {
    for (const [longitude, latitude] of line) builder.addVertex(longitude, latitude);
    builder.endLine();
  }
  return builder.finish();
}

describe('joining the pieces of bins', () => {
  it('follows ends to beginnings, keeps the direction and closes rings', () => {
    const joined = joinLines(
      lineSet(
        [
          [1, 1],
          [2, 1],
        ],
        [
          [0, 0],
          [1, 0],
        ],
        [
          [1, 0],
          [1, 1],
        ],
        [
          [5, 5],
          [6, 5],
        ],
        [
          [6, 5],
          [5, 6],
          [5, 5],
        ],
      ),
    );
    expect(lineCount(joined)).toBe(2);
    expect([...joined.positions.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 1, 2, 1]);
    expect(isClosed(joined, 0)).toBe(false);
    expect(isClosed(joined, 1)).toBe(true);
  });

  it('rejects a fork', () => {
    expect(() =>
      joinLines(
        lineSet(
          [
            [0, 0],
            [1, 0],
          ],
          [
            [0, 0],
            [0, 1],
          ],
        ),
      ),
    ).toThrow('Two lines begin');
  });
});

describe('thinning', () => {
  it('stays within its tolerance, and keeps the ends', () => {
    const position = fc.tuple(fc.integer({ min: 0, max: 4_000 }), fc.integer({ min: 0, max: 4_000 }));
    fc.assert(
      fc.property(
        fc.array(position, { minLength: 2, maxLength: 60 }),
        fc.integer({ min: 5, max: 80 }),
        (steps, tolerance) => {
          const lines = lineSet(steps.map(([x, y]) => [-80 + x * 1e-6, 30 + y * 1e-6] as const));
          const thinned = thinLines(lines, () => tolerance);
          const grid = new SegmentGrid(thinned, 0.01);
          for (let v = 0; v < steps.length; v++) {
            const { distanceMeters } = grid.nearest(lines.positions[2 * v]!, lines.positions[2 * v + 1]!, 5_000);
            expect(distanceMeters).toBeLessThan(tolerance * 1.01 + 0.01);
          }
          expect([...thinned.positions.subarray(0, 2)]).toEqual([...lines.positions.subarray(0, 2)]);
        },
      ),
      { numRuns: testVolume(60) },
    );
  });

  it('keeps three corners of a ring', () => {
    const ring = lineSet([
      [0, 0],
      [1e-5, 0],
      [1e-5, 1e-5],
      [0.5e-5, 1.2e-5],
      [0, 1e-5],
      [0, 0],
    ]);
    expect(keptVertices(ring, () => 1_000).reduce((sum, kept) => sum + kept, 0)).toBe(4);
    expect(
      isClosed(
        thinLines(ring, () => 1_000),
        0,
      ),
    ).toBe(true);
  });

  it('applies the tolerance of each vertex', () => {
    const zigzag = lineSet([
      [0, 0],
      [0.001, 0.0005],
      [0.002, 0],
      [0.003, 0.0005],
      [0.004, 0],
    ]);
    expect([...keptVertices(zigzag, (v) => (v === 1 ? 20 : 500))]).toEqual([1, 1, 0, 0, 1]);
  });
});

it('signs areas by winding', () => {
  const square = [
    [10, 60],
    [10.1, 60],
    [10.1, 60.1],
    [10, 60.1],
    [10, 60],
  ] as const;
  expect(signedAreaSquareMeters(lineSet(square), 0) / 1e6).toBeCloseTo(61.7, 0);
  expect(signedAreaSquareMeters(lineSet(square.toReversed()), 0)).toBeLessThan(0);
});

it('finds the nearest segment, also across 180°', () => {
  const lines = lineSet(
    [
      [179.99, 52],
      [180, 52],
    ],
    [
      [-180, 52.5],
      [-179.9, 52.5],
    ],
  );
  const grid = new SegmentGrid(lines, 0.1);
  expect(grid.nearest(-179.99, 52, 10_000).vertex).toBe(0);
  expect(grid.nearest(-179.99, 52, 10_000).distanceMeters).toBeCloseTo(684, -1);
  expect(grid.nearest(-150, 52, 10_000).vertex).toBe(-1);
});
