import type { DatabaseSync } from 'node:sqlite';
import type { Point } from '@leeward/places';
import { LRUCache } from 'lru-cache';
import { type RangeRecord, type RecordKind, recordKinds } from '../record.ts';
import { readStreetName, type StreetName } from '../street/street-name.ts';
import { PER_DEGREE, unpackLine } from './edge-line.ts';
import { openDatabase } from './open-database.ts';
import type { MeasuredRadius } from './radius-table.ts';

/** A source of addresses in a book. */
export interface AddressSource {
  readonly name: string;
  /** `tiger`, `open_addresses`, `national_address_database` or `table`. */
  readonly format: string;
  readonly attribution: string | undefined;
  /** Maximum distance of a home from its point, if the import set it. */
  readonly errorRadiusMeters: number | undefined;
  readonly houses: number;
  readonly ranges: number;
  /** Time of publication, ISO 8601. */
  readonly importedAt: string;
}

/** A street of one source in one city and ZIP code. */
export interface BookStreet {
  readonly id: number;
  readonly name: StreetName;
  /** Spelling of the source. */
  readonly written: string;
  readonly city: string | undefined;
  readonly state: string;
  readonly zip: string | undefined;
  /** True if the nearest ZIP point gave the ZIP code. */
  readonly isZipFromPosition: boolean;
  readonly source: Pick<AddressSource, 'name' | 'attribution' | 'errorRadiusMeters' | 'importedAt'>;
}

/** A house and its point. */
export interface BookHouse extends Point {
  readonly number: string;
  readonly kind: RecordKind;
  readonly street: BookStreet;
}

/** Possible numbers on one side of a stretch of street. */
export interface BookRange
  extends Pick<RangeRecord, 'edge' | 'side' | 'prefix' | 'from' | 'to' | 'parity' | 'isDirectionDoubtful' | 'line'> {
  readonly street: BookStreet;
}

/** Streets of a ZIP code or city; without both, of the state; without that, of all states. */
export interface StreetQuery {
  /** From `readStreetName`. */
  readonly core: string;
  readonly state: string | undefined;
  readonly zip?: string | undefined;
  /** ZIP codes that a street without one may have got by its position. */
  readonly around?: readonly string[] | undefined;
  readonly city?: string | undefined;
  /** With a city: only streets with a house of this number. */
  readonly number?: string | undefined;
}

/** A file of addresses and their points. An import becomes visible when it is complete. */
export interface AddressBook extends Disposable {
  sources(): readonly AddressSource[];
  /** With any directions and suffix; a maximum of 20,000. */
  streets(query: StreetQuery): readonly BookStreet[];
  /** All, or those with a number; a maximum of 20,000. */
  houses(street: BookStreet, number?: string): readonly BookHouse[];
  ranges(street: BookStreet): readonly BookRange[];
  measuredRadii(): readonly MeasuredRadius[];
  /** An even sample, for measurements. */
  sampleStreets(count: number): readonly BookStreet[];
  /** Runs reads in one snapshot. */
  atOneMoment<Result>(read: () => Result): Result;
  close(): void;
}

interface StreetRow {
  readonly id: number;
  readonly source_id: number;
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly is_zip_from_position: number;
}

/** State that an import replaces, cached until then. */
interface Edition {
  /** SQLite's counter of changes by other connections. */
  readonly version: number;
  readonly radii: readonly MeasuredRadius[];
  readonly sources: ReadonlyMap<number, AddressSource>;
}

const MAX_ROWS = 20_000;
const MAX_REMEMBERED_NAMES = 20_000;
export const parities = ['both', 'even', 'odd'] as const;

const selectStreets = `
  SELECT t.id, t.source_id, t.name AS street, t.city, t.state, t.zip, t.is_zip_from_position FROM street AS t`;

/**
 * Opens an address book for reading.
 *
 * @throws {AddressBookError} if the file is missing or is not a book.
 * @example
 * using book = openAddressBook('addresses.sqlite');
 */
