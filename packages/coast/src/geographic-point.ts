import { CoastError } from './coast-error.ts';
import type { CoverageBox, ShorelineHeader } from './shoreline.ts';

/** A place in degrees on WGS84: latitude in [-90, 90], longitude in [-180, 180]. */
export interface GeographicPoint {
  readonly latitude: number;
  readonly longitude: number;
}

export function isPoint(latitude: number, longitude: number): boolean {
  return latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180;
}

/** Throws `invalid_point`, saying what was received and, where it helps, that the two seem swapped. */
export function checkPoint({ latitude, longitude }: GeographicPoint): void {
  if (typeof latitude === 'number' && typeof longitude === 'number' && isPoint(latitude, longitude)) return;
  const swapped =
    typeof latitude === 'number' && typeof longitude === 'number' && isPoint(longitude, latitude)
      ? ': they seem to be swapped'
      : '';
  throw new CoastError(
    'invalid_point',
    `latitude ${show(latitude)}, longitude ${show(longitude)} is no place on the earth (-90 … 90, -180 … 180)${swapped}`,
  );
}

/** Whether some boxes hold a point; no boxes hold all of the world. */
export function isCovered(boxes: readonly CoverageBox[], latitude: number, longitude: number): boolean {
  if (boxes.length === 0) return true;
  for (const { west, south, east, north } of boxes) {
    if (latitude >= south && latitude <= north && longitude >= west && longitude <= east) return true;
  }
  return false;
}

/** Throws `outside_coverage`, naming the data and, where it helps, that latitude and longitude seem swapped. */
export function checkCovered(header: ShorelineHeader, { latitude, longitude }: GeographicPoint): void {
  if (isCovered(header.coverage, latitude, longitude)) return;
  const swapped =
    isPoint(longitude, latitude) && isCovered(header.coverage, longitude, latitude)
      ? ': they seem to be swapped'
      : ': use data that reaches there';
  throw new CoastError(
    'outside_coverage',
    `latitude ${latitude}, longitude ${longitude} lies beyond the coverage of ${header.name} ${header.version}${swapped}`,
  );
}

function show(value: unknown): string {
  return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
}
