import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMPASS_POINTS, compassPoint } from '../earth/compass-point.ts';
import type { CoastAnswerFields } from './coast-answer.ts';
import { formatDecimal } from './format-decimal.ts';
import {
  directionSentence,
  distanceInUnits,
  formatBearing,
  formatDistance,
  isOnLand,
  presentCoastAnswer,
} from './present-coast-answer.ts';

const ANSWER: CoastAnswerFields = {
  point: { latitude: 27.95, longitude: -82.46 },
  coast: { latitude: 27.9, longitude: -82.35 },
  distanceMeters: 12_345.2,
  azimuthDegrees: 112.6,
  definition: { layers: ['tidal'] },
  layers: ['tidal', 'ocean'],
  shore: 'Gulf',
  side: 'land',
  dataset: { name: 'gshhg-us', version: '2.3.7', attribution: 'LGPL' },
  accuracyMeters: 330,
  minMeters: 12_015.2,
  maxMeters: 12_675.2,
  decidedBy: { distance: 'gshhg-us', min: 'gshhg-us', max: 'gshhg-us' },
  isTidalRiverPossible: false,
  sources: [{ dataset: 'gshhg-us', distanceMeters: 12_345.2 }],
};

describe('presentCoastAnswer', () => {
  it('returns exactly the fields of the response', () => {
    expect(
      presentCoastAnswer(ANSWER, { source: 'gazetteer', precision: 'zip_centroid', errorRadiusMeters: 4000 }),
    ).toEqual({
      address: { lat: 27.95, lng: -82.46 },
      coast: { lat: 27.9, lng: -82.35 },
      distance: {
        raw: { kilometers: 12_345.2 / 1000, meters: 12_345.2, feet: 12_345.2 / 0.3048, miles: 12_345.2 / 1609.344 },
        formatted: { kilometers: '12.345', meters: '12345', feet: '40,502.62', miles: '7.67' },
      },
      direction_to_coast: 'The coast is 12345 meters to the east-southeast.',
      bearing_degrees: '112.6°',
      compass_point: 'east-southeast',
      location: { source: 'gazetteer', precision: 'zip_centroid', error_radius_meters: 4000 },
      dataset: { name: 'gshhg-us', version: '2.3.7', accuracy_meters: 330, attribution: 'LGPL' },
      range_meters: { min: 12_345.2 - 4330, max: 12_345.2 + 4330 },
      on_land: true,
    });
  });

  it('reports exact coordinates, never a negative minimum, and null for an unknown side', () => {
    const shown = presentCoastAnswer({
      ...ANSWER,
      distanceMeters: 100,
      minMeters: 0,
      maxMeters: 430,
      side: 'unknown',
    });
    expect(shown.location).toEqual({ source: 'coordinates', precision: 'exact', error_radius_meters: 0 });
    expect(shown.range_meters).toEqual({ min: 0, max: 430 });
    expect(shown.on_land).toBeNull();
    expect(presentCoastAnswer({ ...ANSWER, side: 'water' }).on_land).toBe(false);
    // Within twice the shore's radius plus the place's radius: a home is on land.
    const near = { ...ANSWER, side: 'water', distanceMeters: 660 } as const;
    expect(presentCoastAnswer(near).on_land).toBeNull();
    expect(presentCoastAnswer({ ...near, distanceMeters: 661 }).on_land).toBe(false);
    expect(isOnLand({ ...near, distanceMeters: 700 }, 100)).toBeNull();
    expect(presentCoastAnswer({ ...near, side: 'land' }).on_land).toBe(true);
    expect('decided_by' in shown).toBe(false);
  });

  it('returns null for on_land if the shore is within the error of the place', () => {
    const from = (errorRadiusMeters: number) =>
      presentCoastAnswer(ANSWER, { source: 'gazetteer', precision: 'zip_centroid', errorRadiusMeters }).on_land;
    expect([0, 12_345, 12_346].map(from)).toEqual([true, true, null]);
  });

  it('includes possible tidal waters and names the deciding datasets', () => {
    const decidedBy = { distance: 'gauges', min: 'links', max: 'gauges' };
    const answer = { ...ANSWER, minMeters: 0, maxMeters: 12_500, decidedBy, isTidalRiverPossible: true };
    const shown = presentCoastAnswer(answer, { source: 'x', precision: 'street', errorRadiusMeters: 50 });
    expect(shown.range_meters).toEqual({ min: 0, max: 12_550 });
    expect(shown.decided_by).toEqual(decidedBy);
  });
});