export function openAddressBook(path: string): AddressBook {
  const database = openDatabase(path, false);
  database.exec('PRAGMA query_only = ON');
  return bookOf(database);
}

function prepareReads(database: DatabaseSync) {
  return {
    byZip: database.prepare(`${selectStreets} WHERE t.core = ? AND t.state = ? AND t.zip = ? LIMIT ${MAX_ROWS}`),
    byPosition: database.prepare(
      `${selectStreets} WHERE t.core = ? AND t.state = ? AND t.zip IN (SELECT value FROM json_each(?))
      AND t.is_zip_from_position = 1 AND t.city <> '' LIMIT ${MAX_ROWS}`,
    ),
    // The number is bound twice: SQLite of Node 22 rejects numbered parameters bound by position.
    byCity: database.prepare(
      `${selectStreets} WHERE t.core = ? AND t.state = ? AND t.city = ? COLLATE NOCASE
      AND (? IS NULL OR EXISTS (SELECT 1 FROM house AS h WHERE h.street_id = t.id AND h.number = ?)) LIMIT ${MAX_ROWS}`,
    ),
    byState: database.prepare(`${selectStreets} WHERE t.core = ? AND t.state = ? LIMIT ${MAX_ROWS}`),
    byCore: database.prepare(`${selectStreets} WHERE t.core = ? LIMIT ${MAX_ROWS}`),
    sample: database.prepare(
      `${selectStreets} WHERE t.id % max(1, (SELECT count(*) FROM street) / ?) = 0 LIMIT ${MAX_ROWS}`,
    ),
    housesOf: database.prepare(
      `SELECT number, latitude, longitude, kind FROM house WHERE street_id = ? LIMIT ${MAX_ROWS}`,
    ),
    housesOfNumber: database.prepare(
      `SELECT number, latitude, longitude, kind FROM house WHERE street_id = ? AND number = ? LIMIT ${MAX_ROWS}`,
    ),
    rangesOf: database.prepare(
      `SELECT r.edge, r.side, r.prefix, r.from_number, r.to_number, r.parity, r.is_direction_doubtful, e.positions
     FROM number_range AS r JOIN street AS t ON t.id = r.street_id JOIN edge AS e ON e.source_id = t.source_id AND e.edge = r.edge
     WHERE r.street_id = ? LIMIT ${MAX_ROWS}`,
    ),
    sources: database.prepare(
      "SELECT id, name, format, attribution, error_radius_meters, houses, ranges, imported_at FROM source WHERE status = 'live' ORDER BY name",
    ),
    radii: database.prepare('SELECT method, setting, size, factor, samples FROM measured_radius'),
    begin: database.prepare('BEGIN'),
    commit: database.prepare('COMMIT'),
    dataVersion: database.prepare('PRAGMA data_version'),
  };
}

