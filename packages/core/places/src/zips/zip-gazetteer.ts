import { around, distance } from 'geokdbush';
import KDBush from 'kdbush';
import { findState } from '../counties/index.ts';
import { listAreas, listNicknames } from '../names/areas.ts';
import type { NamedPlace, NamedTable } from '../names/named-table.ts';
import { placeKey, placeKeys } from '../names/place-key.ts';
import { createPlaceNames, type PlaceName, type PlaceNames } from '../names/place-names.ts';
import type { Point } from '../point/point.ts';
import { territoryCity } from './territory-cities.ts';
import type { ZipTable } from './zip-table.ts';

/** Position of a ZIP code. */
export interface ZipPoint {
  /** Five digits. */
  readonly zip: string;
  /** `Miami Beach`; undefined in the Pacific islands. */
  readonly city: string | undefined;
  /** Lower case. */
  readonly state: string;
  /** Undefined in the territories; a ZIP code can extend into other counties. */
  readonly countyFips: string | undefined;
  /** WGS 84, to a thousandth. */
  readonly latitude: number;
  readonly longitude: number;
  /** Maximum distance of its homes. */
  readonly errorRadiusMeters: number;
  readonly positionFrom: 'census' | 'geonames';
}

/** With its distance. */
export interface NearbyZip {
  readonly zipPoint: ZipPoint;
  /** On a sphere: within 0.6 % of the ellipsoid. */
  readonly distanceMeters: number;
}

/** ZIP codes by code, city and nearness, and other places by name. */
export interface ZipGazetteer {
  readonly size: number;
  find(zip: string): ZipPoint | undefined;
  /** In any case, punctuation or abbreviation; empty if the state lacks it. */
  findCity(state: string, city: string): readonly ZipPoint[];
  /** Towns without a ZIP code of their name, neighborhoods and islands; empty if the state lacks the name. */
  findPlaces(state: string, name: string): readonly NamedPlace[];
  /** Cities and other places of that name in every state, most populous first. */
  placesNamed(name: string): readonly PlaceName[];
  /** Up to three names of similar spelling in the state, or without one in all states, most populous first. */
  suggestPlaces(name: string, state?: string): readonly PlaceName[];
  /** By FIPS code. */
  ofCounty(fips: string): readonly ZipPoint[];
  /** True if one of these FIPS codes has a ZIP point. */
  hasCounty(fips: readonly string[]): boolean;
  /** Nearest first. */
  nearest(point: Point, count: number, maximumDistanceMeters?: number): readonly NearbyZip[];
}

