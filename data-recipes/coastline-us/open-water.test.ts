import { describe, expect, it } from 'vitest';
import { createRandom } from '../../test/support/random.ts';
import { oceanBits, settleShortRuns } from './classify-segments.ts';
import { squaredDistances } from './distance-transform.ts';
import { LandMask } from './land-mask.ts';
import { type LineSet, LineSetBuilder } from './line-set.ts';
import { OpenWater, spread } from './open-water.ts';
import { CELLS_PER_DEGREE, cellWidthMeters, columnOf, METERS_PER_CELL, rowOf, tileOf } from './raster-grid.ts';

/** A straight west coast at 75.5° W, land to the east, with a bay of 0.3 × 0.3° behind a mouth. */
function bayCoast(mouthMeters: number): LineSet {
  const half = mouthMeters / 111_195 / 2;
  const builder = new LineSetBuilder();
  // Land on the left: southward along the coast, into the bay and out again.
  for (const [longitude, latitude] of [
    [-75.5, 32.9],
    [-75.5, 31.5 + half],
    [-75.45, 31.5 + half],
    [-75.45, 31.65],
    [-75.15, 31.65],
    [-75.15, 31.35],
    [-75.45, 31.35],
    [-75.45, 31.5 - half],
    [-75.5, 31.5 - half],
    [-75.5, 30.1],
  ] as const)
    builder.addVertex(longitude, latitude);
  return builder.finish();
}

const everywhere = (): boolean => true;

describe('the land mask', () => {
  const mask = new LandMask(bayCoast(2_000), everywhere);

  it('separates land and water by the direction of the shore', () => {
    expect(mask.contains(-76, 32)).toBe(false);
    expect(mask.contains(-75, 32)).toBe(true);
    expect(mask.contains(-75.3, 31.5)).toBe(false);
    expect(mask.contains(-75.47, 31.5)).toBe(false);
    expect(mask.contains(-75.47, 31.52)).toBe(true);
  });

  it('fills a window with the same answers as for points', () => {
    const window = { column: columnOf(-75.6), row: rowOf(31.3), width: 400, height: 300 };
    const land = new Uint8Array(window.width * window.height);
    expect(mask.fill(window, land)).toBe(true);
    const others: number[] = [];
    for (let i = 0; i < land.length; i += 7) {
      const x = (window.column + (i % window.width) + 0.5) / 800 - 180;
      const y = (window.row + Math.floor(i / window.width) + 0.5) / 800 - 90;
      if ((land[i] === 1) !== mask.contains(x, y)) others.push(i);
    }
    expect(others).toEqual([]);
  });
});

// Few targets, rows without targets, and long runs of them.
it.each([0.02, 0.002, 0.7])('transforms distances like brute force with a share of %d target cells', (share) => {
  const window = { column: 0, row: rowOf(58), width: 40, height: 30 };
  const random = createRandom(9);
  const targets = Uint8Array.from({ length: 1_200 }, () => (random() < share ? 1 : 0));
  const out = new Float32Array(1_200);
  squaredDistances(window, targets, 1, out);
  let worst = 0;
  for (let cell = 0; cell < 1_200; cell++) {
    let least = Number.POSITIVE_INFINITY;
    for (let other = 0; other < 1_200; other++) {
      if (targets[other] === 0) continue;
      const east = ((cell % 40) - (other % 40)) * cellWidthMeters(window.row + Math.floor(other / 40));
      const north = (Math.floor(cell / 40) - Math.floor(other / 40)) * METERS_PER_CELL;
      least = Math.min(least, east * east + north * north);
    }
    worst = Math.max(worst, least === 0 ? out[cell]! : Math.abs(out[cell]! / least - 1));
  }
  expect(targets).toContain(1);
  expect(worst).toBeLessThan(0.000_05);
});

