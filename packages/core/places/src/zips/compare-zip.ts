import type { County } from '../counties/index.ts';
import type { ZipGazetteer, ZipPoint } from './zip-gazetteer.ts';

/** A ZIP code compared with a state and county. */
export interface ZipComparison {
  /** `unknown` without the ZIP code, or any ZIP point of the county. */
  readonly verdict: 'agrees' | 'other_state' | 'far' | 'unknown';
  /** Undefined if unknown. */
  readonly zipPoint: ZipPoint | undefined;
}

/** ZIP codes cross county lines, in the west by far. */
const FAR_METERS = 40_000;

/**
 * Compares a ZIP code with a state and all counties that a name can mean. A few ZIP codes cross state lines: a difference justifies a
 * warning, not a rejection.
 * @example
 * compareZip(zips, '33139', 'fl', findCounties('fl', 'Dade')).verdict; // 'agrees'
 */
export function compareZip(
  gazetteer: ZipGazetteer,
  zip: string,
  stateCode: string,
  counties: readonly County[],
): ZipComparison {
  const zipPoint = gazetteer.find(zip.slice(0, 5));
  if (zipPoint === undefined) return { verdict: 'unknown', zipPoint };
  if (zipPoint.state !== stateCode) return { verdict: 'other_state', zipPoint };
  const codes = new Set(counties.map((county) => county.fips));
  if (zipPoint.countyFips === undefined || codes.size === 0) return { verdict: 'unknown', zipPoint };
  if (codes.has(zipPoint.countyFips)) return { verdict: 'agrees', zipPoint };
  if (!gazetteer.hasCounty([...codes])) return { verdict: 'unknown', zipPoint };
  const reach = zipPoint.errorRadiusMeters + FAR_METERS;
  const near = gazetteer.nearest(zipPoint, Number.POSITIVE_INFINITY, reach);
  const isNear = near.some(({ zipPoint: { countyFips } }) => countyFips !== undefined && codes.has(countyFips));
  return { verdict: isNear ? 'agrees' : 'far', zipPoint };
}
