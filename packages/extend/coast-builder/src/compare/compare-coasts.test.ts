import { buildCoastIndex, createCoast, type Shoreline } from '@leeward/coast';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../test/support/random.ts';
import { compareCoasts } from './compare-coasts.ts';
import { seededHomes } from './seeded-homes.ts';

/** Along a meridian, sea to the west. */
function meridianCoast(longitude: number, radiusMeters: number) {
  const shoreline: Shoreline = {
    name: 'meridian',
    version: '1',
    attribution: '',
    layerNames: ['tidal'],
    shoreNames: ['sea'],
    water: 'right',
    accuracy: { radiusMeters: [radiusMeters], method: 'made up' },
    coverage: [{ west: -81, south: 29, east: -79, north: 31 }],
    // Southward the sea is on the right.
    positions: Float64Array.of(longitude, 31, longitude, 29),
    lineStarts: Uint32Array.of(0, 2),
    layers: Uint16Array.of(1, 0),
    shores: Uint8Array.of(0, 0),
  };
  return createCoast(buildCoastIndex(shoreline));
}

describe('compareCoasts', () => {
  const first = meridianCoast(-80, 500);
  // 0.01° of longitude at 30° N: 964.9 m further inland.
  const second = meridianCoast(-79.99, 50);

  it('measures the differences and returns the worst places', () => {
    const places = [
      { latitude: 30, longitude: -79.95 },
      { latitude: 30, longitude: -79.9 },
      { latitude: 30, longitude: -79.995 },
    ];
    const comparison = compareCoasts(first, second, places, { worst: 1 });
    expect(comparison.places).toBe(3);
    expect(comparison.medianMeters).toBeCloseTo(964.9, 0);
    expect(comparison.largestMeters).toBeCloseTo(964.9, 0);
    expect(comparison.worst).toHaveLength(1);
  });

  it('counts flips and which coast flags them', () => {
    // 1,929.8 m against 964.9 m: on different sides of a mile, 320 m beyond it by the first, whose radius is 500 m.
    const { flips } = compareCoasts(first, second, [{ latitude: 30, longitude: -79.98 }]);
    expect(flips).toEqual([
      { limit: '1,000 ft', flips: 0, flaggedByFirst: 0, flaggedBySecond: 0 },
      { limit: '1 mi', flips: 1, flaggedByFirst: 1, flaggedBySecond: 0 },
      { limit: '5 mi', flips: 0, flaggedByFirst: 0, flaggedBySecond: 0 },
    ]);
  });

  it('skips places outside one coverage, and rejects a comparison without places', () => {
    const beyond = { latitude: 40, longitude: -80 };
    expect(compareCoasts(first, second, [beyond, { latitude: 30, longitude: -79.9 }]).skipped).toBe(1);
    expect(() => compareCoasts(first, second, [beyond])).toThrow('both coasts cover none of the 1 places');
  });
});

describe('seededHomes', () => {
  const coast = meridianCoast(-80, 500);

  it('returns equal homes for equal seeds, on land and within reach', () => {
    const homes = seededHomes(coast, { count: 50, seed: 4, reachMeters: 8_000 });
    expect(seededHomes(coast, { count: 50, seed: 4, reachMeters: 8_000 })).toEqual(homes);
    expect(seededHomes(coast, { count: 50, seed: 5, reachMeters: 8_000 })).not.toEqual(homes);
    for (const home of homes) {
      const answer = coast.nearest(home);
      expect(answer.side).not.toBe('water');
      expect(answer.distanceMeters).toBeLessThanOrEqual(8_000);
    }
  });

  it('rejects an invalid count', () => {
    expect(() => seededHomes(coast, { count: 0 })).toThrow('0 homes');
    expect(() => seededHomes(coast, { count: Number.NaN })).toThrow('NaN homes');
  });

  it('has an even random source', () => {
    const random = createRandom(1);
    const counts = new Array<number>(10).fill(0);
    for (let i = 0; i < 10_000; i++) counts[Math.floor(10 * random())]!++;
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });
});
