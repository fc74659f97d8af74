import { words } from '../counties/words.ts';

/** Postal Service abbreviations; `words` handles `saint` and `fort`. */
const spelledOut: Readonly<Record<string, string>> = {
  bch: 'beach',
  bh: 'beach',
  br: 'branch',
  crk: 'creek',
  ctr: 'center',
  cty: 'city',
  cyn: 'canyon',
  e: 'east',
  ests: 'estates',
  gdns: 'gardens',
  grv: 'grove',
  hbr: 'harbor',
  hgts: 'heights',
  hl: 'hill',
  hls: 'hills',
  hts: 'heights',
  is: 'island',
  isl: 'island',
  jct: 'junction',
  ky: 'key',
  lk: 'lake',
  lks: 'lakes',
  mt: 'mount',
  mtn: 'mountain',
  n: 'north',
  pk: 'park',
  plns: 'plains',
  pt: 'point',
  rdg: 'ridge',
  s: 'south',
  shrs: 'shores',
  spg: 'spring',
  spgs: 'springs',
  sprgs: 'springs',
  twp: 'township',
  vlg: 'village',
  vly: 'valley',
  vy: 'valley',
  w: 'west',
  wd: 'woods',
};

/** Only before other words. */
const spelledOutInFront: Readonly<Record<string, string>> = { no: 'north', so: 'south' };

/**
 * Normalizes a city's name for comparison; empty for a text that cannot be a name.
 * @example
 * placeKey('N. Miami Bch') === placeKey('North Miami Beach'); // true
 */
export function placeKey(name: string): string {
  return keyOf(words(name));
}

/** Every reading of the name: `Pt.` is a point or a port. */
export function placeKeys(name: string): readonly string[] {
  const list = words(name);
  const key = keyOf(list);
  return list.includes('pt') ? [key, keyOf(list.map((word) => (word === 'pt' ? 'port' : word)))] : [key];
}

function keyOf(list: readonly string[]): string {
  return list
    .map((word, index) => {
      const table =
        index === 0 && list.length > 1 && Object.hasOwn(spelledOutInFront, word) ? spelledOutInFront : spelledOut;
      return Object.hasOwn(table, word) ? table[word] : word;
    })
    .join('');
}
