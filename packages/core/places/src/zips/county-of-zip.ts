import { type County, countyByFips } from '../counties/index.ts';
import type { Point } from '../point/point.ts';
import type { ZipGazetteer } from './zip-gazetteer.ts';

/** Neighbours of a ZIP code that are looked at, and how far they are at most. */
const MAX_NEIGHBOURS = 48;
const MAX_DISTANCE_METERS = 120_000;
/** Neighbours nearest of all, whatever their direction. */
const NEAREST_COUNT = 6;
const SECTORS = 12;
/** In radii of error of the ZIP code: all neighbours within the first, the nearest of each direction within the second. */
const NEAR_RADII = 2;
const FAR_RADII = 4;

/**
 * The county of a ZIP code that lies in one county; undefined if it may reach into another. The data has one county a ZIP
 * code, so the neighbours decide: those that can bound it must all be of that county. Held against the counties' outlines, one in a
 * thousand places of such ZIP codes lies in another county.
 */
export function countyOfZip(gazetteer: ZipGazetteer, zip: string): County | undefined {
  const zipPoint = gazetteer.find(zip);
  const fips = zipPoint?.countyFips;
  if (zipPoint === undefined || fips === undefined) return undefined;
  const seen = new Set<number>();
  const near = gazetteer.nearest(zipPoint, MAX_NEIGHBOURS + 1, MAX_DISTANCE_METERS);
  for (const [index, { zipPoint: other, distanceMeters }] of near.entries()) {
    const isSamePlace = other.latitude === zipPoint.latitude && other.longitude === zipPoint.longitude;
    const sector = isSamePlace ? -1 : sectorOf(zipPoint, other);
    const isNear = index <= NEAREST_COUNT || distanceMeters < NEAR_RADII * zipPoint.errorRadiusMeters;
    const isNextThere = !seen.has(sector) && distanceMeters < FAR_RADII * zipPoint.errorRadiusMeters;
    if (isNear || isNextThere) {
      if (other.countyFips !== fips) return undefined;
    }
    seen.add(sector);
  }
  return countyByFips(fips);
}

function sectorOf(from: Point, to: Point): number {
  const east = (to.longitude - from.longitude) * Math.cos((from.latitude * Math.PI) / 180);
  const angle = Math.atan2(to.latitude - from.latitude, east) + Math.PI;
  return Math.floor((angle / (2 * Math.PI)) * SECTORS) % SECTORS;
}
