import { describe, expect, it } from 'vitest';
import { loadCoastlineUs } from './load-coastline-us.ts';

// biome-ignore format: a table
const PLACES: readonly (readonly [name: string, latitude: number, longitude: number, tidal: readonly [number, number], ocean: readonly [number, number], shore: string])[] = [
  // Barrier islands: harbour behind, open sea in front.
  ['Galveston TX', 29.3013, -94.7977, [0.5, 1.3], [1.3, 2], 'Gulf'],
  ['Hatteras NC', 35.2193, -75.6904, [0.05, 0.8], [0.6, 1.6], 'Atlantic'],
  ['Ocean City MD', 38.3365, -75.0849, [0.1, 0.6], [0.1, 0.6], 'Atlantic'],
  ['Miami Beach FL', 25.7907, -80.13, [0.05, 0.8], [0.1, 1.5], 'Atlantic'],
  ['Key West FL', 24.5551, -81.78, [0.3, 0.9], [0.3, 0.9], 'Atlantic'],
  ['Tampa FL', 27.9506, -82.4572, [0.1, 1.4], [30, 38], 'Gulf'],
  ['St. Petersburg FL', 27.7676, -82.64, [0.3, 1.2], [8, 13], 'Gulf'],
  ['Baltimore MD', 39.2904, -76.6122, [0.3, 1.4], [25, 45], 'Atlantic'],
  ['Norfolk VA', 36.8508, -76.2859, [0.2, 1.2], [8, 15], 'Atlantic'],
  ['Mobile AL', 30.6954, -88.0399, [0.3, 1.8], [38, 50], 'Gulf'],
  ['Corpus Christi TX', 27.8006, -97.3964, [0.1, 0.8], [22, 30], 'Gulf'],
  ['New Orleans lakefront LA', 30.02, -90.095, [0.1, 1.8], [15, 65], 'Gulf'],
  ['Providence RI', 41.824, -71.4128, [0.3, 1.6], [32, 42], 'Atlantic'],
  ['Boston MA', 42.3601, -71.0589, [0.3, 1.2], [5, 10], 'Atlantic'],
  ['New York NY', 40.7128, -74.006, [0.4, 1.2], [10, 17], 'Atlantic'],
  ['San Diego CA', 32.7157, -117.1611, [0.6, 1.6], [3.5, 8], 'Pacific'],
  ['San Francisco CA', 37.7749, -122.4194, [1.2, 3], [5, 8.5], 'Pacific'],
  ['Oakland CA', 37.8044, -122.2711, [0.8, 2], [15, 21], 'Pacific'],
  ['Seattle WA', 47.6062, -122.3321, [0.3, 1], [50, 75], 'Pacific'],
  ['Bellevue WA', 47.6101, -122.2015, [8, 12], [55, 80], 'Pacific'],
  ['Annapolis MD', 38.9784, -76.4922, [0.3, 1.2], [1.5, 4], 'Atlantic'],
  ['Bridgeport CT', 41.1865, -73.1952, [0.4, 1.2], [1.5, 3.5], 'Atlantic'],
  ['Fort Myers FL', 26.6406, -81.8723, [0.1, 1], [15, 25], 'Gulf'],
  ['Charleston SC', 32.7765, -79.9311, [0.2, 1], [3, 9], 'Atlantic'],
  ['Jacksonville FL', 30.3322, -81.6557, [0.3, 1.8], [20, 26], 'Atlantic'],
  ['Astoria OR', 46.1879, -123.8313, [0.1, 0.6], [8, 14], 'Pacific'],
  ['Sacramento CA', 38.5816, -121.4944, [0.3, 60], [110, 135], 'Pacific'],
  ['Savannah GA', 32.0809, -81.0912, [0, 1], [15, 32], 'Atlantic'],
  ['New Bern NC', 35.1085, -77.0441, [0.2, 9], [40, 60], 'Atlantic'],
  ['Houston TX', 29.7604, -95.3698, [1, 40], [60, 80], 'Gulf'],
  ['Philadelphia PA', 39.9526, -75.1652, [0.5, 15], [50, 75], 'Atlantic'],
  ['Albany NY', 42.6526, -73.7562, [0.3, 175], [150, 215], 'Atlantic'],
  ['Gulfport MS', 30.3674, -89.0928, [0.2, 0.8], [0.2, 0.8], 'Gulf'],
  ['Anchorage AK', 61.2181, -149.9003, [0.1, 1], [1, 9], 'Pacific'],
  ['Honolulu HI', 21.3069, -157.8583, [0.2, 1], [0.3, 2], 'Pacific'],
  ['San Juan PR', 18.4655, -66.1057, [0.05, 0.6], [0.05, 0.8], 'Atlantic'],
  ['Ponce PR', 18.0111, -66.6141, [2.7, 4.2], [2.7, 4.2], 'Caribbean'],
  ['Pago Pago AS', -14.2781, -170.7025, [0.1, 1], [0.3, 2.5], 'Pacific'],
  ['Hagåtña GU', 13.4757, 144.7519, [0.1, 0.7], [0.1, 0.7], 'Pacific'],
  ['Denver CO', 39.7392, -104.9903, [1_250, 1_350], [1_250, 1_350], 'Pacific'],
  ['Atlanta GA', 33.749, -84.388, [340, 400], [350, 410], 'Atlantic'],
];

describe('known places', () => {
  const coast = loadCoastlineUs();
  it.each(PLACES)('%s', (_name, latitude, longitude, tidal, ocean, shore) => {
    const [byTide, byOcean] = coast.nearestByEach({ latitude, longitude }, ['tidal', 'ocean']);
    expect(byTide!.distanceMeters / 1000).toBeGreaterThan(tidal[0]);
    expect(byTide!.distanceMeters / 1000).toBeLessThan(tidal[1]);
    expect(byOcean!.distanceMeters / 1000).toBeGreaterThan(ocean[0]);
    expect(byOcean!.distanceMeters / 1000).toBeLessThan(ocean[1]);
    expect(byTide!.shore).toBe(shore);
    expect(byTide!.layers).not.toContain('great_lakes');
    expect(byTide!.layers).not.toContain('neighbour');
  });

  it('counts the Great Lakes only if the definition has them', () => {
    const chicago = { latitude: 41.8781, longitude: -87.6298 };
    expect(coast.nearest(chicago).distanceMeters).toBeGreaterThan(800_000);
    const lake = coast.nearest(chicago, { layers: ['tidal', 'great_lakes'] });
    expect(lake.distanceMeters).toBeLessThan(2_500);
    expect(lake.shore).toBe('Great Lakes');
    expect(lake.accuracyMeters).toBe(1_600);
  });

  it("returns a neighbour's shore only with neighbours: true", () => {
    for (const [latitude, longitude] of [
      [32.52, -117.08],
      [49.2827, -123.1207],
      [25.05, -77.35],
    ] as const) {
      const point = { latitude, longitude };
      expect(coast.nearest(point).layers).not.toContain('neighbour');
      const any = coast.nearest(point, { layers: ['tidal'], neighbours: true });
      expect(any.distanceMeters).toBeLessThanOrEqual(coast.nearest(point).distanceMeters + 500);
    }
    const nassau = coast.nearest({ latitude: 25.05, longitude: -77.35 }, { layers: ['tidal'], neighbours: true });
    expect(nassau.distanceMeters).toBeLessThan(10_000);
    expect(nassau.layers).toContain('neighbour');
    expect(nassau.dataset.name).toBe('gshhg-us');
  });
});
