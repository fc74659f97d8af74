import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { geodesicBetween } from '../earth/geodesic.ts';
import type { Shoreline } from '../shoreline/shoreline.ts';
import { ownUnitedStatesIndex, unitedStatesShoreline } from '../testing/natural-earth.ts';
import { randomShoreline } from '../testing/random-shoreline.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { testPoints } from '../testing/test-points.ts';
import { tileOf } from './candidate-tile.ts';
import { buildCoastIndex, type CoastIndex } from './coast-index.ts';
import { ANSWER_NUMBERS, SKIPPED } from './point-chunk.ts';

const ALL = { any: 0xffff, none: 0 };

describe('candidates and the tree', () => {
  let shoreline: Shoreline;
  let index: CoastIndex;

  beforeAll(() => {
    shoreline = unitedStatesShoreline();
    index = ownUnitedStatesIndex();
  });

  it('find the same segments', () => {
    const search = index.search(ALL);
    const out = new Float64Array(2 * ANSWER_NUMBERS);
    let others = 0;
    for (const { latitude, longitude } of testPoints(shoreline, testVolume(800), seededRandom(3))) {
      search.buildTile(tileOf(latitude, longitude));
      const vertex = search.nearest(latitude, longitude, out, 0);
      if (vertex !== search.nearestByTree(latitude, longitude, out, ANSWER_NUMBERS)) others++;
    }
    expect(others).toBe(0);
  }, 600_000);

  it('find the same distances on random shores', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(0.001, 0.1, 2, 60), (seed, degrees) => {
        const random = seededRandom(seed);
        const given = randomShoreline(random, degrees);
        const search = buildCoastIndex(given).search({ any: 1, none: 0 });
        const out = new Float64Array(2 * ANSWER_NUMBERS);
        for (const { latitude, longitude } of testPoints(given, 20, random)) {
          search.buildTile(tileOf(latitude, longitude));
          search.nearest(latitude, longitude, out, 0);
          search.nearestByTree(latitude, longitude, out, ANSWER_NUMBERS);
          expect(Math.abs(out[2]! - out[ANSWER_NUMBERS + 2]!)).toBeLessThanOrEqual(1e-8);
        }
      }),
      { numRuns: testVolume(12) },
    );
  }, 600_000);

  it('find the same segment within a maximum distance, or none', () => {
    const tiled = ownUnitedStatesIndex().search(ALL);
    const fresh = ownUnitedStatesIndex().search(ALL);
    const expected = index.search(ALL);
    const out = new Float64Array(2 * ANSWER_NUMBERS);
    const random = seededRandom(8);
    const counts = { near: 0, none: 0 };
    for (const { latitude, longitude } of testPoints(shoreline, testVolume(800), random)) {
      const vertex = expected.nearestByTree(latitude, longitude, out, 0);
      const maxMeters = out[2]! * [0.1, 0.999_999, 1, 1.000_001, 3][Math.floor(random() * 5)]!;
      const isWithin = out[2]! <= maxMeters;
      counts[isWithin ? 'near' : 'none']++;
      if (random() < 0.3) tiled.buildTile(tileOf(latitude, longitude));
      for (const search of [tiled, fresh]) {
        out.fill(-1, ANSWER_NUMBERS);
        const result = search.nearest(latitude, longitude, out, ANSWER_NUMBERS, maxMeters);
        expect(result).toBe(isWithin ? vertex : SKIPPED);
        expect(out[ANSWER_NUMBERS + 2]).toBe(isWithin ? out[2] : -1);
      }
    }
    expect(Math.min(counts.near, counts.none)).toBeGreaterThan(100);
  }, 600_000);

  it('return the answers of the tree at every stage while cells grow', () => {
    const search = ownUnitedStatesIndex().search(ALL);
    const out = new Float64Array(2 * ANSWER_NUMBERS);
    const random = seededRandom(12);
    let others = 0;
    const sizes = new Set<number>();
    // Two cells, one with a hundredth of the queries. Close points, so that the deepest cells are divided too.
    for (let asked = 0; asked < testVolume(4_000); asked++) {
      const isRare = asked % 100 === 0;
      const latitude = (isRare ? 29.3 : 27.9) + random() * (asked % 2 === 0 ? 0.01 : 0.3);
      const longitude = (isRare ? -94.9 : -82.5) + random() * (asked % 2 === 0 ? 0.01 : 0.3);
      const vertex = search.nearest(latitude, longitude, out, 0);
      if (vertex !== search.nearestByTree(latitude, longitude, out, ANSWER_NUMBERS)) others++;
      if (asked < 200) expect(search.grownBytes).toBe(0);
      sizes.add(search.grownBytes);
    }
    expect(others).toBe(0);
    expect(sizes.size).toBeGreaterThan(5);
    // Grown tiles are incomplete and are not written.
    expect(search.tiles.length).toBe(1);
  });

  it('are never farther than the nearest vertex', () => {
    const search = index.search(ALL);
    const out = new Float64Array(ANSWER_NUMBERS);
    const { positions } = shoreline;
    const random = seededRandom(4);
    let farther = Number.NEGATIVE_INFINITY;
    for (const { latitude, longitude } of testPoints(shoreline, testVolume(800), random)) {
      search.nearest(latitude, longitude, out, 0);
      const vertex = Math.floor(random() * (positions.length / 2));
      const { distanceMeters } = geodesicBetween(
        latitude,
        longitude,
        positions[vertex * 2 + 1]!,
        positions[vertex * 2]!,
      );
      farther = Math.max(farther, out[2]! - distanceMeters);
    }
    expect(farther).toBeLessThanOrEqual(0.01);
  });
});
