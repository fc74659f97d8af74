import type { Shoreline } from '@leeward/coast';
import { describe, expect, it } from 'vitest';
import { stateAccuracy } from './state-accuracy.ts';

function meridian(layer = 'tidal'): Shoreline {
  return {
    name: 'meridian',
    version: '1',
    attribution: '',
    layerNames: [layer],
    shoreNames: ['sea'],
    water: 'unknown',
    accuracy: { radiusMeters: [0], method: 'not measured' },
    coverage: [{ west: -82, south: 30, east: -80, north: 31 }],
    positions: Float64Array.of(-81, 30, -81, 31),
    lineStarts: Uint32Array.of(0, 2),
    layers: Uint16Array.of(1, 0),
    shores: new Uint8Array(2),
  };
}

/** Near 30.5 N, each 9.6 m farther than the one before. */
const stations = (count: number, from = -81) =>
  Array.from({ length: count }, (_, at) => ({ latitude: 30.5, longitude: from + at * 0.0001 }));

describe('stateAccuracy', () => {
  it('measures at the tide stations within the coverage and records the measure', () => {
    const far = { latitude: 40, longitude: -70 };
    const { shoreline, measure } = stateAccuracy(meridian(), [...stations(100), far]);
    expect(measure).toMatchObject({ stations: 100, within100: 11, within300: 32 });
    expect(measure!.p95Meters).toBeCloseTo(95 * 9.5954, 0);
    expect(shoreline.accuracy.radiusMeters).toEqual([Math.ceil(measure!.p95Meters)]);
    expect(shoreline.accuracy.method).toBe(
      'half of 100 NOAA tide stations are within 480 m of these lines, 95 % within 912 m',
    );
  });

  it('takes the stated accuracy and records the measure too', () => {
    const { shoreline } = stateAccuracy(meridian(), stations(3), { meters: 50, method: 'as surveyed' });
    expect(shoreline.accuracy).toEqual({
      radiusMeters: [50],
      method: 'as surveyed; half of 3 NOAA tide stations are within 10 m of these lines, 95 % within 20 m',
    });
  });

  it('rejects a shoreline of unknown accuracy', () => {
    expect(() => stateAccuracy(meridian(), [])).toThrow('no tide station is in its area');
    expect(() => stateAccuracy(meridian(), stations(19))).toThrow('only 19 tide stations are in its area');
    expect(() => stateAccuracy(meridian('great_lakes'), stations(50))).toThrow(
      'tide stations cannot measure great_lakes',
    );
  });
});
