import { countiesOf, countySpellings, countySuffixes, findCounties } from '@leeward/places/counties';
import type { DialectWriter } from './dialect.ts';

/** Legal suffixes, the longest first. Names drop `city and county`, which no county has. */
const SUFFIXES =
  'city and borough|city and county|planning region|census area|municipality|municipio|district|borough|county|parish|island|city';
const PREFIX = `^ (${SUFFIXES}) (of|de) (.+)$`;
const SUFFIX = `([^ ]) (${SUFFIXES}) $`;
const DROPPED = ' city and county $';

/** The expression of the key of a county: letters and digits, and `_` before a legal suffix that is written as a word. */
export function countyKey({ plain, replaceAll }: DialectWriter, x: string): string {
  const letters = replaceAll(`replace(lower(${plain(x)}), '&', ' and ')`, '[^a-z0-9 .,;:/_-]', '');
  const words = `' ' || trim(${replaceAll(letters, '[^a-z0-9]+', ' ')}) || ' '`;
  const written = `replace(replace(replace(${words}, ' saint ', ' st '), ' sainte ', ' ste '), ' ft ', ' fort ')`;
  const moved = replaceAll(replaceAll(written, ' (co|cnty|cty) $', ' county '), PREFIX, ' \\3\\1 ');
  return `replace(${replaceAll(replaceAll(moved, DROPPED, ' '), SUFFIX, '\\1_\\2')}, ' ', '')`;
}

/** The keys of the counties of a state, with FIPS codes. A name may have several counties. */
export function countyKeys(state: string): ReadonlyMap<string, readonly string[]> {
  const codesOf = (text: string) => findCounties(state, text).map(({ fips }) => fips);
  const keys = new Map(Array.from(countySpellings(state).keys(), (key) => [key, codesOf(key)]));
  const add = (key: string, text: string) => {
    const codes = keys.has(key) ? [] : codesOf(text);
    if (codes.length > 0) keys.set(key, codes);
  };
  const names = [...keys.keys()].filter((key) => !/^\d/.test(key));
  for (const { suffix } of countySuffixes(state))
    for (const name of names) add(`${name}_${suffix.replaceAll(' ', '')}`, `${name} ${suffix}`);
  // A suffix may be part of the name: James City County.
  for (const { name, label } of countiesOf(state)) {
    for (const text of [name, label]) {
      const words = ` ${text.toLowerCase().replaceAll(/[^a-z ]/g, '')} `;
      const moved = words.replace(new RegExp(PREFIX), ' $3$1 ').replace(new RegExp(SUFFIX), '$1_$2');
      add(moved.replaceAll(' ', ''), text);
    }
  }
  return keys;
}