/** Indexes are built on first use. @param readNames Reads the other places. @default no other places */
export function createZipGazetteer(table: ZipTable, readNames?: () => NamedTable): ZipGazetteer {
  const fipsOfState = table.states.map((code) => findState(code)?.fips ?? '');
  let rowsOfCity: ReadonlyMap<string, readonly number[]> | undefined;
  let placeNames: PlaceNames | undefined;
  let rowsOfCounty: ReadonlyMap<string, readonly number[]> | undefined;
  let positions: KDBush | undefined;
  let countiesOfTable: ReadonlySet<string | undefined> | undefined;

  const cityOf = (row: number) => table.cities[table.cityOf[row]!] || territoryCity(table.zips[row]!);
  const points = new Array<ZipPoint | undefined>(table.size);
  const zipPoint = (row: number): ZipPoint => (points[row] ??= makeZipPoint(row));
  const makeZipPoint = (row: number): ZipPoint => {
    const state = table.stateOf[row]!;
    const county = table.countyOf[row]!;
    return Object.freeze({
      zip: String(table.zips[row]).padStart(5, '0'),
      city: cityOf(row),
      state: table.states[state]!,
      countyFips: county === 0 ? undefined : fipsOfState[state] + String(county).padStart(3, '0'),
      latitude: table.latitudes[row]! / 1000,
      longitude: table.longitudes[row]! / 1000,
      errorRadiusMeters: table.radii[row]! * 500,
      positionFrom: table.fromGeoNames[row] === 1 ? 'geonames' : 'census',
    });
  };

  const cityRows = () => (rowsOfCity ??= indexCities(table, cityOf));
  const names = () => (placeNames ??= indexNames(cityRows(), readNames?.(), (row) => cityOf(row) ?? ''));
  const citiesOf = (state: string, city: string): readonly ZipPoint[] => {
    const rows = placeKeys(city).flatMap((key) => cityRows().get(`${state} ${key}`) ?? []);
    if (rows.length > 0) return rows.map(zipPoint);
    const nickname = names().cityOfNickname(placeKey(city));
    return nickname?.state === state ? citiesOf(state, nickname.city) : [];
  };

  return {
    size: table.size,
    find(zip) {
      const row = /^\d{5}$/.test(zip) ? rowOf(table, Number(zip)) : undefined;
      return row === undefined ? undefined : zipPoint(row);
    },
    findCity(state, city) {
      const code = findState(state)?.code;
      return code === undefined ? [] : citiesOf(code, city);
    },
    findPlaces(state, name) {
      const code = findState(state)?.code;
      return code === undefined ? [] : names().findPlaces(code, name);
    },
    placesNamed: (name) => names().placesNamed(name),
    suggestPlaces: (name, state) =>
      names().suggestPlaces(name, state === undefined ? undefined : findState(state)?.code),
    ofCounty(fips) {
      rowsOfCounty ??= indexCounties(table, fipsOfState);
      return (rowsOfCounty.get(fips) ?? []).map(zipPoint);
    },
    hasCounty(fips) {
      countiesOfTable ??= new Set(Array.from(table.zips, (_, row) => zipPoint(row).countyFips));
      return fips.some((code) => countiesOfTable?.has(code));
    },
    nearest({ latitude, longitude }, count, maximumDistanceMeters = Number.POSITIVE_INFINITY) {
      positions ??= indexPositions(table);
      return around(positions, longitude, latitude, count, maximumDistanceMeters / 1000).map((row) => {
        const near = zipPoint(row);
        return { zipPoint: near, distanceMeters: distance(longitude, latitude, near.longitude, near.latitude) * 1000 };
      });
    },
  };
}

function rowOf({ zips, size }: ZipTable, zip: number): number | undefined {
  let [low, high] = [0, size];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (zips[middle]! < zip) low = middle + 1;
    else high = middle;
  }
  return zips[low] === zip ? low : undefined;
}

function indexCities(
  table: ZipTable,
  cityOf: (row: number) => string | undefined,
): ReadonlyMap<string, readonly number[]> {
  const keys = table.cities.map(placeKey);
  const rows = new Map<string, number[]>();
  for (let row = 0; row < table.size; row += 1) {
    const city = keys[table.cityOf[row]!] || placeKey(cityOf(row) ?? '');
    if (!city) continue;
    const key = `${table.states[table.stateOf[row]!]} ${city}`;
    const present = rows.get(key);
    if (present === undefined) rows.set(key, [row]);
    else present.push(row);
  }
  return rows;
}

function indexNames(
  rowsOfCity: ReadonlyMap<string, readonly number[]>,
  named: NamedTable | undefined,
  nameOf: (row: number) => string,
): PlaceNames {
  const { cityPopulations = [], towns = [] } = named ?? {};
  const cities = Array.from(rowsOfCity, ([key, rows], index) => ({
    key: key.slice(3),
    state: key.slice(0, 2),
    name: nameOf(rows[0]!),
    population: cityPopulations[index] ?? 0,
  }));
  if (named !== undefined && cityPopulations.length !== cities.length) {
    throw new Error(`The populations are of ${cityPopulations.length} cities, the ZIP codes of ${cities.length}.`);
  }
  return named === undefined
    ? createPlaceNames(cities, [], [], [])
    : createPlaceNames(cities, towns, listAreas(), listNicknames());
}

function indexCounties(table: ZipTable, fipsOfState: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const rows = new Map<string, number[]>();
  for (let row = 0; row < table.size; row += 1) {
    const key = fipsOfState[table.stateOf[row]!]! + String(table.countyOf[row]).padStart(3, '0');
    const present = rows.get(key);
    if (present === undefined) rows.set(key, [row]);
    else present.push(row);
  }
  return rows;
}

function indexPositions(table: ZipTable): KDBush {
  const index = new KDBush(table.size);
  for (let row = 0; row < table.size; row += 1) index.add(table.longitudes[row]! / 1000, table.latitudes[row]! / 1000);
  return index.finish();
}
