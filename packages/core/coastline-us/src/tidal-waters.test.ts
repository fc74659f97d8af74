import { buildCoastIndex, createCoast, geodesicBetween, type Shoreline } from '@leeward/coast';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../test/support/random.ts';
import { testVolume } from '../../../../test/support/test-volume.ts';
import { loadCoastlineUs } from './load-coastline-us.ts';
import { homesNearCoast } from './testing/homes-near-coast.ts';

describe('tidal waters beyond the shores', () => {
  const coast = loadCoastlineUs();
  const shores = loadCoastlineUs({ tidalWaters: false });

  it('reach Beaufort, but not the plains', () => {
    const beaufort = coast.nearest({ latitude: 32.4335, longitude: -80.672 });
    expect(beaufort.minMeters).toBeLessThanOrEqual(500);
    expect(beaufort.distanceMeters).toBeLessThanOrEqual(1_500);
    expect(beaufort.isTidalRiverPossible).toBe(true);
    expect(beaufort.side).toBe('land');
    const plains = { latitude: 44, longitude: -103 };
    expect(coast.nearest(plains)).toEqual(shores.nearest(plains));
    expect(coast.nearest(plains).isTidalRiverPossible).toBe(false);
  });

  it('only lower distance and min, keep the interval around the distance, and do not change the ocean', () => {
    const homes = homesNearCoast(shores, testVolume(120), 11);
    let changed = 0;
    for (const home of homes) {
      const [was, is] = [shores.nearest(home), coast.nearest(home)];
      expect(is.distanceMeters).toBeLessThanOrEqual(was.distanceMeters);
      expect(is.minMeters).toBeLessThanOrEqual(is.distanceMeters);
      expect(is.maxMeters).toBeGreaterThanOrEqual(is.distanceMeters);
      expect(is.minMeters).toBeLessThanOrEqual(was.minMeters);
      expect(is.maxMeters).toBeLessThanOrEqual(was.maxMeters + 1e-6);
      if (!is.isTidalRiverPossible) expect(is).toEqual(was);
      else changed++;
      const { latitude, longitude } = is.coast;
      const geodesic = geodesicBetween(home.latitude, home.longitude, latitude, longitude);
      expect(is.distanceMeters).toBeCloseTo(geodesic.distanceMeters, 2);
      expect(coast.nearest(home, 'ocean')).toEqual(shores.nearest(home, 'ocean'));
    }
    expect(changed).toBeGreaterThan(homes.length / 20);
  });

  it('do not cross barrier islands', () => {
    const places = [
      { latitude: 25.7907, longitude: -80.13 },
      { latitude: 38.3365, longitude: -75.0849 },
      { latitude: 35.2193, longitude: -75.6904 },
      { latitude: 40.576, longitude: -73.97 },
    ];
    for (const place of places) expect(coast.nearest(place)).toEqual(shores.nearest(place));
  });

  it('state a probability for each layer of possible water', () => {
    const possible = coast.tidalWaters.filter(({ name }) => name === 'osm-possible-rivers' || name === 'gauge-links');
    expect(possible.length).toBe(2);
    for (const { accuracy, layerNames } of possible) {
      expect(accuracy.probabilities).toHaveLength(layerNames.length);
      expect(Math.min(...accuracy.probabilities!)).toBeGreaterThan(0);
      expect(Math.max(...accuracy.probabilities!)).toBeLessThanOrEqual(1);
    }
  });

  it('have the same result as measuring each stretch', () => {
    const random = createRandom(8);
    const stretches = Array.from({ length: 300 }, () => {
      const at = [-81 + random(), 31 + random()] as const;
      return random() < 0.3 ? [at, at] : [at, [at[0] + random() * 0.02, at[1] + random() * 0.02] as const];
    });
    const waters = (radiusMeters: readonly number[], from: number, to: number): Shoreline => ({
      name: `waters ${from}`,
      version: '1',
      attribution: '',
      positions: Float64Array.from(stretches.slice(from, to).flat(2)),
      lineStarts: Uint32Array.from({ length: to - from + 1 }, (_, line) => line * 2),
      layerNames: radiusMeters.map((radius) => `within_${radius}`),
      layers: Uint16Array.from({ length: 2 * (to - from) }, (_, vertex) => 1 << ((vertex >> 1) % radiusMeters.length)),
      shoreNames: ['water'],
      shores: new Uint8Array(2 * (to - from)),
      water: 'unknown',
      accuracy: { radiusMeters, method: '' },
      coverage: [],
    });
    const far: Shoreline = {
      ...waters([400], 0, 1),
      positions: Float64Array.of(-80, 20, -79, 20),
      layerNames: ['tidal'],
    };
    const known = waters([150, 1_000], 0, 150);
    const possible = waters([750, 3_000], 150, 300);
    const drawn = createCoast(buildCoastIndex(far), { certain: [known], possible: [possible] });
    const alone = (stretch: (typeof stretches)[number]) =>
      createCoast(buildCoastIndex({ ...far, positions: Float64Array.from([...stretch[0]!, ...nudged(stretch)]) }));
    const coasts = stretches.map(alone);
    for (let round = 0; round < testVolume(8); round++) {
      const point = { latitude: 31 + random(), longitude: -81 + random() };
      const distances = coasts.map((each) => each.nearest(point).distanceMeters);
      const ofKnown = distances.slice(0, 150);
      const reach = (at: number): number => (at < 150 ? [150, 1_000] : [750, 3_000])[at % 2]!;
      const answer = drawn.nearest(point);
      expect(Math.abs(answer.distanceMeters - Math.min(...ofKnown))).toBeLessThan(1.5);
      expect(
        Math.abs(answer.minMeters - Math.max(0, Math.min(...distances.map((d, at) => d - reach(at))))),
      ).toBeLessThan(1.5);
      expect(Math.abs(answer.maxMeters - Math.min(...ofKnown.map((d, at) => d + reach(at))))).toBeLessThan(1.5);
    }
  });

  it('are only gauges without OSM', () => {
    expect(loadCoastlineUs({ sources: ['gshhg'] }).tidalWaters.map(({ name }) => name)).toEqual([
      'noaa-gauges',
      'ticon-gauges',
    ]);
    expect(shores.tidalWaters).toEqual([]);
    expect(coast.tidalWaters.map(({ attribution }) => attribution).join(' ')).toMatch(/NOAA.*TICON-4.*OpenStreetMap/);
  });
});

function nudged([from, to]: readonly (readonly [number, number])[]): readonly [number, number] {
  return from![0] === to![0] && from![1] === to![1] ? [to![0] + 1e-5, to![1]] : to!;
}
