import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCoastIndex, createCoast } from '@leeward/coast';
import { describe, expect, it } from 'vitest';
import { answer, coast, gazetteer, island, place } from '../../../../test/support/square-island.ts';
import { makePicture } from './make-picture.ts';

const picture = (title?: string) => makePicture({ coast, answer, place, definition: 'tidal', gazetteer, title });
/** Drawn once for all that look at it. */
const sheet = picture().svg();

/** The area of the rings of a path, holes and islands as they wind. */
function areaOf(path: string): number {
  const rings = path.split('Z').filter((ring) => ring !== '');
  return rings.reduce((sum, ring) => {
    const points = ring
      .slice(1)
      .split('L')
      .map((pair) => pair.split(' ').map(Number) as [number, number]);
    const doubled = points.reduce((total, [x, y], at) => {
      const [nextX, nextY] = points[(at + 1) % points.length]!;
      return total + x * nextY - nextX * y;
    }, 0);
    return sum + doubled / 2;
  }, 0);
}

describe('the picture of an answer', () => {
  it('is one self-contained file with the requested parts, and the same bytes each time', () => {
    expect(picture().svg()).toBe(sheet);
    for (const text of [sheet, picture('A <home>').svg()]) {
      expect(text).not.toMatch(/<script|href=|src=|url\(|@import|@font-face|\bon\w+=/);
      expect(text).toContain('prefers-color-scheme:dark');
      for (const part of [
        'class="home"',
        'class="foot"',
        'class="way"',
        'class="radius"',
        'class="ofHome"',
        'class="b1"',
      ])
        expect(text).toContain(part);
      expect(text).toContain('1.18 mi');
      expect(text).toContain('island &amp; co, 1 &lt;b&gt;. &quot;somebody&quot;.');
    }
  });

  it('draws the water where it is: outside the island alone', () => {
    const water = /<path class="water"[^>]*d="([^"]*)"/.exec(sheet)![1]!;
    const metersPerPixel = (2 * 2_400) / 560;
    // The east shore alone is in the picture, half the way from home to shore east of its middle.
    const share = (444 - answer.distanceMeters / 2 / metersPerPixel) / 888;
    expect(Math.abs(areaOf(water)) / (888 * 560)).toBeCloseTo(share, 1);
  });

  it('shows where the data ends, and calls it neither land nor water', () => {
    const coverage = [{ west: -81, south: 31.3, east: -80.81, north: 31.6 }];
    const cut = createCoast(buildCoastIndex({ ...island, coverage }));
    const svg = makePicture({ coast: cut, answer, place, definition: 'tidal', gazetteer }).svg();
    expect(svg).toContain('beyond the data');
    expect(sheet).not.toContain('beyond the data');
    const beyond = /<path class="beyond"[^>]*d="([^"]*)"/.exec(svg)![1]!;
    const home = ((-80.82 - -80.81) * 94_900) / ((2 * 2_400) / 560);
    // All that lies east of the coverage: home stands half the distance west of the middle.
    const share = (444 + answer.distanceMeters / 2 / ((2 * 2_400) / 560) + home) / 888;
    expect(Math.abs(areaOf(beyond)) / (888 * 560)).toBeCloseTo(share, 1);
  });

  it('draws the same map in time slices as at once', async () => {
    let rests = 0;
    const turn = {
      rest() {
        rests++;
        return undefined;
      },
    };
    const size = { width: 300, height: 200, step: 3 };
    expect(await picture().mapInSlices(size, turn)).toEqual(picture().map(size));
    expect(rests).toBeGreaterThan(10);
  });

  it('is in the docs for ten places', () => {
    const folder = join(import.meta.dirname, '../../../../docs');
    const page = readFileSync(join(folder, 'coast-pictures.md'), 'utf8');
    const files = readdirSync(join(folder, 'coast-pictures')).filter((name) => name.endsWith('.svg'));
    expect(files).toHaveLength(10);
    for (const file of files) expect(page).toContain(`(coast-pictures/${file})`);
  });
});
