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

/** A degree of latitude is nowhere shorter, in metres; one of longitude at the equator is longer, and shrinks with the cosine of the latitude. */
const METERS_PER_DEGREE = 110_574;

/**
 * How far a point surely lies from the border of the boxes, in metres: no less than this is it to anything outside them. 0 beyond
 * them, infinite where no boxes hold all of the world. Boxes that touch are taken one by one, so the true border may be farther.
 */
export function metersToBorder(boxes: readonly CoverageBox[], { latitude, longitude }: GeographicPoint): number {
  if (boxes.length === 0) return Number.POSITIVE_INFINITY;
  let farthest = 0;
  for (const { west, south, east, north } of boxes) {
    const toParallel = Math.min(latitude - south, north - latitude) * METERS_PER_DEGREE;
    // The way to a meridian leads over the narrowest parallel of the box at the most.
    const widest = Math.max(Math.abs(south), Math.abs(north));
    const narrowing = Math.cos(widest * (Math.PI / 180));
    const toMeridian = Math.min(longitude - west, east - longitude) * METERS_PER_DEGREE * narrowing;
    farthest = Math.max(farthest, Math.min(toParallel, toMeridian));
  }
  return farthest;
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
