import type { County } from './county.ts';
import { findCounties } from './find-counties.ts';
import { type StateIndex, stateIndex } from './find-state.ts';
import { freeSuffixes, suffixes, words } from './words.ts';

/** Words that `words` writes in another form. */
const written: ReadonlyMap<string, string> = new Map([
  ['st', 'saint'],
  ['ste', 'sainte'],
  ['fort', 'ft'],
]);

/**
 * Lists the usual spellings of the counties of a state, for programs that look them up in a list: letters and digits without blanks.
 * Includes the codes of {@link findCounties}; combinations of several legal suffixes are left out.
 * @example
 * countySpellings('de').get('newcastleco')?.map((county) => county.fips); // [ '10003' ]
 */
export function countySpellings(stateCode: string): ReadonlyMap<string, readonly County[]> {
  const index = stateIndex(stateCode);
  if (index === undefined) return new Map();
  const spellings = new Map<string, readonly County[]>(index.byKey);
  for (const text of textsOf(index)) {
    const key = text.replaceAll(' ', '');
    const counties = spellings.has(key) ? [] : findCounties(stateCode, text);
    if (counties.length > 0) spellings.set(key, counties);
  }
  return spellings;
}

function* textsOf({ state, counties }: StateIndex): Iterable<string> {
  const ends = freeSuffixes(state.code).filter((suffix) => suffix !== 'city and county');
  for (const { label } of counties) {
    const name = words(label);
    const suffix = suffixes.find((each) => each.join(' ') === name.slice(-each.length).join(' ')) ?? [];
    const bare = name.slice(0, name.length - suffix.length);
    const other = bare.map((word) => written.get(word) ?? word);
    for (const each of new Set([bare.join(' '), other.join(' ')])) {
      yield each;
      for (const end of [suffix.join(' '), ...ends, 'co']) yield `${each} ${end}`;
      for (const start of ['county', suffix.join(' ')]) yield `${start} of ${each}`;
    }
  }
  // Also codes of the past.
  for (let number = 0; number < 1000; number++) yield state.fips + String(number).padStart(3, '0');
}
