import { readFileSync } from 'node:fs';
import { buildCoastIndex, type CoverageBox, createCoast, decodeShoreline, type Shoreline } from '@leeward/coast';
import { stateAccuracy } from '@leeward/coast-builder';
import { coastlineUsFiles, loadTideStations } from '@leeward/coastline-us';
import { describe, expect, it } from 'vitest';
import { createRandom } from './support/random.ts';

describe('a displaced copy of the shipped shore', () => {
  const shipped = decodeShoreline(readFileSync(coastlineUsFiles.osm));
  const noaa = loadTideStations();

  it.each([
    ['Hawaii', { west: -161, south: 18, east: -154, north: 23 }],
    ['Florida', { west: -88, south: 24, east: -79.5, north: 31 }],
  ])('of %s gets a radius that covers its displacement, and is not absurd', (_, box) => {
    const shore = partOf(shipped, box);
    const homes = homesNear(shore, 400);
    const original = createCoast(buildCoastIndex(shore));
    const perfect = stateAccuracy(shore, noaa).measure!;
    for (const meters of [30, 200, 600]) {
      const copy = withoutEveryTenthLine(displaced(shore, meters));
      const { measure } = stateAccuracy(copy, noaa);
      const moved = createCoast(buildCoastIndex(displaced(shore, meters)));
      const errors = homes.map((home) =>
        Math.abs(moved.nearest(home).distanceMeters - original.nearest(home).distanceMeters),
      );
      const covered = errors.filter((error) => error <= measure!.radiusMeters).length / errors.length;
      expect(covered).toBeGreaterThan(0.93);
      expect(measure!.radiusMeters).toBeLessThan(2 * Math.hypot(meters, perfect.radiusMeters));
    }
  });
});

function partOf(shoreline: Shoreline, { west, south, east, north }: CoverageBox): Shoreline {
  const positions: number[] = [];
  const starts = [0];
  for (let line = 0; line + 1 < shoreline.lineStarts.length; line++) {
    for (let vertex = shoreline.lineStarts[line]!; vertex < shoreline.lineStarts[line + 1]!; vertex++) {
      const longitude = shoreline.positions[2 * vertex]!;
      const latitude = shoreline.positions[2 * vertex + 1]!;
      if (longitude > west && longitude < east && latitude > south && latitude < north) {
        positions.push(longitude, latitude);
      } else if (positions.length / 2 > starts.at(-1)!) starts.push(positions.length / 2);
    }
    if (positions.length / 2 > starts.at(-1)!) starts.push(positions.length / 2);
  }
  const count = positions.length / 2;
  return {
    ...shoreline,
    name: 'part',
    layerNames: ['tidal'],
    shoreNames: ['sea'],
    accuracy: { radiusMeters: [0], method: 'not measured' },
    coverage: [{ west, south, east, north }],
    positions: Float64Array.from(positions),
    lineStarts: Uint32Array.from(starts),
    layers: new Uint16Array(count).fill(1),
    shores: new Uint8Array(count),
  };
}

/** In directions that change every few kilometers, as the errors of a map do. */
function displaced(shoreline: Shoreline, meters: number): Shoreline {
  const positions = shoreline.positions.slice();
  for (let at = 0; at < positions.length; at += 2) {
    const longitude = shoreline.positions[at]!;
    const latitude = shoreline.positions[at + 1]!;
    const direction = 9 * Math.sin(40 * longitude) + 11 * Math.sin(37 * latitude);
    positions[at] = longitude + (meters * Math.cos(direction)) / 111_320 / Math.cos((latitude * Math.PI) / 180);
    positions[at + 1] = latitude + (meters * Math.sin(direction)) / 110_900;
  }
  return { ...shoreline, positions };
}

function withoutEveryTenthLine(shoreline: Shoreline): Shoreline {
  const { positions, lineStarts } = shoreline;
  const kept: number[] = [];
  const starts = [0];
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    // Long lines are the mainland and large islands.
    if (line % 10 === 9 && lineStarts[line + 1]! - lineStarts[line]! < 500) continue;
    kept.push(...positions.subarray(2 * lineStarts[line]!, 2 * lineStarts[line + 1]!));
    starts.push(kept.length / 2);
  }
  const count = kept.length / 2;
  return {
    ...shoreline,
    positions: Float64Array.from(kept),
    lineStarts: Uint32Array.from(starts),
    layers: new Uint16Array(count).fill(1),
    shores: new Uint8Array(count),
  };
}

function homesNear({ positions }: Shoreline, count: number) {
  const random = createRandom(45);
  return Array.from({ length: count }, () => {
    const vertex = Math.floor((random() * positions.length) / 2);
    return {
      latitude: positions[2 * vertex + 1]! + (random() - 0.5) * 0.03,
      longitude: positions[2 * vertex]! + (random() - 0.5) * 0.03,
    };
  });
}
