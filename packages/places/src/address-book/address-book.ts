import type { SQLInputValue } from 'node:sqlite';
import { placeKey } from '../zips/place-key.ts';
import { openDatabase } from './open-database.ts';
import { compareStreetNames, readStreetName } from './street-name.ts';

/** Where a book's addresses came from. */
export interface AddressSource {
  readonly name: string;
  readonly precision: 'rooftop' | 'parcel';
  /** How far a home may be from its point in this source. */
  readonly errorRadiusMeters: number;
  /** To be shown with its addresses. */
  readonly attribution: string | undefined;
  readonly addresses: number;
}

/** A house in a book, as its source spells it. */
export interface BookAddress {
  readonly number: string;
  readonly street: string;
  readonly city: string | undefined;
  readonly state: string;
  readonly zip: string | undefined;
  readonly latitude: number;
  readonly longitude: number;
  readonly source: Omit<AddressSource, 'addresses'>;
}

export interface BookQuery {
  /** As `readStreetLine` gives it; without one, houses of the street are found. */
  readonly number?: string | undefined;
  readonly street: string;
  readonly zip?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
}

/** Addresses with their points, in a file. */
export interface AddressBook extends Disposable {
  readonly sources: () => readonly AddressSource[];
  /**
   * The houses that fit a query: their street by the same name, or if none is, by one that only lacks a direction or suffix.
   * A ZIP code, city or state that an address of the book lacks does not keep it from fitting. At most 1,000.
   */
  find(query: BookQuery): readonly BookAddress[];
  close(): void;
}

interface Row {
  readonly number: string;
  readonly zip: string;
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly name: string;
  readonly precision: 'rooftop' | 'parcel';
  readonly error_radius_meters: number;
  readonly attribution: string | null;
}

const maximumRows = 1_000;

/**
 * Opens an address book that `importAddresses` wrote.
 *
 * Errors: `AddressBookError` where there is no such file, or one of another kind.
 */
export function openAddressBook(path: string): AddressBook {
  const database = openDatabase(path, false);
  database.exec('PRAGMA query_only = ON');
  const select = `
    SELECT a.number, a.zip, a.street, a.city, a.state, a.latitude, a.longitude,
      s.name, s.precision, s.error_radius_meters, s.attribution
    FROM address AS a JOIN source AS s ON s.id = a.source_id
    WHERE a.core = :core`;
  const houses = database.prepare(`${select} AND a.number = :number LIMIT 20000`);
  const housesInZip = database.prepare(`${select} AND a.number = :number AND a.zip IN (:zip, '') LIMIT 20000`);
  const street = database.prepare(`${select} AND a.zip = :zip LIMIT ${maximumRows}`);
  const sources = database.prepare(
    'SELECT name, precision, error_radius_meters, attribution, addresses FROM source ORDER BY name',
  );
  let isOpen = true;

  const close = () => {
    if (isOpen) database.close();
    isOpen = false;
  };
  return {
    sources: () =>
      (sources.all() as unknown as (Row & { readonly addresses: number })[]).map((row) => ({
        ...sourceOf(row),
        addresses: row.addresses,
      })),
    find({ number, street: streetText, zip, city, state }) {
      const asked = readStreetName(streetText);
      if (asked === undefined || (number === undefined && zip === undefined)) return [];
      const parameters: Record<string, SQLInputValue> = { core: asked.core };
      if (number !== undefined) parameters.number = number;
      if (zip !== undefined) parameters.zip = zip;
      const statement = number === undefined ? street : zip === undefined ? houses : housesInZip;
      const cityKey = city === undefined ? undefined : placeKey(city);
      const rows = (statement.all(parameters) as unknown as Row[]).filter((row) => {
        if (state !== undefined && row.state !== state) return false;
        // Without the same ZIP code, the city must be the same.
        const isInZip = zip !== undefined && row.zip === zip;
        return isInZip || cityKey === undefined || row.city === '' || placeKey(row.city) === cityKey;
      });
      const fits = rows.map((row) => {
        const name = readStreetName(row.street);
        return name === undefined ? 0 : compareStreetNames(asked, name);
      });
      const best = Math.max(0, ...fits);
      return best === 0
        ? []
        : rows
            .filter((_, index) => fits[index] === best)
            .slice(0, maximumRows)
            .map(addressOf);
    },
    close,
    [Symbol.dispose]: close,
  };
}

function sourceOf(row: Pick<Row, 'name' | 'precision' | 'error_radius_meters' | 'attribution'>): BookAddress['source'] {
  return {
    name: row.name,
    precision: row.precision,
    errorRadiusMeters: row.error_radius_meters,
    attribution: row.attribution ?? undefined,
  };
}

function addressOf(row: Row): BookAddress {
  return {
    number: row.number,
    street: row.street,
    city: row.city || undefined,
    state: row.state,
    zip: row.zip || undefined,
    latitude: row.latitude,
    longitude: row.longitude,
    source: sourceOf(row),
  };
}
