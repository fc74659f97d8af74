import { type County, countyByFips } from '../counties/index.ts';
import type { Point } from '../point/point.ts';
import type { ZipGazetteer } from './zip-gazetteer.ts';

/** Whether a point seems to lie in the county that was given for it. */
export interface CountyComparison {
  /** `unknown` where no ZIP point near has a county, or only counties of Connecticut's other division. */
  readonly verdict: 'agrees' | 'differs' | 'unknown';
  /** The counties of the nearest ZIP points, nearest first. */
  readonly nearby: readonly County[];
}

/** How many ZIP points are looked at, and how far they are at most. */
export const NEAREST_COUNT = 8;
export const MAX_DISTANCE_METERS = 80_000;

/**
 * Compares the county given for a point with the counties of the nearest ZIP points. ZIP codes cross county lines, so a
 * difference is worth a warning and never a verdict.
 */
export function compareCounty(gazetteer: ZipGazetteer, point: Point, countyFips: string): CountyComparison {
  const codes = gazetteer.nearest(point, NEAREST_COUNT, MAX_DISTANCE_METERS).map(({ zipPoint }) => zipPoint.countyFips);
  const nearby = [...new Set(codes)].flatMap((code) => {
    const county = code === undefined ? undefined : countyByFips(code);
    return county === undefined ? [] : [county];
  });
  const given = countyByFips(countyFips);
  const comparable = nearby.filter((county) => given !== undefined && isSameDivision(county.fips, given.fips));
  if (given === undefined || comparable.length === 0) return { verdict: 'unknown', nearby };
  return { verdict: comparable.includes(given) ? 'agrees' : 'differs', nearby };
}

/** Connecticut's old counties (09001 to 09015) and its planning regions (09110 to 09190) divide the state differently. */
function isSameDivision(a: string, b: string): boolean {
  const isConnecticut = a.startsWith('09') && b.startsWith('09');
  return !isConnecticut || a < '09100' === b < '09100';
}
