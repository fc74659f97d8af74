import { describe, expect, it } from 'vitest';
import { loadTideStations } from './tide-stations.ts';

describe('the tide stations', () => {
  const stations = loadTideStations();

  it('include NOAA’s stations of the United States with the error of their coordinates', () => {
    expect(stations.length).toBe(3_249);
    for (const { errorMeters } of stations) expect(errorMeters >= 150 && errorMeters <= 2_000).toBe(true);
  });

  it('include the Battery, Key West and San Francisco', () => {
    for (const [latitude, longitude] of [
      [40.7006, -74.0142],
      [24.5508, -81.8081],
      [37.8063, -122.4659],
    ] as const) {
      const nearest = Math.min(
        ...stations.map((each) => Math.hypot(each.latitude - latitude, each.longitude - longitude)),
      );
      expect(nearest).toBeLessThan(0.01);
    }
  });
});
