import type { PlaceRequest } from '@leeward/http/distance';
import { CommandError } from '../command-error.ts';

type Role = 'address' | 'line1' | 'number' | 'city' | 'state' | 'zipcode' | 'lat' | 'lng';

/** Column names without case, blanks and signs. */
const namesOf: Readonly<Record<Role, readonly string[]>> = {
  address: ['address', 'fulladdress', 'propertyaddress', 'riskaddress', 'oneline'],
  line1: ['line1', 'address1', 'addressline1', 'street', 'streetaddress', 'streetname'],
  number: ['number', 'housenumber', 'streetnumber'],
  city: ['city', 'town', 'municipality', 'locality'],
  state: ['state', 'statecode', 'region'],
  zipcode: ['zipcode', 'zip', 'zip5', 'postcode', 'postalcode'],
  lat: ['lat', 'latitude'],
  lng: ['lng', 'lon', 'long', 'longitude'],
};
const roles = Object.keys(namesOf) as Role[];

/** The request of a record; undefined fields are empty cells. */
export type RequestOfCells = (cells: readonly string[]) => PlaceRequest & { readonly notNumber?: string };

/**
 * Finds the columns of addresses and points; points take precedence. `address` is the street line if city, state or ZIP code have
 * columns, otherwise the whole address.
 *
 * @throws {CommandError} Without a location column, or for two with one meaning.
 */
export function recognizeColumns(header: readonly string[], file: string): RequestOfCells {
  const columnOfRole = new Map<Role, number>();
  header.forEach((name, index) => {
    const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
    const role = roles.find((each) => namesOf[each].includes(plain));
    if (role === undefined) return;
    const other = columnOfRole.get(role);
    if (other !== undefined) {
      const both = `${JSON.stringify(header[other])} and ${JSON.stringify(name)}`;
      throw new CommandError(`${file} has two columns with the same meaning, ${both}: rename one of them.`);
    }
    columnOfRole.set(role, index);
  });
  const has = (...some: readonly Role[]) => some.some((role) => columnOfRole.has(role));
  if (!has('address', 'line1', 'zipcode') && !(has('city') && has('state')) && !(has('lat') && has('lng'))) {
    const columnNames = header.slice(0, 20).map((name) => JSON.stringify(name.slice(0, 40)));
    throw new CommandError(
      `${file} has no column with the location of a home. Name the columns address; or line1, city, state, zipcode; or lat, lng (the first line names the columns). Its columns are: ${columnNames.join(', ')}.`,
    );
  }
  const isSplit = has('line1', 'number', 'city', 'state', 'zipcode');
  return (cells) => {
    const cell = (role: Role) => cells[columnOfRole.get(role) ?? -1] || undefined;
    const point = [cell('lat'), cell('lng')] as const;
    if (point.some((text) => text !== undefined)) return pointOf(...point);
    if (!isSplit) return { address: cell('address') };
    const street = cell('line1') ?? cell('address');
    const number = cell('number');
    const line1 =
      number === undefined || street?.startsWith(`${number} `) ? street : `${number} ${street ?? ''}`.trim();
    const fields = { line1, city: cell('city'), state: cell('state'), zipcode: cell('zipcode') };
    return Object.values(fields).every((value) => value === undefined) ? {} : { address: fields };
  };
}

function pointOf(lat: string | undefined, lng: string | undefined): ReturnType<RequestOfCells> {
  const notNumber = [lat, lng].find(
    (text) => text !== undefined && !/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text),
  );
  if (notNumber !== undefined) return { notNumber };
  return { lat: lat === undefined ? undefined : Number(lat), lng: lng === undefined ? undefined : Number(lng) };
}
