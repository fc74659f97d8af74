import { CoastError } from '../coast-error.ts';
import { type GeographicPoint, isPoint } from '../earth/geographic-point.ts';
import type { CoverageBox, ShorelineHeader } from './shoreline.ts';

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
