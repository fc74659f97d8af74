import { replacedCodes } from '../../../packages/core/places/src/counties/aliases.ts';
import { findCounties } from '../../../packages/core/places/src/counties/find-counties.ts';
import { stateIndex } from '../../../packages/core/places/src/counties/find-state.ts';
import { type State, states } from '../../../packages/core/places/src/counties/states.ts';
import { suffixes, words } from '../../../packages/core/places/src/counties/words.ts';
import { countyExtent } from '../../../packages/core/places/src/extents/extents.ts';

/** States and counties as JSON, one entry a line, for implementations of the rule format in other languages. */
export function placesData(): string {
  const counties = states.flatMap((state) => {
    const { counties: all } = stateIndex(state.code)!;
    const keysOf = new Map(all.map(({ fips }) => [fips, new Set<string>()]));
    for (const spelling of spellingsIn(state)) {
      for (const { fips } of findCounties(state.code, spelling)) keysOf.get(fips)!.add(words(spelling).join(''));
    }
    return all.map((county) => ({ ...county, keys: [...keysOf.get(county.fips)!], ...octagonOf(county.fips) }));
  });
  const lists = {
    states: states.map(({ code, fips, name, timeZone }) => ({
      code,
      fips,
      name,
      time_zone: timeZone,
      keys: [code, words(name).join('')],
    })),
    counties,
  };
  const text = Object.entries(lists).map(
    ([name, entries]) =>
      `  ${JSON.stringify(name)}: [\n${entries.map((each) => `    ${JSON.stringify(each)}`).join(',\n')}\n  ]`,
  );
  return `{\n${text.join(',\n')}\n}\n`;
}

/** Smallest and largest longitude x, latitude y, x + y and x − y of a county, in hundredths of a degree. */
function octagonOf(fips: string): object {
  const extent = countyExtent(fips);
  if (!extent) return {};
  const corners = extent.corners.map((corner) => corner.map((each) => Math.round(each * 100)) as [number, number]);
  const measures: readonly ((x: number, y: number) => number)[] = [
    (x) => x,
    (_, y) => y,
    (x, y) => x + y,
    (x, y) => x - y,
  ];
  const octagon = measures.flatMap((measure) => {
    const numbers = corners.map(([x, y]) => measure(x, y));
    return [Math.min(...numbers), Math.max(...numbers)];
  });
  return { octagon, ...(extent.isTight ? {} : { is_loose: true }) };
}

/** Spellings of counties that may be accepted: names with and without a suffix, before or behind, and codes. */
function* spellingsIn({ code, fips: ofState }: State): Generator<string> {
  const { counties, byKey } = stateIndex(code)!;
  for (const fips of [...counties.map((county) => county.fips), ...replacedCodes.keys()]) {
    if (!fips.startsWith(ofState)) continue;
    yield fips;
    if (fips.startsWith('0')) yield fips.slice(1);
  }
  const joined = suffixes.map((each) => each.join(''));
  const isFull = (key: string) => joined.some((suffix) => key.endsWith(suffix));
  const stems = new Set([...byKey.keys()].filter((key) => !isFull(key)));
  for (const key of byKey.keys()) {
    yield key;
    for (const suffix of joined) if (key.endsWith(suffix) && key !== suffix) stems.add(key.slice(0, -suffix.length));
  }
  for (const stem of stems) {
    for (const suffix of suffixes.map((each) => each.join(' '))) {
      yield `${stem} ${suffix}`;
      yield `${suffix} of ${stem}`;
      if (code === 'pr') yield `${suffix} de ${stem}`;
    }
  }
}
