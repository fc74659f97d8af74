import type { County } from './county.ts';
import { byCode } from './find-counties.ts';
import { stateIndex } from './find-state.ts';
import { freeSuffixes, suffixes } from './words.ts';

/**
 * Lists the keys under which {@link findCounties} looks up the counties of a state. Keys are names with and without legal suffix, as letters
 * and digits without blanks, and FIPS codes of five digits, former ones too.
 * @example
 * countySpellings('de').get('newcastle')?.map((county) => county.fips); // [ '10003' ]
 */
export function countySpellings(stateCode: string): ReadonlyMap<string, readonly County[]> {
  const index = stateIndex(stateCode);
  if (index === undefined) return new Map();
  const spellings = new Map<string, readonly County[]>(index.byKey);
  for (let number = 0; number < 1000; number++) {
    const code = index.state.fips + String(number).padStart(3, '0');
    const counties = byCode(index, code);
    if (counties) spellings.set(code, counties);
  }
  return spellings;
}

/** A legal suffix of counties, as lower-case words. */
export interface CountySuffix {
  readonly suffix: string;
  /** True if any county of the state may have it: without it, the name is looked up as well. */
  readonly isFree: boolean;
}

/**
 * Lists the legal suffixes of the counties of a state. `County of Harris` is looked up as `Harris County`, for all of them.
 * @example
 * countySuffixes('la').map(({ suffix }) => suffix); // [ 'city and county', 'county', 'parish' ]
 */
export function countySuffixes(stateCode: string): readonly CountySuffix[] {
  const index = stateIndex(stateCode);
  if (index === undefined) return [];
  const free = freeSuffixes(stateCode);
  const keys = [...index.byKey.keys()];
  return suffixes
    .map((words) => ({ suffix: words.join(' '), key: words.join('') }))
    .filter(
      ({ suffix, key }) =>
        free.includes(suffix) || keys.some((each) => each.endsWith(key) || each.startsWith(`${key}of`)),
    )
    .map(({ suffix }) => ({ suffix, isFree: free.includes(suffix) }));
}
