import { findCounties } from '../counties/index.ts';
import type { NamedPlace } from '../names/named-table.ts';
import { placeKey } from '../names/place-key.ts';
import type { ZipGazetteer, ZipPoint } from './zip-gazetteer.ts';

/** ZIP codes and names of a city. */
export interface CityReading {
  readonly zips: readonly ZipPoint[];
  readonly keys: ReadonlySet<string>;
  /** A borough or county with several cities. */
  readonly isWider: boolean;
  /** Places without a ZIP code of their name, by the name as written or without an added word. */
  readonly places: readonly NamedPlace[];
}

/** Omitted words: `Hilton Head`. */
const leftOff = [
  'Island',
  'Beach',
  'City',
  'Springs',
  'Park',
  'Heights',
  'Village',
  'Township',
  'Shores',
  'Hills',
  'Lake',
];
/** Added words: `Village of Great Neck`, `Cambridge Township`. */
const putBefore = /^(?:city|town|village|borough|township|municipality|municipio)\s+(?:of|de)\s+/i;
const putBehind = /\s+(?:city|town|village|borough|township|twp)\.?$/i;
/** Without a post office of their name. */
const boroughs: Readonly<Record<string, string>> = { manhattan: '36061', queens: '36081' };

/**
 * Finds ZIP codes by the name as written, without an added word (`Village of`, `Township`), with a missing word (`Beach`, `City` …) if
 * exactly one makes a city, then by the borough or county. @param state Two letters, lower case.
 * @example
 * cityReading(await loadZipGazetteer(), 'sc', 'Hilton Head').zips.length > 0; // true
 */
export function cityReading(zips: ZipGazetteer, state: string, city: string): CityReading {
  const own = placeKey(city);
  const plain = city.replace(putBefore, '');
  const written = [city, plain, plain.replace(putBehind, '')];
  const places = written.map((name) => zips.findPlaces(state, name)).find(({ length }) => length > 0) ?? [];
  const names = [...written.map((name) => [name]), leftOff.map((word) => `${plain} ${word}`)];
  const borough = state === 'ny' ? boroughs[own] : undefined;
  for (const some of borough === undefined ? names : []) {
    const matches = some.map((name) => zips.findCity(state, name)).filter((points) => points.length > 0);
    const [points] = matches;
    if (points === undefined || matches.length > 1) continue;
    const keys = new Set([own, ...points.flatMap((point) => (point.city === undefined ? [] : placeKey(point.city)))]);
    return { zips: points, keys, isWider: false, places };
  }
  const counties = findCounties(state, plain);
  const fips = borough ?? (counties.length === 1 ? counties[0]!.fips : undefined);
  return {
    zips: fips === undefined ? [] : zips.ofCounty(fips),
    keys: new Set([own]),
    isWider: fips !== undefined,
    places,
  };
}