describe('numbers', () => {
  it('are rounded half away from zero, by their decimal text', () => {
    for (const [value, decimals, text] of [
      [0, 0, '0'],
      [0, 2, '0.00'],
      [0.5, 0, '1'],
      [1.5, 0, '2'],
      [2.5, 0, '3'],
      [0.49999999999999994, 0, '0'],
      [1.005, 2, '1.01'],
      [8.345, 2, '8.35'],
      [12.3455, 3, '12.346'],
      [12.3445, 3, '12.345'],
      [0.0005, 3, '0.001'],
      [0.00049999, 3, '0.000'],
      [9.9995, 3, '10.000'],
      [999.995, 2, '1000.00'],
      [1e-7, 3, '0.000'],
      [5e-7, 6, '0.000001'],
      [1e21, 0, '1000000000000000000000'],
      [123456789.5, 0, '123456790'],
      [-1.005, 2, '-1.01'],
      [-0.001, 2, '0.00'],
      [20_015_086.796, 2, '20015086.80'],
    ] as const) {
      expect(formatDecimal(value, decimals)).toBe(text);
    }
  });

  it('agree with exact decimal arithmetic', () => {
    fc.assert(
      fc.property(fc.nat(30_000_000), fc.nat(99_999), fc.integer({ min: 0, max: 4 }), (whole, fraction, decimals) => {
        const digits = String(fraction).padStart(5, '0');
        const value = Number(`${whole}.${digits}`);
        const scale = 10n ** BigInt(5 - decimals);
        const exact = BigInt(whole) * 100_000n + BigInt(fraction);
        const rounded = String((exact + scale / 2n) / scale).padStart(decimals + 1, '0');
        const cut = rounded.length - decimals;
        expect(formatDecimal(value, decimals)).toBe(
          decimals === 0 ? rounded : `${rounded.slice(0, cut)}.${rounded.slice(cut)}`,
        );
      }),
    );
  });

  it('have commas only in feet', () => {
    expect(formatDistance(distanceInUnits(0))).toEqual({
      kilometers: '0.000',
      meters: '0',
      feet: '0.00',
      miles: '0.00',
    });
    expect(formatDistance(distanceInUnits(304.8))).toEqual({
      kilometers: '0.305',
      meters: '305',
      feet: '1,000.00',
      miles: '0.19',
    });
    expect(formatDistance(distanceInUnits(1_609_344))).toEqual({
      kilometers: '1609.344',
      meters: '1609344',
      feet: '5,280,000.00',
      miles: '1000.00',
    });
    expect(formatDistance(distanceInUnits(304.797)).feet).toBe('999.99');
  });
});

describe('directions', () => {
  it('have sixteen points, and a border belongs to the clockwise one', () => {
    expect(COMPASS_POINTS).toHaveLength(16);
    COMPASS_POINTS.forEach((wind, sector) => {
      const middle = sector * 22.5;
      const border = middle + 11.25;
      const next = COMPASS_POINTS[(sector + 1) % 16];
      expect(compassPoint(middle)).toBe(wind);
      expect(compassPoint(border - 1e-9)).toBe(wind);
      expect(compassPoint(border)).toBe(next);
      expect(compassPoint(border + 1e-9)).toBe(next);
      expect(compassPoint(middle - 360)).toBe(wind);
      expect(compassPoint(middle + 720)).toBe(wind);
    });
    expect(compassPoint(359.96)).toBe('north');
    expect(compassPoint(348.74)).toBe('north-northwest');
  });

  it('have a bearing of one decimal below 360, and a point by the exact bearing', () => {
    expect(formatBearing(0)).toBe('0.0°');
    expect(formatBearing(359.94)).toBe('359.9°');
    expect(formatBearing(359.95)).toBe('0.0°');
    expect(formatBearing(359.96)).toBe('0.0°');
    expect(formatBearing(112.55)).toBe('112.6°');
    expect(formatBearing(5)).toBe('5.0°');
    expect(formatBearing(-90)).toBe('270.0°');
    expect(formatBearing(-1e-20)).toBe('0.0°');
    const shown = presentCoastAnswer({ ...ANSWER, azimuthDegrees: 11.249_99 });
    expect([shown.bearing_degrees, shown.compass_point]).toEqual(['11.2°', 'north']);
    const border = presentCoastAnswer({ ...ANSWER, azimuthDegrees: 11.25 });
    expect([border.bearing_degrees, border.compass_point]).toEqual(['11.3°', 'north-northeast']);
    const late = presentCoastAnswer({ ...ANSWER, azimuthDegrees: 33.749 });
    expect([late.bearing_degrees, late.compass_point]).toEqual(['33.7°', 'north-northeast']);
  });

  it('are formatted as a sentence with whole meters', () => {
    expect(directionSentence(12_344.5, 112.5)).toBe('The coast is 12345 meters to the east-southeast.');
    expect(directionSentence(0.4, 0)).toBe('The coast is 0 meters to the north.');
  });
});
