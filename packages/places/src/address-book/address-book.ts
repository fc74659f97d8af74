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
  /** As `readStreetLine` gives it; without one, houses of the street are found, if a ZIP code or city and state are given. */
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
   * The houses that fit a query: their street by the same name, or if none is, by one of which the query leaves out a direction
   * or suffix. ZIP code, city and state must agree; a ZIP code or city that an address of the book lacks does not keep it from
   * fitting. At most 20,000.
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

const maxRows = 20_000;

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
  const limit = `AND a.state = coalesce(:state, a.state) LIMIT ${maxRows}`;
  const houses = database.prepare(`${select} AND a.number = :number ${limit}`);
  const housesInZip = database.prepare(`${select} AND a.number = :number AND a.zip IN (:zip, '') ${limit}`);
  const street = database.prepare(`${select} AND a.zip IN (:zip, '') ${limit}`);
  const zipsOfStreet = database.prepare('SELECT DISTINCT zip, city FROM address WHERE core = :core AND state = :state');
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
      if (asked === undefined) return [];
      if (number === undefined && zip === undefined && (city === undefined || state === undefined)) return [];
      const place: Record<string, SQLInputValue> = { core: asked.core, state: state ?? null };
      const cityKey = city === undefined ? undefined : placeKey(city);
      const agrees = (row: Pick<Row, 'city'>) =>
        cityKey === undefined || row.city === '' || placeKey(row.city) === cityKey;
      const inZip = (code: string) => street.all({ ...place, zip: code }) as unknown as Row[];
      const inCity = () => {
        const parts = zipsOfStreet.all({ core: asked.core, state: state! }) as unknown as Pick<Row, 'zip' | 'city'>[];
        const codes = new Set(parts.filter(agrees).map((part) => part.zip));
        // Those without a ZIP code come with each.
        if (codes.size > 1) codes.delete('');
        return [...new Map([...codes].flatMap(inZip).map((row) => [JSON.stringify(row), row])).values()];
      };
      const found =
        number === undefined
          ? zip === undefined
            ? inCity()
            : inZip(zip)
          : ((zip === undefined
              ? houses.all({ ...place, number })
              : housesInZip.all({ ...place, number, zip })) as unknown as Row[]);
      const rows = found.filter(agrees);
      const fits = rows.map((row) => {
        const name = readStreetName(row.street);
        return name === undefined ? 0 : compareStreetNames(asked, name);
      });
      const best = Math.max(0, ...fits);
      return best === 0
        ? []
        : rows
            .filter((_, index) => fits[index] === best)
            .slice(0, maxRows)
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
