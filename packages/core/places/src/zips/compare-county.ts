import { type County, countyByFips } from '../counties/index.ts';
import type { Point } from '../point/point.ts';
import type { ZipGazetteer } from './zip-gazetteer.ts';

/** A point compared with a county. */
export interface CountyComparison {
  /** `unknown` without a near county, or only with Connecticut's other division. */
  readonly verdict: 'agrees' | 'differs' | 'unknown';
  /** Nearest first. */
  readonly nearby: readonly County[];
}

export const NEAREST_COUNT = 8;
export const MAX_DISTANCE_METERS = 80_000;

/**
 * Compares a county with those of the nearest ZIP points. ZIP codes cross county lines: a difference justifies a warning, not a
 * rejection.
 * @example
 * compareCounty(zips, { latitude: 25.79, longitude: -80.13 }, '12086').verdict; // 'agrees'
 */
export function compareCounty(gazetteer: ZipGazetteer, point: Point, countyFips: string): CountyComparison {
  const codes = gazetteer.nearest(point, NEAREST_COUNT, MAX_DISTANCE_METERS).map(({ zipPoint }) => zipPoint.countyFips);
  const nearby = [...new Set(codes)].flatMap((code) => {
    const county = code === undefined ? undefined : countyByFips(code);
    return county === undefined ? [] : [county];
  });
  const expected = countyByFips(countyFips);
  const comparable = nearby.filter((county) => expected !== undefined && isSameDivision(county.fips, expected.fips));
  if (expected === undefined || comparable.length === 0) return { verdict: 'unknown', nearby };
  return { verdict: comparable.includes(expected) ? 'agrees' : 'differs', nearby };
}

/** Connecticut's old counties (09001 to 09015) and planning regions (09110 to 09190). */
function isSameDivision(a: string, b: string): boolean {
  const isConnecticut = a.startsWith('09') && b.startsWith('09');
  return !isConnecticut || a < '09100' === b < '09100';
}
