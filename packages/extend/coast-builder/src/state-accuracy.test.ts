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
    layers: new Uint16Array([1, 0]),
    shores: new Uint8Array(2),
  };
}

/** Near 30.5 N, each `meters` farther than the one before. */
const stations = (count: number, meters = 10) =>
  Array.from({ length: count }, (_, at) => ({ latitude: 30.5, longitude: -81 + (at * meters) / 95_954 }));

describe('stateAccuracy', () => {
  it('measures at the tide stations within the coverage and records the measure', () => {
    const far = { latitude: 40, longitude: -70 };
    const creek = { latitude: 30.5, longitude: -80.9 };
    const { shoreline, measure } = stateAccuracy(meridian(), [...stations(20), creek, far]);
    expect(measure).toMatchObject({ stations: 21, withoutLine: [creek] });
    expect(measure!.withoutLine[0]!.distanceMeters).toBeCloseTo(9_595, -1);
    expect(measure!.medianMeters).toBeCloseTo(100, 0);
    expect(measure!.radiusMeters).toBeGreaterThan(measure!.minRadiusMeters);
    expect(shoreline.accuracy.radiusMeters).toEqual([measure!.radiusMeters]);
    expect(shoreline.accuracy.method).toBe(
      `95 % of the errors are within ${measure!.radiusMeters} m by 21 NOAA tide stations, their own error taken off; 1 of them has no line near`,
    );
  });

  it('takes the error of the stations off', () => {
    const measure = (errorMeters: number) =>
      stateAccuracy(
        meridian(),
        stations(40, 15).map((station) => ({ ...station, errorMeters })),
      ).measure!;
    expect(measure(150).radiusMeters).toBeGreaterThan(400);
    expect(measure(816).minRadiusMeters).toBeLessThan(100);
    expect(measure(816).resolutionMeters).toBeGreaterThan(measure(150).resolutionMeters);
  });

  it('takes the stated accuracy and records the measure too', () => {
    const { shoreline } = stateAccuracy(meridian(), stations(3), { meters: 50, method: 'as surveyed' });
    expect(shoreline.accuracy.radiusMeters).toEqual([50]);
    expect(shoreline.accuracy.method).toMatch(/^as surveyed; 95 % of the errors are within \d+ m by 3 NOAA tide/);
  });

  it('rejects a shoreline of unknown accuracy', () => {
    expect(() => stateAccuracy(meridian(), [])).toThrow('no tide station is in its area');
    expect(() => stateAccuracy(meridian(), stations(19))).toThrow('only 19 tide stations are in its area');
    const inland = Array.from({ length: 15 }, (_, at) => ({ latitude: 30.1 + at / 50, longitude: -80.5 + at / 50 }));
    expect(() => stateAccuracy(meridian(), [...stations(8), ...inland])).toThrow(
      'only 8 of the 23 tide stations in its area have a line near, and 10 are needed',
    );
    expect(() => stateAccuracy(meridian('great_lakes'), stations(50))).toThrow(
      'tide stations cannot measure great_lakes',
    );
  });
});
