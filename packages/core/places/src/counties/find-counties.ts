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
  const name = nameWithinState(index.state, text);
  if (name.length === 0) return none;
  const code = name[0];
  if (name.length === 1 && code !== undefined && /^\d{4,5}$/.test(code)) return byCode(index, code.padStart(5, '0'));
  return byName(index, spellOutSuffix(name));
}

/** `Harris County, TX` gives the words before the state, or none for another state. */
function nameWithinState(state: State, text: string): readonly string[] {
  const comma = text.lastIndexOf(',');
  const whole = words(text);
  const named = comma < 0 || whole.length === 0 ? undefined : findState(text.slice(comma + 1));
  if (named === undefined) return whole;
  return named === state ? words(text.slice(0, comma)) : [];
}

function byCode(index: StateIndex, code: string): readonly County[] {
  return (replacedCodes.get(code) ?? [code])
    .map((current) => index.byFips.get(current))
    .filter((county) => county !== undefined);
}

function byName(index: StateIndex, name: readonly string[]): readonly County[] {
  const lookUp = (candidate: readonly string[] | undefined) =>
    candidate === undefined ? undefined : index.byKey.get(candidate.join(''));
  const moved = moveSuffixBehind(name);
  return lookUp(name) ?? lookUp(moved) ?? lookUp(withoutFreeSuffix(index.state.code, moved ?? name)) ?? none;
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
