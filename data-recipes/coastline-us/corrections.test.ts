import { describe, expect, it } from 'vitest';
import { assemble } from './assemble.ts';
import { findClosings } from './find-closings.ts';
import { DISPLACED_ISLANDS, dropFalseSeas, moveDisplacedIslands, moveGreatLakes } from './gshhg-corrections.ts';
import { LineSetBuilder, lineCount, segmentCount } from './line-set.ts';
import { CLOSINGS } from './osm-closings.ts';
import { SHORE_NAMES, shoreNameIndex } from './shore-names.ts';

function lineSet(...lines: (readonly (readonly [number, number])[])[]) {
  const builder = new LineSetBuilder();
  for (const line of lines) {
    for (const [longitude, latitude] of line) builder.addVertex(longitude, latitude);
    builder.endLine();
  }
  return builder.finish();
}

describe('corrections of GSHHG', () => {
  it('moves only displaced islands, each by its vector', () => {
    const moved = moveDisplacedIslands(
      lineSet(
        [
          [-170.7, -14.3],
          [-170.69, -14.3],
        ],
        [
          [-80, 30],
          [-80.1, 30],
        ],
      ),
    );
    expect((moved.positions[0]! + 170.7) * 111_195 * Math.cos(14.3 * (Math.PI / 180))).toBeCloseTo(2_900, 0);
    expect((moved.positions[1]! + 14.3) * 111_195).toBeCloseTo(620, 0);
    expect([...moved.positions.subarray(4)]).toEqual([-80, 30, -80.1, 30]);
    for (const { west, south, east, north } of DISPLACED_ISLANDS) expect(west < east && south < north).toBe(true);
    const lake = moveGreatLakes(
      lineSet([
        [-87.5, 42],
        [-87.5, 43],
      ]),
    );
    expect((lake.positions[1]! - 42) * 111_195).toBeCloseTo(-900, 0);
  });

  it('leads the shore past a false sea', () => {
    const { lines, dropped } = dropFalseSeas(
      lineSet(
        [
          [-122.41, 47.7],
          [-122.405, 47.668],
          [-122.25, 47.65],
          [-122.25, 47.5],
          [-122.405, 47.664],
          [-122.41, 47.6],
        ],
        [
          [-122.22, 47.57],
          [-122.2, 47.57],
          [-122.22, 47.58],
        ],
      ),
    );
    expect(dropped).toBe(5);
    expect(lineCount(lines)).toBe(1);
    expect(segmentCount(lines)).toBe(3);
  });
});

describe('closings of OSM', () => {
  const ring = [
    [-80, 30],
    [-79, 30],
    [-79, 31],
    [-80, 30],
  ] as const;

  it('are found by their coordinates and direction', () => {
    const closings = findClosings(
      lineSet(ring, ...CLOSINGS.map(({ path }) => [[path[0]![0] + 1, 30] as const, ...path])),
    );
    expect([...closings.segments.subarray(0, ring.length)]).toEqual([0, 0, 0, 0]);
    expect(closings.count).toBe(CLOSINGS.reduce((sum, { path }) => sum + path.length - 1, 0));
    expect(closings.segments.reduce((sum, each) => sum + each, 0)).toBe(closings.count);
    expect(closings.meters).toBeGreaterThan(100 * closings.count);
  });

  it('of other data are an error', () => {
    expect(() => findClosings(lineSet(ring))).toThrow(/Found 0 of \d+ closings/);
  });

  it('keep their segment in the ring, without a layer', () => {
    const lines = lineSet(ring);
    const { layers, positions } = assemble(
      lines,
      Uint8Array.of(1, 1, 1, 1),
      { toleranceMeters: () => 2, isNear: () => false, closings: Uint8Array.of(0, 1, 0, 0) },
      'great lakes',
    );
    expect(positions.length).toBe(8);
    expect([...layers].map((bits) => bits !== 0)).toEqual([true, false, true, false]);
  });
});

it('names the waters', () => {
  const name = (longitude: number, latitude: number) => SHORE_NAMES[shoreNameIndex(longitude, latitude)];
  expect(name(-71, 42.3)).toBe('Atlantic');
  expect(name(-81.8, 26.1)).toBe('Gulf');
  expect(name(-81.8, 24.57)).toBe('Gulf');
  expect(name(-81.8, 24.54)).toBe('Atlantic');
  expect(name(-97.15, 26)).toBe('Gulf');
  expect(name(-66.6, 17.97)).toBe('Caribbean');
  expect(name(-66.1, 18.47)).toBe('Atlantic');
  expect(name(-165.4, 64.5)).toBe('Bering');
  expect(name(-162.6, 66.9)).toBe('Arctic');
  expect(name(-166.5, 53.4)).toBe('Pacific');
  expect(name(172.9, 53)).toBe('Bering');
  expect(name(144.8, 13.5)).toBe('Pacific');
});
