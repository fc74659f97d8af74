import { countiesOf, states } from '@leeward/places/counties';

/** `counties.json`: of each state, by its code, its name and the FIPS code and name of each county. */
export function countyNames(): ReadonlyMap<string, string> {
  const byState = Object.fromEntries(
    states.map(({ code, name }) => [
      code,
      { name, counties: countiesOf(code).map((county) => [county.fips, county.name]) },
    ]),
  );
  return new Map([['counties.json', JSON.stringify(byState)]]);
}
