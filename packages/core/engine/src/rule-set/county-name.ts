import { countyByFips, findCounties } from '@leeward/places/counties';

const names = new Map<string, string>();

/** A county by its name, or by its label where the name alone would mean two. */
export function countyName(state: string, fips: string): string {
  const known = names.get(fips);
  if (known !== undefined) return known;
  const county = countyByFips(fips);
  if (!county) return '';
  const name = findCounties(state, county.name).length === 1 ? county.name : county.label.toLowerCase();
  names.set(fips, name);
  return name;
}
