import { replacedCodes } from '../../../packages/core/places/src/counties/aliases.ts';
import { stateIndex } from '../../../packages/core/places/src/counties/find-state.ts';
import { states } from '../../../packages/core/places/src/counties/states.ts';
import { freeSuffixes, suffixes } from '../../../packages/core/places/src/counties/words.ts';

/** States and counties as JSON, one entry a line, for implementations of the rule format in other languages. */
export function placesData(): string {
  const counties = states.flatMap(({ code }) => {
    const { counties: all, byKey } = stateIndex(code)!;
    const keysOf = new Map(all.map(({ fips }) => [fips, [] as string[]]));
    for (const [key, matches] of byKey) for (const { fips } of matches) keysOf.get(fips)!.push(key);
    return all.map((county) => ({ ...county, keys: keysOf.get(county.fips)! }));
  });
  const lists = {
    states: states.map(({ code, fips, name }) => ({ code, fips, name })),
    suffixes: suffixes.map((suffix) => suffix.join(' ')),
    free_suffixes: states.map(({ code }) => ({ state: code, suffixes: freeSuffixes(code) })),
    former_codes: [...replacedCodes].map(([fips, now]) => ({ fips, now })),
    counties,
  };
  const text = Object.entries(lists).map(
    ([name, entries]) =>
      `  ${JSON.stringify(name)}: [\n${entries.map((each) => `    ${JSON.stringify(each)}`).join(',\n')}\n  ]`,
  );
  return `{\n${text.join(',\n')}\n}\n`;
}
