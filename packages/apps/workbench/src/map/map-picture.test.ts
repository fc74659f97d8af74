import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cellAt, cellsIn } from './map-cell.ts';
import { heightsOf, isolines } from './map-picture.ts';
import { gridOver, type PixelLine } from './shore-field.ts';

const WIDTH = 300;
const HEIGHT = 200;
const grid = gridOver(WIDTH, HEIGHT, 3);

/** Islands in pixels, each a star around a middle, some of them beyond the picture or within another's bay. */
const islands = fc.array(
  fc.record({
    x: fc.integer({ min: -40, max: WIDTH + 40 }),
    y: fc.integer({ min: -40, max: HEIGHT + 40 }),
    radii: fc.array(fc.integer({ min: 6, max: 70 }), { minLength: 3, maxLength: 12 }),
  }),
  { minLength: 1, maxLength: 3 },
);

/** The land is on the left: counterclockwise as seen, with y downward. */
function ringOf({ x, y, radii }: { x: number; y: number; radii: number[] }): PixelLine {
  const angles = [...radii.keys(), 0].map((index) => (-2 * Math.PI * index) / radii.length);
  return Float64Array.from(
    angles.flatMap((angle, at) => {
      const radius = radii[at % radii.length]!;
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    }),
  );
}

function* segmentsOf(line: PixelLine) {
  for (let at = 0; at + 3 < line.length; at += 2)
    yield line.subarray(at, at + 4) as unknown as [number, number, number, number];
}

/** By even and odd crossings. */
function isInside(line: PixelLine, x: number, y: number): boolean {
  let isIn = false;
  for (const [ax, ay, bx, by] of segmentsOf(line))
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isIn = !isIn;
  return isIn;
}

function distanceTo(lines: readonly PixelLine[], x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const line of lines)
    for (const [ax, ay, bx, by] of segmentsOf(line)) {
      const [dx, dy] = [bx - ax, by - ay];
      const fraction = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
      least = Math.min(least, Math.hypot(x - ax - fraction * dx, y - ay - fraction * dy));
    }
  return least;
}

/** Islands that do not overlap: water lies between shores. */
const apart = (lines: readonly PixelLine[]) =>
  lines.every((line, index) =>
    lines.every((other, at) => {
      if (at === index) return true;
      for (const [x, y] of segmentsOf(line)) if (isInside(other, x, y) || distanceTo([other], x, y) < 12) return false;
      return true;
    }),
  );
const inPicture = ([x, y]: readonly [number, number]) => x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT;
/** Without a shore in the picture, all of it is land, as the home is. */
const isSeen = (line: PixelLine) => [...segmentsOf(line)].some(([x, y]) => inPicture([x, y]));
const shores = islands.map((all) => all.map(ringOf)).filter((lines) => lines.some(isSeen) && apart(lines));

it('tells land from water at samples that are clear of the shore', () => {
  fc.assert(
    fc.property(shores, (lines) => {
      const heights = heightsOf(lines, [], grid);
      const wrong: unknown[] = [];
      for (const [at, height] of heights.entries()) {
        const x = grid.left + (at % grid.columns) * grid.step;
        const y = grid.top + Math.floor(at / grid.columns) * grid.step;
        const distance = distanceTo(lines, x, y);
        if (distance < grid.step || !inPicture([x, y])) continue;
        const isLand = lines.some((line) => isInside(line, x, y));
        const excess = Math.abs(height) - distance;
        if (height > 0 !== isLand || excess < -1e-6 || excess > 0.1 * distance + grid.step)
          wrong.push({ x, y, height, distance, isLand });
      }
      expect(wrong).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

it('draws isolines on land only, at their distance from the shore', () => {
  let drawn = 0;
  fc.assert(
    fc.property(shores, fc.integer({ min: 8, max: 40 }), (lines, distance) => {
      const [runs] = isolines(heightsOf(lines, [], grid), lines, grid, [distance]);
      const points = runs!.flat().filter(inPicture);
      drawn += points.length;
      const isRight = ([x, y]: readonly [number, number]) =>
        lines.some((line) => isInside(line, x, y)) && Math.abs(distanceTo(lines, x, y) - distance) < 2 * grid.step;
      expect(points.filter((point) => !isRight(point))).toEqual([]);
    }),
    { numRuns: 40 },
  );
  expect(drawn).toBeGreaterThan(100);
});

it('keeps isolines off shores to which no distance is measured', () => {
  const sea = ringOf({ x: 60, y: 100, radii: [50, 50, 50, 50, 50, 50] });
  const lake = ringOf({ x: 220, y: 100, radii: [50, 50, 50, 50, 50, 50] });
  const [runs] = isolines(heightsOf([sea, lake], [], grid), [sea], grid, [15]);
  expect(runs!.length).toBeGreaterThan(0);
  expect(runs!.flat().filter(([x]) => x > 140)).toEqual([]);
});

it('finds the cell of each place in a box, across 180° too', () => {
  const degrees = fc.constantFrom(1, 2, 10, 30);
  const place = fc.record({
    longitude: fc.double({ min: -230, max: 230, noNaN: true }),
    latitude: fc.double({ min: -70, max: 80, noNaN: true }),
  });
  fc.assert(
    fc.property(degrees, place, fc.double({ min: 0, max: 5, noNaN: true }), (width, { longitude, latitude }, half) => {
      const box = { west: longitude - half, east: longitude + half, south: latitude - half, north: latitude + half };
      const turned = longitude - 360 * Math.floor((longitude + 180) / 360);
      expect(cellsIn(width, box)).toContain(cellAt(width, turned, latitude));
    }),
  );
});