/** Reads a book through an open connection; `close` closes it. */
export function bookOf(database: DatabaseSync): AddressBook {
  const reads = prepareReads(database);
  let read: Edition | undefined;
  const edition = (): Edition => {
    const version = (reads.dataVersion.get() as { data_version: number }).data_version;
    if (read?.version === version) return read;
    const live = (reads.sources.all() as unknown as SourceRow[]).map((row) => [row.id, sourceOf(row)] as const);
    read = { version, radii: reads.radii.all() as unknown as readonly MeasuredRadius[], sources: new Map(live) };
    return read;
  };
  let isAtOneMoment = false;
  const atOneMoment = <Result>(work: () => Result): Result => {
    if (isAtOneMoment) return work();
    reads.begin.run();
    isAtOneMoment = true;
    try {
      return work();
    } finally {
      isAtOneMoment = false;
      reads.commit.run();
    }
  };
  const names = new LRUCache<string, { readonly name: StreetName | undefined }>({
    max: MAX_REMEMBERED_NAMES,
    memoMethod: (street) => ({ name: readStreetName(street) }),
  });
  let isOpen = true;
  const close = () => {
    if (isOpen) database.close();
    isOpen = false;
  };
  const streetsFrom = (rows: readonly unknown[]): readonly BookStreet[] => {
    const { sources: live } = edition();
    return (rows as readonly StreetRow[]).flatMap((row) => {
      const [name, source] = [names.memo(row.street).name, live.get(row.source_id)];
      return name === undefined || source === undefined ? [] : streetOf(row, name, source);
    });
  };
  const findStreets = ({ core, state, zip, around = [], city, number }: StreetQuery): readonly BookStreet[] => {
    if (state === undefined) return streetsFrom(reads.byCore.all(core));
    if (zip === undefined && city === undefined) return streetsFrom(reads.byState.all(core, state));
    const others = around.filter((each) => each !== zip);
    const streets = streetsFrom([
      ...(zip === undefined ? [] : reads.byZip.all(core, state, zip)),
      ...(others.length === 0 ? [] : reads.byPosition.all(core, state, JSON.stringify(others))),
      ...(city === undefined ? [] : reads.byCity.all(core, state, city, number ?? null, number ?? null)),
    ]);
    return city === undefined ? streets : [...new Map(streets.map((street) => [street.id, street])).values()];
  };
  const housesFrom = (rows: readonly unknown[], street: BookStreet): readonly BookHouse[] =>
    (rows as { number: string; latitude: number; longitude: number; kind: number }[]).map((row) => ({
      number: row.number,
      latitude: row.latitude / PER_DEGREE,
      longitude: row.longitude / PER_DEGREE,
      kind: recordKinds[row.kind]!,
      street,
    }));
  return {
    sources: () => [...atOneMoment(edition).sources.values()],
    streets: (query) => atOneMoment(() => findStreets(query)),
    houses: (street, number) =>
      housesFrom(
        number === undefined ? reads.housesOf.all(street.id) : reads.housesOfNumber.all(street.id, number),
        street,
      ),
    ranges: (street) =>
      (reads.rangesOf.all(street.id) as unknown as RangeRow[]).map((row) => ({
        edge: row.edge,
        side: row.side === 0 ? 'left' : 'right',
        prefix: row.prefix,
        from: row.from_number,
        to: row.to_number,
        parity: parities[row.parity]!,
        isDirectionDoubtful: row.is_direction_doubtful === 1,
        line: unpackLine(row.positions),
        street,
      })),
    measuredRadii: () => atOneMoment(edition).radii,
    sampleStreets: (count) => atOneMoment(() => streetsFrom(reads.sample.all(count))),
    atOneMoment,
    close,
    [Symbol.dispose]: close,
  };
}

interface SourceRow {
  readonly id: number;
  readonly name: string;
  readonly format: string;
  readonly attribution: string | null;
  readonly error_radius_meters: number | null;
  readonly houses: number;
  readonly ranges: number;
  readonly imported_at: string;
}

function sourceOf(row: SourceRow): AddressSource {
  return {
    name: row.name,
    format: row.format,
    attribution: row.attribution ?? undefined,
    errorRadiusMeters: row.error_radius_meters ?? undefined,
    houses: row.houses,
    ranges: row.ranges,
    importedAt: row.imported_at,
  };
}

interface RangeRow {
  readonly edge: number;
  readonly side: number;
  readonly prefix: string;
  readonly from_number: number;
  readonly to_number: number;
  readonly parity: number;
  readonly is_direction_doubtful: number;
  readonly positions: Uint8Array;
}

function streetOf(row: StreetRow, name: StreetName, source: BookStreet['source']): BookStreet {
  return {
    id: row.id,
    name,
    written: row.street,
    city: row.city || undefined,
    state: row.state,
    zip: row.zip || undefined,
    isZipFromPosition: row.is_zip_from_position === 1,
    source,
  };
}
