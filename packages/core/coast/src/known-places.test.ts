import { describe, expect, it } from 'vitest';
import { createCoast } from './answer/create-coast.ts';
import { formatCoastAnswer } from './answer/format-answer.ts';
import { presentCoastAnswer } from './answer/present-coast-answer.ts';
import { karneyDistanceMeters } from './testing/karney-distance.ts';
import { unitedStatesIndex, unitedStatesShoreline } from './testing/natural-earth.ts';

/** Kilometers to salt water on a map; the data at 1:10 million errs by some kilometers. */
// biome-ignore format: a table
const PLACES: readonly (readonly [name: string, latitude: number, longitude: number, least: number, most: number, winds: RegExp])[] = [
  ['Denver CO', 39.7392, -104.9903, 1100, 1300, /southwest/],
  ['Kansas City MO', 39.0997, -94.5786, 1000, 1200, /south/],
  ['Minneapolis MN', 44.9778, -93.265, 1200, 1700, /./],
  ['Atlanta GA', 33.749, -84.388, 330, 420, /southeast|south/],
  ['Orlando FL', 28.5384, -81.3789, 50, 75, /east/],
  ['Miami FL', 25.7617, -80.1918, 0, 8, /./],
  ['Houston TX', 29.7604, -95.3698, 15, 60, /east/],
  ['Phoenix AZ', 33.4484, -112.074, 200, 480, /southwest|south/],
  ['San Francisco CA', 37.7749, -122.4194, 0, 9, /./],
  ['Fairbanks AK', 64.8378, -147.7164, 360, 480, /south/],
  ['Honolulu HI', 21.3069, -157.8583, 0, 8, /./],
  ['Bangor ME', 44.8016, -68.7712, 20, 50, /south/],
];

describe('twelve known places', () => {
  const shoreline = unitedStatesShoreline();
  const coast = createCoast(unitedStatesIndex());

  it.each(PLACES)('%s', (_name, latitude, longitude, least, most, winds) => {
    const answer = coast.nearest({ latitude, longitude });
    expect(answer.distanceMeters / 1000).toBeGreaterThanOrEqual(least);
    expect(answer.distanceMeters / 1000).toBeLessThanOrEqual(most);
    expect(
      Math.abs(answer.distanceMeters - karneyDistanceMeters(shoreline, () => true, latitude, longitude)),
    ).toBeLessThan(0.03);
    const shown = presentCoastAnswer(answer);
    expect(shown.compass_point).toMatch(winds);
    expect(shown.direction_to_coast).toBe(
      `The coast is ${shown.distance.formatted.meters} meters to the ${shown.compass_point}.`,
    );
    expect(shown.distance.formatted.kilometers).toMatch(/^\d+\.\d{3}$/);
    expect(shown.distance.formatted.feet).toMatch(/^\d{1,3}(,\d{3})*\.\d{2}$/);
    expect(shown.distance.formatted.miles).toMatch(/^\d+\.\d{2}$/);
    expect(shown.bearing_degrees).toMatch(/^\d{1,3}\.\d°$/);
    expect(formatCoastAnswer(answer).split('\n')[0]).toBe(shown.direction_to_coast);
  });
});
