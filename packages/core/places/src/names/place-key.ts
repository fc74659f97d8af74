import { words } from '../counties/words.ts';

/** Postal Service abbreviations; `words` handles `saint` and `fort`. */
const spelledOut: Readonly<Record<string, string>> = {
  bch: 'beach',
  cty: 'city',
  e: 'east',
  hbr: 'harbor',
  hgts: 'heights',
  hts: 'heights',
  is: 'island',
  jct: 'junction',
  lk: 'lake',
  mt: 'mount',
  mtn: 'mountain',
  n: 'north',
  pk: 'park',
  pt: 'point',
  s: 'south',
  spg: 'spring',
  spgs: 'springs',
  vlg: 'village',
  w: 'west',
};

/**
 * Normalizes a city's name for comparison; empty for a text that cannot be a name.
 * @example
 * placeKey('N. Miami Bch') === placeKey('North Miami Beach'); // true
 */
export function placeKey(name: string): string {
  return words(name)
    .map((word) => (Object.hasOwn(spelledOut, word) ? spelledOut[word] : word))
    .join('');
}
