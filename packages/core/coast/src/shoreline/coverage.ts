import { CoastError } from '../coast-error.ts';
import { type GeographicPoint, isPoint } from '../earth/geographic-point.ts';
import { type PointInput, toPoint } from '../earth/point-input.ts';
import type { CoverageBox, ShorelineHeader } from './shoreline.ts';

/**
 * True if a box contains the point. An empty list covers the world.
 * @example
 * isCovered(coast.datasets[0]!.coverage, 27.95, -82.46); // true
 */
export function isCovered(boxes: readonly CoverageBox[], latitude: number, longitude: number): boolean {
  if (boxes.length === 0) return true;
  for (const { west, south, east, north } of boxes) {
    if (latitude >= south && latitude <= north && longitude >= west && longitude <= east) return true;
  }
  return false;
}

/** Minimum, for latitude; longitude at the equator is longer. */
const METERS_PER_DEGREE = 110_574;

/**
 * Returns a lower bound of the distance to the border, in meters: 0 outside, infinite for an empty list. Adjacent boxes are measured
 * separately, so the real distance may be larger.
 * @example
 * metersToBorder([{ west: -85, south: 20, east: -75, north: 30 }], { latitude: 25, longitude: -80 });
 */
export function metersToBorder(boxes: readonly CoverageBox[], point: PointInput): number {
  const { latitude, longitude } = toPoint(point);
  if (boxes.length === 0) return Number.POSITIVE_INFINITY;
  let maxMeters = 0;
  for (const { west, south, east, north } of boxes) {
    const toParallel = Math.min(latitude - south, north - latitude) * METERS_PER_DEGREE;
    // Degrees of longitude are shortest at the parallel farthest from the equator.
    const farLatitude = Math.max(Math.abs(south), Math.abs(north));
    const narrowing = Math.cos(farLatitude * (Math.PI / 180));
    const toMeridian = Math.min(longitude - west, east - longitude) * METERS_PER_DEGREE * narrowing;
    maxMeters = Math.max(maxMeters, Math.min(toParallel, toMeridian));
  }
  return maxMeters;
}

/** Throws `outside_coverage`, with a hint if latitude and longitude seem swapped. */
export function checkCovered(header: ShorelineHeader, { latitude, longitude }: GeographicPoint): void {
  if (isCovered(header.coverage, latitude, longitude)) return;
  const swapped =
    isPoint(longitude, latitude) && isCovered(header.coverage, longitude, latitude)
      ? ': they seem to be swapped'
      : ': use data that reaches there';
  throw new CoastError(
    'outside_coverage',
    `latitude ${latitude}, longitude ${longitude} is beyond the coverage of ${header.name} ${header.version}${swapped}`,
  );
}
