import type { RowFault } from '@leeward/rows';
import { readHouseNumber } from '../address/house-number.ts';
import { findState } from '../counties/index.ts';
import { checkPoint } from '../point/check-point.ts';
import { readStreetName } from './street-name.ts';

/** Why a line of a file was left out. */
export type RejectionCode =
  | RowFault['code']
  | 'no_number'
  | 'no_street'
  | 'no_state'
  | 'unknown_state'
  | 'other_state'
  | 'no_coordinates'
  | 'swapped_coordinates'
  | 'outside_us';

/** A line of a file as it goes into the book. */
export interface AddressRecord {
  readonly core: string;
  readonly number: string;
  readonly street: string;
  /** Empty where the file has none. */
  readonly city: string;
  readonly state: string;
  /** Empty where the file has none, or none that is one. */
  readonly zip: string;
  /** Degrees, WGS 84, to a millionth (0.1 m). */
  readonly latitude: number;
  readonly longitude: number;
}

/** Columns by what they are called: OpenAddresses' own names first. */
const columnNames = {
  longitude: ['lon', 'longitude', 'lng', 'x'],
  latitude: ['lat', 'latitude', 'y'],
  number: ['number', 'house_number', 'housenumber', 'addr:housenumber'],
  street: ['street', 'street_name', 'addr:street'],
  city: ['city', 'addr:city'],
  region: ['region', 'state', 'addr:state'],
  zip: ['postcode', 'zip', 'zipcode', 'zip_code', 'postal_code', 'addr:postcode'],
} as const;

type Column = keyof typeof columnNames;
export type Columns = Readonly<Partial<Record<Column, number>>>;

/** Where each column stands in a header line. */
export function findColumns(header: readonly string[]): Columns {
  const names = header.map((name) => name.toLowerCase());
  const entries = Object.entries(columnNames).flatMap(([column, spellings]) => {
    const index = spellings.map((spelling) => names.indexOf(spelling)).find((found) => found >= 0);
    return index === undefined ? [] : [[column, index] as const];
  });
  return Object.fromEntries(entries);
}

/** Required columns that a header does not have. */
export function missingColumns(columns: Columns): readonly Column[] {
  return (['longitude', 'latitude', 'number', 'street'] as const).filter((column) => columns[column] === undefined);
}

/** Reads one line, or says why it is left out. `state` (a postal abbreviation in lower case) holds for lines that name none. */
export function readRecord(
  fields: readonly string[],
  columns: Columns,
  state: string | undefined,
): AddressRecord | RejectionCode {
  const field = (column: Column) => {
    const index = columns[column];
    return index === undefined ? '' : (fields[index] ?? '').trim().replace(/\s+/g, ' ').slice(0, 100);
  };
  const number = readHouseNumber(field('number'));
  if (number === undefined) return 'no_number';
  const street = field('street');
  const name = readStreetName(street);
  if (name === undefined) return 'no_street';

  const [longitudeText, latitudeText] = [field('longitude'), field('latitude')];
  const point = { latitude: Number(latitudeText || Number.NaN), longitude: Number(longitudeText || Number.NaN) };
  if (!Number.isFinite(point.latitude) || !Number.isFinite(point.longitude)) return 'no_coordinates';
  const finding = checkPoint(point);
  if (finding !== undefined) return finding.suggestion === undefined ? 'outside_us' : 'swapped_coordinates';

  const region = field('region');
  const found = region === '' ? state : findState(region)?.code;
  if (found === undefined) return region === '' ? 'no_state' : 'unknown_state';
  if (state !== undefined && found !== state) return 'other_state';
  return {
    core: name.core,
    number,
    street,
    city: field('city'),
    state: found,
    zip: /^(\d{5})(?:[- ]?\d{4})?$/.exec(field('zip'))?.[1] ?? '',
    latitude: Math.round(point.latitude * 1e6) / 1e6,
    longitude: Math.round(point.longitude * 1e6) / 1e6,
  };
}
