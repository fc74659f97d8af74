import { type State, states } from './states.ts';
import { words } from './words.ts';

/** Spellings beside the name and the postal abbreviation. */
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
 * A state by its name, its postal abbreviation, or a usual short form (`d.c.`, `n. carolina`, `Fla.`), however cased and
 * punctuated. `undefined` for anything else.
 */
export function findState(text: string): State | undefined {
  return byKey.get(words(text).join(''));
}
