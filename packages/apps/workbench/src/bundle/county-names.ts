import { countiesOf, states } from '@leeward/places/counties';

/** `counties.json`: name and counties (FIPS code, name) of each state, by its code. */
export function countyNames(): ReadonlyMap<string, string> {
  const byState = Object.fromEntries(
    states.map(({ code, name }) => [
      code,
      { name, counties: countiesOf(code).map((county) => [county.fips, county.name]) },
    ]),
  );
  return new Map([['counties.json', JSON.stringify(byState)]]);
}
