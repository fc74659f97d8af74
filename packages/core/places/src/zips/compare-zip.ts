import type { County } from '../counties/index.ts';
import type { ZipGazetteer, ZipPoint } from './zip-gazetteer.ts';

/** Whether a ZIP code fits the state and the county that were given with it. */
export interface ZipComparison {
  /** `unknown` where the ZIP code, or any ZIP point of the county, is not known here. */
  readonly verdict: 'agrees' | 'other_state' | 'far' | 'unknown';
  /** Where the ZIP code lies; undefined where it is not known. */
  readonly zipPoint: ZipPoint | undefined;
}

/** ZIP codes reach across county lines, and western ones far: what lies nearer is no contradiction. */
const FAR_METERS = 40_000;

/**
 * Compares a ZIP code with a state and the counties that a name can mean. A few ZIP codes cross state lines as well, so a
 * difference is worth a warning and never a verdict.
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
