import { AddressBookError } from '../address-book-error.ts';
import type { InputFormat } from './address-input.ts';

/** Roles of columns. `address` is number and street in one; `kind` is the meaning of the point. */
export const columnRoles = [
  'longitude',
  'latitude',
  'number',
  'street',
  'address',
  'city',
  'state',
  'zip',
  'kind',
  'lifecycle',
] as const;
/** One of `columnRoles`. */
export type ColumnRole = (typeof columnRoles)[number];

/** Column names by role. Several are joined with blanks, for example direction, name and type of a street. */
export type ColumnMap = Readonly<Partial<Record<ColumnRole, readonly string[]>>>;

/** In lower case; those of OpenAddresses come first. */
const usualNames: Readonly<Record<ColumnRole, readonly string[]>> = {
  longitude: ['lon', 'longitude', 'lng', 'long', 'x'],
  latitude: ['lat', 'latitude', 'y'],
  number: ['number', 'house_number', 'housenumber', 'addr:housenumber', 'addno_full', 'add_number'],
  street: ['street', 'street_name', 'streetname', 'addr:street', 'stnam_full'],
  address: ['address', 'full_address', 'line1', 'addr_full'],
  city: ['city', 'addr:city', 'town', 'municipality'],
  state: ['region', 'state', 'addr:state'],
  zip: ['postcode', 'zip', 'zipcode', 'zip_code', 'postal_code', 'addr:postcode'],
  kind: ['accuracy', 'placement', 'precision'],
  lifecycle: ['lifecycle'],
};

/**
 * Columns of the National Address Database in its current (`St_Name`, `Post_City`) and former schema (`StreetName`, `Post_Comm`). Parts
 * are joined in order.
 */
const nationalParts: Readonly<Partial<Record<ColumnRole, readonly (readonly string[])[]>>> = {
  longitude: [['longitude']],
  latitude: [['latitude']],
  number: [['addno_full'], ['addnum_pre', 'add_number', 'addnum_suf']],
  street: [
    ['stnam_full'],
    ['st_premod', 'st_predir', 'st_pretyp', 'st_presep', 'st_name', 'st_postyp', 'st_posdir', 'st_posmod'],
    ['stn_premod', 'stn_predir', 'stn_pretyp', 'stn_presep', 'streetname', 'stn_postyp', 'stn_posdir', 'stn_posmod'],
  ],
  city: [['post_city'], ['post_comm'], ['inc_muni'], ['uninc_comm']],
  state: [['state']],
  zip: [['zip_code']],
  kind: [['placement']],
  lifecycle: [['lifecycle']],
};

export function isNational(header: readonly string[]): boolean {
  const names = new Set(header.map((name) => name.toLowerCase()));
  return names.has('add_number') && (names.has('st_name') || names.has('streetname') || names.has('stnam_full'));
}

/** Columns to try in order for each role; the first non-empty one is used. */
export type ColumnChoices = Readonly<Partial<Record<ColumnRole, readonly (readonly number[])[]>>>;

/**
 * Finds the columns of a table by the map, or by their usual names for roles without an entry.
 *
 * @throws {AddressBookError} naming a mapped column that is missing, or roles without a column.
 */
export function findColumns(
  header: readonly string[],
  format: InputFormat,
  map: ColumnMap | undefined,
  file: string,
): ColumnChoices {
  const names = header.map((name) => name.toLowerCase().trim());
  const at = (name: string) => names.indexOf(name.toLowerCase().trim());
  const choices: Partial<Record<ColumnRole, readonly (readonly number[])[]>> = {};
  for (const role of columnRoles) {
    const mappedNames = map?.[role];
    if (mappedNames !== undefined) {
      const missing = mappedNames.filter((name) => at(name) < 0);
      if (missing.length > 0) {
        throw new AddressBookError(
          `${file} has no column ${missing.map((name) => JSON.stringify(name)).join(', ')} for ${role}. ${listed(header)}`,
        );
      }
      choices[role] = [mappedNames.map(at)];
      continue;
    }
    const parts =
      format === 'national_address_database' ? (nationalParts[role] ?? []) : usualNames[role].map((name) => [name]);
    const columnGroups = parts
      .map((group) => group.map(at).filter((index) => index >= 0))
      .filter((indexes) => indexes.length > 0);
    if (columnGroups.length > 0)
      choices[role] = format === 'national_address_database' ? columnGroups : columnGroups.slice(0, 1);
  }
  if (choices.number !== undefined && choices.street !== undefined) delete choices.address;
  const missing = (['longitude', 'latitude'] as const).filter((role) => choices[role] === undefined) as string[];
  if (choices.address === undefined) {
    for (const role of ['number', 'street'] as const) if (choices[role] === undefined) missing.push(role);
  }
  if (missing.length > 0) {
    throw new AddressBookError(
      `${file} has no column for ${missing.join(', ')}. ${listed(header)} Name them with columns.`,
    );
  }
  return choices;
}

function listed(header: readonly string[]): string {
  const names = header.slice(0, 20).map((name) => name.slice(0, 40));
  return `Its columns are: ${names.join(', ')}.`;
}
