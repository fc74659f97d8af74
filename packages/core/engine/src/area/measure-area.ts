/**
 * The distance of a building from an area, and whether all of it lies inside.
 *
 * Positions are projected to a plane around the location of the building, by the radii of WGS 84 at its latitude. Straight edges stay
 * straight, so distances on the plane are exact up to rounding; they differ from distances on the ground by less than `errorMeters`.
 * Results inside that error are unknown. Without a footprint, the building is anywhere in the circle of its location.
 */
import { METERS_PER_MILE } from '@leeward/terms';
import type { PropertyLocation } from '../request/property-location.ts';
import { type Area, MAX_MILES } from './area.ts';
import { measureFootprint } from './measure-footprint.ts';
import { planeAround } from './plane.ts';
import { type PreparedArea, preparedArea } from './prepare-area.ts';
import { signedDistance } from './signed-distance.ts';

/** Bounds of the position of a building relative to an area. */
export interface AreaReading {
  /** Bounds of the miles from the nearest part of the building; 0 if a part is inside. */
  readonly minMiles: number;
  readonly maxMiles: number;
  /** 1 if the whole building is inside, 0 if not, undefined if unknown. */
  readonly entire: 0 | 1 | undefined;
}

const anywhere: AreaReading = { minMiles: 0, maxMiles: MAX_MILES, entire: undefined };
const readings = new WeakMap<PropertyLocation, Map<Area, AreaReading>>();

/** Measures an area once for each location. */
export function readArea(area: Area, location: PropertyLocation | undefined): AreaReading {
  if (location === undefined) return anywhere;
  let ofLocation = readings.get(location);
  if (!ofLocation) {
    ofLocation = new Map();
    readings.set(location, ofLocation);
  }
  let reading = ofLocation.get(area);
  if (!reading) {
    reading = measureArea(preparedArea(area), location);
    ofLocation.set(area, reading);
  }
  return reading;
}

function measureArea(area: PreparedArea, location: PropertyLocation): AreaReading {
  const { latitude, longitude, radiusMeters, footprint } = location;
  const plane = planeAround(latitude, longitude, area.middleLongitude);
  const signed = signedDistance(area, plane, 0, 0);
  if (footprint) {
    const error = errorMeters(Math.abs(signed) + 2 * radiusMeters, latitude);
    const ofFootprint = measureFootprint(area, plane, footprint, { signed, radiusMeters, error });
    if (ofFootprint) return readingOf(ofFootprint.minMeters, ofFootprint.maxMeters, ofFootprint.entire);
  }
  const reach = radiusMeters + errorMeters(Math.abs(signed), latitude);
  const min = signed - area.bufferMeters - reach;
  const max = signed - area.bufferMeters + reach;
  return readingOf(min, max, max <= 0 ? 1 : min > 0 ? 0 : undefined);
}

function readingOf(minMeters: number, maxMeters: number, entire: AreaReading['entire']): AreaReading {
  const toMiles = (meters: number) => Math.min(MAX_MILES, Math.max(0, meters / METERS_PER_MILE));
  return { minMiles: toMiles(minMeters), maxMiles: toMiles(maxMeters), entire };
}

/**
 * Upper bound of the difference between a distance on the plane and on the ground, in meters.
 *
 * @param meters distance on the plane from its origin
 */
export function errorMeters(meters: number, latitude: number): number {
  const tangent = Math.abs(Math.tan((latitude * Math.PI) / 180));
  return 1 + (meters * meters * (0.5 * tangent + 0.1)) / 6_360_000;
}
