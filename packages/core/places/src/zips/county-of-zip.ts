import { type County, countyByFips } from '../counties/index.ts';
import type { Point } from '../point/point.ts';
import type { ZipGazetteer } from './zip-gazetteer.ts';

/** And their maximum distance. */
const MAX_NEIGHBOURS = 48;
const MAX_DISTANCE_METERS = 120_000;
/** Count in any direction. */
const NEAREST_COUNT = 6;
const SECTORS = 12;
/** Error radii: all neighbors within the first, the nearest in each direction within the second. */
const NEAR_RADII = 2;
const FAR_RADII = 4;

/**
 * Finds the county of a ZIP code; undefined if the ZIP code may extend into another county. The data has one county per ZIP code, so all
 * neighbors that can bound it must agree. By county outlines, one in a thousand places is in another county.
 * @example
 * countyOfZip(zips, '33139')?.label; // 'Miami-Dade County'
 */
export function countyOfZip(gazetteer: ZipGazetteer, zip: string): County | undefined {
  const zipPoint = gazetteer.find(zip);
  const fips = zipPoint?.countyFips;
  if (zipPoint === undefined || fips === undefined) return undefined;
  const sectors = new Set<number>();
  const near = gazetteer.nearest(zipPoint, MAX_NEIGHBOURS + 1, MAX_DISTANCE_METERS);
  for (const [index, { zipPoint: other, distanceMeters }] of near.entries()) {
    const isSamePlace = other.latitude === zipPoint.latitude && other.longitude === zipPoint.longitude;
    const sector = isSamePlace ? -1 : sectorOf(zipPoint, other);
    const isNear = index <= NEAREST_COUNT || distanceMeters < NEAR_RADII * zipPoint.errorRadiusMeters;
    const isNextThere = !sectors.has(sector) && distanceMeters < FAR_RADII * zipPoint.errorRadiusMeters;
    if (isNear || isNextThere) {
      if (other.countyFips !== fips) return undefined;
    }
    sectors.add(sector);
  }
  return countyByFips(fips);
}

function sectorOf(from: Point, to: Point): number {
  const east = (to.longitude - from.longitude) * Math.cos((from.latitude * Math.PI) / 180);
  const angle = Math.atan2(to.latitude - from.latitude, east) + Math.PI;
  return Math.floor((angle / (2 * Math.PI)) * SECTORS) % SECTORS;
}