it('spreads from the open sea around corners, and across tiles', () => {
  // Three tiles by two, in open or closed blocks of 40 × 40 cells; the south-western tile is sea.
  const [block, columns, rows] = [40, 60, 40];
  const blocks = CELLS_PER_DEGREE / block;
  const random = createRandom(12);
  const isSea = (x: number, y: number): boolean => x < blocks && y < blocks;
  const open = Array.from({ length: rows }, (_, y) =>
    Array.from({ length: columns }, (_, x) => isSea(x, y) || random() < 0.65),
  );
  const wet = open.map((row) => row.map(() => false));
  const flow = (x: number, y: number): void => {
    if (open[y]?.[x] !== true || wet[y]![x]) return;
    wet[y]![x] = true;
    for (const [east, north] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const)
      flow(x + east, y + north);
  };
  flow(0, 0);
  const space = new Map<number, Uint8Array>();
  const at = (tile: number, cell: number): readonly [number, number] => [
    Math.floor((cell % CELLS_PER_DEGREE) / block) + (tile % 3) * blocks,
    Math.floor(cell / CELLS_PER_DEGREE / block) + Math.floor(tile / 3) * blocks,
  ];
  const tiles = [0, 1, 2, 3, 4, 5].map((tile) =>
    tileOf(columnOf(-76.5 + (tile % 3)), rowOf(31.5 + Math.floor(tile / 3))),
  );
  for (const [number, tile] of tiles.entries()) {
    const flags = new Uint8Array(CELLS_PER_DEGREE * CELLS_PER_DEGREE);
    for (let cell = 0; cell < flags.length; cell += block) {
      const [x, y] = at(number, cell);
      if (open[y]![x]) flags.fill(0b010, cell, cell + block);
    }
    space.set(tile, flags);
  }
  spread(space, [tiles[0]!], 1);
  const others: string[] = [];
  for (const [number, tile] of tiles.entries()) {
    const flags = space.get(tile)!;
    for (let cell = 0; cell < flags.length; cell += 23) {
      const [x, y] = at(number, cell);
      if (flags[cell] !== (wet[y]![x] ? 0b010_010 : open[y]![x] ? 0b010 : 0)) others.push(`${x} ${y}`);
    }
  }
  expect([...new Set(others)]).toEqual([]);
  const count = (some: boolean[][]): number => some.flat().filter(Boolean).length;
  expect(count(wet)).toBeGreaterThan(1.3 * blocks * blocks);
  expect(count(open)).toBeGreaterThan(count(wet) + 10);
});

describe('the ocean by minimum width of water', () => {
  const tiles = new Set([tileOf(columnOf(-75.3), rowOf(31.5))]);
  const made = new Map<number, { mask: LandMask; open: OpenWater }>();
  const water = (mouthMeters: number): { mask: LandMask; open: OpenWater } => {
    let found = made.get(mouthMeters);
    if (found === undefined) {
      const mask = new LandMask(bayCoast(mouthMeters), everywhere);
      found = { mask, open: new OpenWater(mask, tiles, [1_600, 3_200, 10_000]) };
      made.set(mouthMeters, found);
    }
    return found;
  };

  it('includes a bay by the width of its mouth', () => {
    expect(water(2_000).open.at(-75.3, 31.5)).toBe(0);
    expect(water(4_200).open.at(-75.3, 31.5)).toBe(0b001);
    expect(water(8_000).open.at(-75.3, 31.5)).toBe(0b011);
    expect(water(25_000).open.at(-75.3, 31.5)).toBe(0b111);
  });

  it('includes the open coast and the inside corner at a mouth, but not the land', () => {
    expect(water(2_000).open.at(-75.503, 31.8)).toBe(0b111);
    expect(water(25_000).open.at(-75.451, 31.611)).toBe(0b111);
    expect(water(2_000).open.at(-75.49, 31.8)).toBe(0);
  });

  it('classifies segments by the water to their right', () => {
    const { mask, open } = water(2_000);
    expect(oceanBits([-75.5, 31.9], [-75.5, 31.8], mask, open, 3)).toBe(0b111);
    expect(oceanBits([-75.15, 31.6], [-75.15, 31.4], mask, open, 3)).toBe(0);
  });
});

it('flips short runs, except at the ends of a line', () => {
  const bits = Uint8Array.of(1, 1, 0, 1, 3, 0, 0);
  settleShortRuns(bits, Float64Array.of(300, 300, 100, 300, 300, 100, 100), 0, 400);
  expect([...bits]).toEqual([1, 1, 1, 1, 3, 0, 0]);
});
