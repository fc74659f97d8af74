import { geodesicBetween } from '@leeward/coast';
import type { DistanceResponse } from '@leeward/http';
import { expect } from 'vitest';

const compassPoints = [
  'north',
  'north-northeast',
  'northeast',
  'east-northeast',
  'east',
  'east-southeast',
  'southeast',
  'south-southeast',
  'south',
  'south-southwest',
  'southwest',
  'west-southwest',
  'west',
  'west-northwest',
  'northwest',
  'north-northwest',
];

/** Each unit's length in metres (international foot and mile), its decimals, and how its text looks. */
const units = [
  ['kilometers', 1000, 3, /^\d+\.\d{3}$/],
  ['meters', 1, 0, /^\d+$/],
  ['feet', 0.3048, 2, /^\d{1,3}(?:,\d{3})*\.\d{2}$/],
  ['miles', 1609.344, 2, /^\d+\.\d{2}$/],
] as const;

/**
 * Checks an answer member by member against the service's documentation, and its geometry against Karney's geodesic.
 */
export function checkDistance(answer: DistanceResponse): void {
  const { address, coast, distance, location, dataset, range_meters } = answer;
  for (const { lat, lng } of [address, coast]) {
    expect(Math.abs(lat)).toBeLessThanOrEqual(90);
    expect(Math.abs(lng)).toBeLessThanOrEqual(180);
  }
  const { meters } = distance.raw;
  const geodesic = geodesicBetween(address.lat, address.lng, coast.lat, coast.lng);
  expect(Math.abs(meters - geodesic.distanceMeters)).toBeLessThan(0.01);
  for (const [unit, length, decimals, look] of units) {
    expect(distance.raw[unit] * length).toBeCloseTo(meters, 6);
    const text = distance.formatted[unit];
    expect(text).toMatch(look);
    expect(Math.abs(Number(text.replaceAll(',', '')) - distance.raw[unit])).toBeLessThanOrEqual(
      0.5 * 10 ** -decimals + 1e-9,
    );
  }
  expect(answer.direction_to_coast).toBe(
    `The coast is ${distance.formatted.meters} meters to the ${answer.compass_point}.`,
  );
  expect(answer.bearing_degrees).toMatch(/^(?:\d|[1-9]\d|[12]\d\d|3[0-5]\d)\.\d°$/);
  // Two metres away, a centimetre turns a bearing by a third of a degree.
  const tolerance = 0.051 + (180 / Math.PI) * (0.01 / Math.max(meters, 0.01));
  const bearing = (geodesic.azimuthDegrees + 360) % 360;
  const turned = Math.abs(Number.parseFloat(answer.bearing_degrees) - bearing);
  expect(Math.min(turned, 360 - turned)).toBeLessThan(tolerance);
  const sector = (bearing / 22.5) % 16;
  const near = [Math.round(sector - 0.01) % 16, Math.round(sector + 0.01) % 16].map(
    (index) => compassPoints[(index + 16) % 16],
  );
  expect(near).toContain(answer.compass_point);
  const error = location.error_radius_meters + dataset.accuracy_meters;
  expect(dataset.accuracy_meters).toBeGreaterThan(0);
  // The minimum of any source is the minimum of the answer; tidal waters only lower it, by straight lines in space.
  const rounding = answer.decided_by === undefined ? 1e-6 : 0.01;
  expect(range_meters.min).toBeGreaterThanOrEqual(0);
  expect(range_meters.min).toBeLessThanOrEqual(Math.max(0, meters - error) + rounding);
  expect(range_meters.max).toBeGreaterThanOrEqual(meters + location.error_radius_meters);
  // The smallest maximum of the sources is the answer's. Only for an ocean can a second classification of bays raise it.
  if (!answer.coast_definition.startsWith('ocean')) {
    expect(range_meters.max).toBeLessThanOrEqual(meters + error + rounding);
  }
  const isTidalRiverPossible = answer.warnings.some(({ code }) => code === 'tidal_river_possible');
  const isMeanHighWater = answer.coast_definition === 'mean_high_water';
  expect(isTidalRiverPossible || isMeanHighWater).toBe(answer.decided_by !== undefined);
  expect(answer.wind_borne_debris !== undefined).toBe(isMeanHighWater);
  expect(
    Object.keys(answer)
      .filter((key) => key !== 'decided_by' && key !== 'wind_borne_debris')
      .sort(),
  ).toEqual([
    'address',
    'bearing_degrees',
    'coast',
    'coast_definition',
    'compass_point',
    'dataset',
    'direction_to_coast',
    'distance',
    'location',
    'on_land',
    'range_meters',
    'shore',
    'warnings',
  ]);
}
