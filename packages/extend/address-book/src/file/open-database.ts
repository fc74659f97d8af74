import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { AddressBookError } from '../address-book-error.ts';

/** "LwAB" */
const APPLICATION_ID = 0x4c774142;
const SCHEMA_VERSION = 5;

const schema = `
  -- What is being imported (loading), what readers see (live), and what is being cleared away (removed).
  CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('loading', 'live', 'removed')),
    format TEXT NOT NULL,
    attribution TEXT,
    error_radius_meters REAL,
    houses INTEGER NOT NULL,
    ranges INTEGER NOT NULL,
    imported_at TEXT NOT NULL,
    identity TEXT NOT NULL,
    progress TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX source_by_name ON source (name, status) WHERE status <> 'removed';
  -- A street of one source in one city and ZIP code.
  CREATE TABLE street (
    id INTEGER PRIMARY KEY,
    source_id INTEGER NOT NULL REFERENCES source (id),
    core TEXT NOT NULL,
    name TEXT NOT NULL,
    city TEXT NOT NULL,
    state TEXT NOT NULL,
    zip TEXT NOT NULL,
    is_zip_from_position INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX street_by_core ON street (core, state, zip, name, city, is_zip_from_position, source_id);
  CREATE INDEX street_by_source ON street (source_id);
  -- Degrees in millionths. A unit is left off, so a building's units are one row.
  CREATE TABLE house (
    street_id INTEGER NOT NULL,
    number TEXT NOT NULL,
    latitude INTEGER NOT NULL,
    longitude INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    PRIMARY KEY (street_id, number, latitude, longitude, kind)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE number_range (
    street_id INTEGER NOT NULL,
    edge INTEGER NOT NULL,
    side INTEGER NOT NULL,
    prefix TEXT NOT NULL,
    from_number INTEGER NOT NULL,
    to_number INTEGER NOT NULL,
    parity INTEGER NOT NULL,
    is_direction_doubtful INTEGER NOT NULL,
    PRIMARY KEY (street_id, edge, side, prefix, from_number, to_number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE edge (
    source_id INTEGER NOT NULL,
    edge INTEGER NOT NULL,
    positions BLOB NOT NULL,
    PRIMARY KEY (source_id, edge)
  ) STRICT, WITHOUT ROWID;
  -- How far estimated places were off, measured on this book.
  CREATE TABLE measured_radius (
    method TEXT NOT NULL,
    setting TEXT NOT NULL,
    size TEXT NOT NULL,
    factor REAL NOT NULL,
    samples INTEGER NOT NULL,
    PRIMARY KEY (method, setting, size)
  ) STRICT, WITHOUT ROWID;
`;

export function openDatabase(path: string, create: boolean): DatabaseSync {
  if (!create && path !== ':memory:' && !existsSync(path)) {
    throw new AddressBookError(`There is no address book at ${path}: import addresses first.`);
  }
  const database = new DatabaseSync(path, { timeout: 5_000 });
  try {
    prepare(database, path);
    database.exec('PRAGMA synchronous = NORMAL');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof AddressBookError) throw error;
    throw new AddressBookError(`${path} is not an address book: ${error instanceof Error ? error.message : error}.`, {
      cause: error,
    });
  }
}

function prepare(database: DatabaseSync, path: string): void {
  const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  if (pragma('application_id') === 0 && pragma('user_version') === 0) {
    const tables = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number };
    if (tables.count > 0) throw new AddressBookError(`${path} is another database, no address book.`);
    // WAL lets readers continue during imports.
    database.exec('PRAGMA journal_mode = WAL');
    database.exec(
      `BEGIN IMMEDIATE; ${schema} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`,
    );
    return;
  }
  if (pragma('application_id') !== APPLICATION_ID)
    throw new AddressBookError(`${path} is another database, no address book.`);
  const version = pragma('user_version');
  if (version !== SCHEMA_VERSION) {
    throw new AddressBookError(
      `${path} is an address book of version ${version}; this program reads version ${SCHEMA_VERSION}: remove the file and import the addresses anew.`,
    );
  }
}
