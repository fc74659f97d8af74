import { countyByFips, findCounties } from '@leeward/places/counties';

const names = new Map<string, string>();

/** The label, if the name is ambiguous in the state. */
export function countyName(state: string, fips: string): string {
  const cached = names.get(fips);
  if (cached !== undefined) return cached;
  const county = countyByFips(fips);
  if (!county) return '';
  const name = findCounties(state, county.name).length === 1 ? county.name : county.label.toLowerCase();
  names.set(fips, name);
  return name;
}
