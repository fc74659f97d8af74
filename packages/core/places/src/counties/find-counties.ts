import { replacedCodes } from './aliases.ts';
import type { County } from './county.ts';
import { findState, type StateIndex, stateIndex } from './find-state.ts';
import { type State, states } from './states.ts';
import { moveSuffixBehind, spellOutSuffix, withoutFreeSuffix, words } from './words.ts';

const none: readonly County[] = Object.freeze([]);

/**
 * Returns the counties of a state by FIPS code; none for an unknown state. Connecticut has old counties and planning regions.
 * @example
 * countiesOf('de').map((county) => county.name); // [ 'kent', 'new castle', 'sussex' ]
 */
export function countiesOf(stateCode: string): readonly County[] {
  return stateIndex(stateCode)?.counties ?? none;
}

/**
 * Finds none, one, or two counties: a county and an independent city share six names (Baltimore, St. Louis, Fairfax, Franklin, Richmond,
 * Roanoke), and one county was split. Accepts names with or without the legal suffix in any punctuation, former and colloquial names,
 * and FIPS codes (former ones too, also without a leading zero).
 * @example
 * findCounties('fl', 'Dade').map((county) => county.label); // [ 'Miami-Dade County' ]
 */
export function findCounties(stateCode: string, text: string): readonly County[] {
  const index = stateIndex(stateCode);
  if (index === undefined) return none;
  const find = (key: string) => (/^\d{5}$/.test(key) ? byCode(index, key) : index.byKey.get(key));
  return matchCounty(index.state, text, find) ?? none;
}

/**
 * Finds a county in the spellings of {@link findCounties} with keys of the caller. `find` receives letters and digits without blanks, or
 * a FIPS code of five digits.
 * @example
 * matchCounty(findState('fl')!, 'Dade County, FL', (key) => (key === 'dade' ? 12086 : undefined)); // 12086
 */
export function matchCounty<Found>(
  state: State,
  text: string,
  find: (key: string) => Found | undefined,
): Found | undefined {
  const written = nameWithinState(state, text);
  if (written.length === 0) return undefined;
  const code = written[0]!;
  if (written.length === 1 && /^\d{4,5}$/.test(code)) return find(code.padStart(5, '0'));
  const name = spellOutSuffix(written);
  const moved = moveSuffixBehind(name);
  const bare = withoutFreeSuffix(state.code, moved ?? name);
  const lookUp = (candidate: readonly string[] | undefined) => candidate && find(candidate.join(''));
  return lookUp(name) ?? lookUp(moved) ?? lookUp(bare);
}

/** `Harris County, TX` gives the words before the state, or none for another state. */
function nameWithinState(state: State, text: string): readonly string[] {
  const comma = text.lastIndexOf(',');
  const whole = words(text);
  const named = comma < 0 || whole.length === 0 ? undefined : findState(text.slice(comma + 1));
  if (named === undefined) return whole;
  return named === state ? words(text.slice(0, comma)) : [];
}

export function byCode(index: StateIndex, code: string): readonly County[] | undefined {
  const counties = (replacedCodes.get(code) ?? [code]).flatMap((current) => index.byFips.get(current) ?? []);
  return counties.length === 0 ? undefined : counties;
}

/**
 * Finds a county by its five digits, former codes included. Undefined also if the county was split.
 * @example
 * countyByFips('12086')?.label; // 'Miami-Dade County'
 */
export function countyByFips(fips: string): County | undefined {
  const codes = replacedCodes.get(fips) ?? [fips];
  const [code] = codes;
  if (code === undefined || codes.length > 1) return undefined;
  const state = stateByFips.get(code.slice(0, 2));
  return state === undefined ? undefined : stateIndex(state.code)?.byFips.get(code);
}

const stateByFips: ReadonlyMap<string, State> = new Map(states.map((state) => [state.fips, state]));

/**
 * Finds the states with a county of this name.
 * @example
 * statesWithCounty('Broward').map((state) => state.code); // [ 'fl' ]
 */
export function statesWithCounty(text: string): readonly State[] {
  return states.filter((state) => findCounties(state.code, text).length > 0);
}
