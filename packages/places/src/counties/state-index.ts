import { aliases } from './aliases.ts';
import { type County, unpackCounties } from './county.ts';
import { findState } from './find-state.ts';
import type { State } from './states.ts';
import { words } from './words.ts';

/** One state's counties, unpacked when first asked for. */
export interface StateIndex {
  readonly state: State;
  readonly counties: readonly County[];
  readonly byFips: ReadonlyMap<string, County>;
  /** By spelling without blanks: with and without the legal suffix, and by alias. */
  readonly byKey: ReadonlyMap<string, readonly County[]>;
}

const indexes = new Map<string, StateIndex>();

/** The index of a state given by code or name; undefined if there is no such state. */
export function stateIndex(stateText: string): StateIndex | undefined {
  const state = findState(stateText);
  if (state === undefined) return undefined;
  let index = indexes.get(state.code);
  if (index === undefined) {
    index = createIndex(state);
    indexes.set(state.code, index);
  }
  return index;
}

function createIndex(state: State): StateIndex {
  const rows = unpackCounties(state);
  const counties = Object.freeze(rows.map(({ county }) => county));
  const byFips = new Map(counties.map((county) => [county.fips, county]));
  const byKey = new Map<string, readonly County[]>();
  const add = (spelling: string, county: County) => {
    const key = words(spelling).join('');
    const present = byKey.get(key) ?? [];
    if (!present.includes(county)) byKey.set(key, Object.freeze([...present, county]));
  };
  for (const { county, bareName } of rows) {
    add(county.label, county);
    add(bareName, county);
  }
  for (const [stateCode, spelling, ...codes] of aliases) {
    if (stateCode !== state.code) continue;
    for (const code of codes) {
      const county = byFips.get(code);
      if (county === undefined) throw new Error(`The alias "${spelling}" names ${code}, which is no county.`);
      add(spelling, county);
      // The alias without its suffix, unless that is a county's own name (Bedford city is gone, Bedford County is not).
      const bare = spelling.replace(/ (?:County|Census Area|Borough|city)$/, '');
      if (!byKey.has(words(bare).join('')) || codes.length > 1) add(bare, county);
    }
  }
  return { state, counties, byFips, byKey };
}
