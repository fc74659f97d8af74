import { countyByFips, findCounties } from '@leeward/places/counties';

/** A county by its name, or by its label where the name alone would mean two. */
export function countyName(state: string, fips: string): string {
  const county = countyByFips(fips);
  if (!county) return '';
  return findCounties(state, county.name).length === 1 ? county.name : county.label.toLowerCase();
}
