import { countiesOf, countyByFips, countyHint, findCounties, findState, states } from '@leeward/places/counties';
import { arrayOf, type Fault, isObject, own, pointer, quoteValue } from '@leeward/terms';

interface Selection {
  readonly mode: 'include' | 'exclude';
  readonly fips: ReadonlySet<string>;
}

/** States, each whole or narrowed to counties. */
export interface Places {
  /** Undefined means everywhere. */
  readonly states: readonly string[] | undefined;
  readonly counties: ReadonlyMap<string, Selection>;
}

/** True if the places include the state, at least in part. */
export function coversState(places: Places, state: string): boolean {
  return places.states === undefined ? true : places.states.includes(state);
}

/** True if the places include the county. */
export function coversCounty(places: Places, state: string, fips: string): boolean {
  if (!coversState(places, state)) return false;
  const selection = places.counties.get(state);
  return selection === undefined || selection.fips.has(fips) === (selection.mode === 'include');
}

/** Adds every fault to `faults` and returns the valid part. */
export function readPlaces(source: Record<string, unknown>, path: string, faults: Fault[]): Places {
  const statesGiven = own(source, 'states');
  const stateCodes: string[] = [];
  arrayOf(statesGiven).forEach((text, index) => {
    if (typeof text !== 'string') return;
    const state = findState(text);
    if (state?.code === text) stateCodes.push(text);
    else {
      const hint = state ? ` Did you mean "${state.code}"?` : '';
      faults.push({
        path: `${path}/states/${index}`,
        code: 'unknown_state',
        message: `${quoteValue(text)} is not a state; write its abbreviation in lower case.${hint}`,
      });
    }
  });
  const counties = new Map<string, Selection>();
  const countiesByState = own(source, 'counties');
  if (isObject(countiesByState)) {
    for (const [state, selection] of Object.entries(countiesByState)) {
      const at = `${path}/counties${pointer(state)}`;
      if (state === '$comment') continue;
      const match = findState(state);
      if (match?.code !== state) {
        const hint = match ? ` Did you mean "${match.code}"?` : '';
        faults.push({ path: at, code: 'unknown_state', message: `${quoteValue(state)} is not a state.${hint}` });
      } else if (statesGiven !== undefined && !stateCodes.includes(state)) {
        const message = `"${state}" has counties but is not among the states; add it to states or leave its counties out.`;
        faults.push({ path: at, code: 'county_not_in_states', message });
      } else if (isObject(selection)) {
        const read = readSelection(state, selection, at, faults);
        if (read) counties.set(state, read);
      }
    }
  }
  return { states: statesGiven === undefined ? undefined : stateCodes, counties };
}

function readSelection(
  state: string,
  selection: Record<string, unknown>,
  path: string,
  faults: Fault[],
): Selection | undefined {
  const include = own(selection, 'include');
  const exclude = own(selection, 'exclude');
  if ((include === undefined) === (exclude === undefined)) {
    const message = include === undefined ? 'Give one of include and exclude.' : 'Give include or exclude, not both.';
    faults.push({ path, code: 'include_and_exclude', message });
    return undefined;
  }
  const mode = include === undefined ? 'exclude' : 'include';
  const fips = new Set<string>();
  arrayOf(include ?? exclude).forEach((name, index) => {
    if (typeof name !== 'string') return;
    const matches = findCounties(state, name);
    if (matches.length === 0) {
      const message = unknownCounty(state, name);
      faults.push({ path: `${path}/${mode}/${index}`, code: 'unknown_county', message });
    }
    for (const county of matches) fips.add(county.fips);
  });
  return { mode, fips };
}

function unknownCounty(state: string, name: string): string {
  return `${quoteValue(name)} is not a county of "${state}".${countyHint(state, name)}`;
}

/** By FIPS code, or name with state (`"jefferson, tx"`). */
export function countiesOfValue(text: string): readonly string[] {
  if (/^\d{5}$/.test(text)) return countyByFips(text) ? [text] : [];
  const comma = text.lastIndexOf(',');
  if (comma < 0) return [];
  const state = findState(text.slice(comma + 1));
  return state ? findCounties(state.code, text.slice(0, comma)).map((county) => county.fips) : [];
}

/** The codes that replaced a former FIPS code; none for a code in use. */
export function currentCodes(fips: string): readonly string[] {
  const state = /^\d{5}$/.test(fips) ? states.find((each) => each.fips === fips.slice(0, 2)) : undefined;
  const codes = state ? findCounties(state.code, fips).map((county) => county.fips) : [];
  return codes.includes(fips) ? [] : codes;
}

export function fipsCovered(places: Places, state: string): readonly string[] {
  return countiesOf(state)
    .map((county) => county.fips)
    .filter((fips) => coversCounty(places, state, fips));
}
