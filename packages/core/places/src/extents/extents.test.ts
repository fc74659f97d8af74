import { describe, expect, it } from 'vitest';
import { countiesOf, states } from '../counties/index.ts';
import { loadZipGazetteer } from '../zips/index.ts';
import { countyExtent } from './extents.ts';

describe('countyExtent', () => {
  it('has an extent for every county', () => {
    const without = states.flatMap(({ code }) => countiesOf(code)).filter(({ fips }) => !countyExtent(fips));
    expect(without.map(({ label }) => label)).toEqual([]);
    expect(countyExtent('99999')).toBeUndefined();
  });

  it('is convex and runs counter-clockwise', () => {
    for (const { fips } of states.flatMap(({ code }) => countiesOf(code))) {
      const { corners } = countyExtent(fips)!;
      corners.forEach(([x, y], index) => {
        const [bx, by] = corners[(index + 1) % corners.length]!;
        const [cx, cy] = corners[(index + 2) % corners.length]!;
        // Corners are rounded to a hundredth of a degree.
        const length = Math.max(Math.hypot(bx - x, by - y), Math.hypot(cx - bx, cy - by));
        expect((bx - x) * (cy - by) - (by - y) * (cx - bx)).toBeGreaterThan(-0.03 * length);
      });
    }
  });

  it('contains the ZIP codes of the county', async () => {
    const zips = await loadZipGazetteer();
    let inside = 0;
    let outside = 0;
    for (let number = 1_000; number < 100_000; number += 37) {
      const zip = zips.find(String(number).padStart(5, '0'));
      if (!zip?.countyFips) continue;
      const { corners } = countyExtent(zip.countyFips)!;
      const { longitude, latitude } = zip;
      const isInside = corners.every(([x, y], index) => {
        const [nextX, nextY] = corners[(index + 1) % corners.length]!;
        return (nextX - x) * (latitude - y) - (nextY - y) * (longitude - x) >= -0.02;
      });
      if (isInside) inside += 1;
      else outside += 1;
    }
    expect(inside).toBeGreaterThan(500);
    expect(outside / (inside + outside)).toBeLessThan(0.03);
  });

  it('is tight for old counties, and contains newer ones', () => {
    expect(countyExtent('12086')).toMatchObject({ isTight: true });
    expect(countyExtent('09110')).toMatchObject({ isTight: false });
    expect(countyExtent('02063')).toMatchObject({ isTight: false });
    // The Aleutian Islands cross the antimeridian.
    expect(Math.min(...countyExtent('02016')!.corners.map(([x]) => x))).toBeLessThan(-180);
  });
});
