import { aliases } from './aliases.ts';
import { type County, unpackCounties } from './county.ts';
import { type State, states } from './states.ts';
import { words } from './words.ts';

/** In addition to name and abbreviation. */
const otherSpellings: Readonly<Record<string, readonly string[]>> = {
  al: ['ala'],
  as: ['samoa', 'territory of american samoa'],
  az: ['ariz'],
  ar: ['ark'],
  ca: ['calif', 'cal'],
  co: ['colo'],
  ct: ['conn'],
  dc: ['washington dc', 'washington district of columbia', 'dist of columbia', 'the district of columbia'],
  de: ['del'],
  fl: ['fla'],
  gu: ['territory of guam'],
  il: ['ill'],
  in: ['ind'],
  ks: ['kans', 'kan'],
  ky: ['commonwealth of kentucky'],
  ma: ['mass', 'commonwealth of massachusetts'],
  mi: ['mich'],
  mn: ['minn'],
  mp: ['cnmi', 'northern marianas', 'n mariana islands', 'commonwealth of the northern mariana islands'],
  ms: ['miss'],
  mt: ['mont'],
  nd: ['n dak', 'no dakota'],
  ne: ['nebr', 'neb'],
  nm: ['n mex'],
  nv: ['nev'],
  nc: ['no carolina'],
  ny: ['new york state'],
  ok: ['okla'],
  or: ['ore', 'oreg'],
  pa: ['penn', 'penna', 'commonwealth of pennsylvania'],
  pr: ['commonwealth of puerto rico'],
  sc: ['so carolina'],
  sd: ['s dak', 'so dakota'],
  tn: ['tenn'],
  tx: ['tex'],
  va: ['commonwealth of virginia'],
  vi: [
    'virgin islands',
    'us virgin islands',
    'usvi',
    'united states virgin islands',
    'virgin islands of the united states',
  ],
  wa: ['wash', 'washington state'],
  wi: ['wis', 'wisc'],
  wv: ['w va'],
  wy: ['wyo'],
};

const directions: Readonly<Record<string, string>> = { north: 'n', south: 's', west: 'w' };

const byKey = new Map<string, State>();
for (const state of states) {
  const name = words(state.name);
  const [first = '', ...rest] = name;
  const direction = Object.hasOwn(directions, first) ? directions[first] : undefined;
  const spellings = [[state.code], name, ['state', 'of', ...name], ...(otherSpellings[state.code] ?? []).map(words)];
  if (direction !== undefined) spellings.push([direction, ...rest]);
  for (const spelling of spellings) byKey.set(spelling.join(''), state);
}

/**
 * Finds a state by name, abbreviation, or short form (`d.c.`, `n. carolina`, `Fla.`), in any case and punctuation.
 * @example
 * findState('N. Carolina')?.code; // 'nc'
 */
export function findState(text: string): State | undefined {
  return byKey.get(placeKey(text));
}

/**
 * Folds the name of a state or county, for a lookup in {@link stateKeys} or another list; empty for text with other characters.
 * @example
 * placeKey('N. Carolina'); // 'ncarolina'
 */
export function placeKey(text: string): string {
  return words(text).join('');
}

/** The keys of {@link findState}: letters without blanks. */
export const stateKeys: ReadonlyMap<string, State> = byKey;

export interface StateIndex {
  readonly state: State;
  readonly counties: readonly County[];
  readonly byFips: ReadonlyMap<string, County>;
  readonly byKey: ReadonlyMap<string, readonly County[]>;
}

const indexes = new Map<string, StateIndex>();

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
      if (county === undefined) throw new Error(`The alias "${spelling}" names ${code}, which is not a county.`);
      add(spelling, county);
      // Without its suffix, unless a county has that name (Bedford city was dissolved, Bedford County exists).
      const bare = spelling.replace(/ (?:County|Census Area|Borough|city)$/, '');
      if (!byKey.has(words(bare).join('')) || codes.length > 1) add(bare, county);
    }
  }
  return { state, counties, byFips, byKey };
}
