import { around, distance } from 'geokdbush';
import KDBush from 'kdbush';
import { findState } from '../counties/index.ts';
import type { Point } from '../point/point.ts';
import { placeKey } from './place-key.ts';
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

/** ZIP codes by code, city and nearness. */
export interface ZipGazetteer {
  readonly size: number;
  find(zip: string): ZipPoint | undefined;
  /** In any case, punctuation or abbreviation; empty if the state lacks it. */
  findCity(state: string, city: string): readonly ZipPoint[];
  /** Lower case. */
  statesWithCity(city: string): readonly string[];
  /** By FIPS code. */
  ofCounty(fips: string): readonly ZipPoint[];
  /** True if one of these FIPS codes has a ZIP point. */
  hasCounty(fips: readonly string[]): boolean;
  /** Nearest first. */
  nearest(point: Point, count: number, maximumDistanceMeters?: number): readonly NearbyZip[];
}

/** Indexes are built on first use. */
export function createZipGazetteer(table: ZipTable): ZipGazetteer {
  const fipsOfState = table.states.map((code) => findState(code)?.fips ?? '');
  let rowsOfCity: ReadonlyMap<string, readonly number[]> | undefined;
  let statesOfCity: ReadonlyMap<string, readonly string[]> | undefined;
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

  return {
    size: table.size,
    find(zip) {
      const row = /^\d{5}$/.test(zip) ? rowOf(table, Number(zip)) : undefined;
      return row === undefined ? undefined : zipPoint(row);
    },
    findCity(state, city) {
      rowsOfCity ??= indexCities(table, cityOf);
      const code = findState(state)?.code;
      return code === undefined ? [] : (rowsOfCity.get(`${code} ${placeKey(city)}`) ?? []).map(zipPoint);
    },
    statesWithCity(city) {
      rowsOfCity ??= indexCities(table, cityOf);
      statesOfCity ??= indexStates(rowsOfCity.keys());
      return statesOfCity.get(placeKey(city)) ?? [];
    },
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

function indexStates(keys: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const states = new Map<string, string[]>();
  for (const key of keys) {
    const city = key.slice(3);
    const present = states.get(city);
    if (present === undefined) states.set(city, [key.slice(0, 2)]);
    else present.push(key.slice(0, 2));
  }
  return states;
}

function indexPositions(table: ZipTable): KDBush {
  const index = new KDBush(table.size);
  for (let row = 0; row < table.size; row += 1) index.add(table.longitudes[row]! / 1000, table.latitudes[row]! / 1000);
  return index.finish();
}
