import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { AddressBookError } from './address-book-error.ts';

/** "LwAB": marks the file as an address book. */
const applicationId = 0x4c774142;
const schemaVersion = 1;

const schema = `
  CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    precision TEXT NOT NULL,
    error_radius_meters REAL NOT NULL,
    attribution TEXT,
    addresses INTEGER NOT NULL
  ) STRICT;
  -- The key is also the index that houses are found by; a unit is left off, so a building's units are one row.
  CREATE TABLE address (
    core TEXT NOT NULL,
    number TEXT NOT NULL,
    zip TEXT NOT NULL,
    street TEXT NOT NULL,
    city TEXT NOT NULL,
    state TEXT NOT NULL,
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    source_id INTEGER NOT NULL REFERENCES source (id),
    PRIMARY KEY (core, number, zip, street, city, state, latitude, longitude, source_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX address_by_street ON address (core, zip);
  CREATE INDEX address_by_source ON address (source_id);
`;

/** Opens an address book's file; `create` makes a new one where there is none. */
export function openDatabase(path: string, create: boolean): DatabaseSync {
  if (!create && path !== ':memory:' && !existsSync(path)) {
    throw new AddressBookError(`There is no address book at ${path}: import addresses first.`);
  }
  const database = new DatabaseSync(path, { timeout: 5_000 });
  try {
    prepare(database, path);
    return database;
  } catch (error) {
    database.close();
    if (error instanceof AddressBookError) throw error;
    throw new AddressBookError(`${path} is no address book: ${error instanceof Error ? error.message : error}.`, {
      cause: error,
    });
  }
}

function prepare(database: DatabaseSync, path: string): void {
  const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  if (pragma('application_id') === 0 && pragma('user_version') === 0) {
    const tables = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number };
    if (tables.count > 0) throw new AddressBookError(`${path} is another database, no address book.`);
    // Readers go on reading while addresses are imported.
    database.exec('PRAGMA journal_mode = WAL');
    database.exec(
      `BEGIN IMMEDIATE; ${schema} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}; COMMIT`,
    );
    return;
  }
  if (pragma('application_id') !== applicationId)
    throw new AddressBookError(`${path} is another database, no address book.`);
  const version = pragma('user_version');
  if (version !== schemaVersion) {
    throw new AddressBookError(
      `${path} is an address book of version ${version}; this program reads version ${schemaVersion}: import the addresses anew.`,
    );
  }
}
