import type { ImportOptions } from './import-options.ts';
import { openDatabase } from './open-database.ts';
import type { AddressRecord } from './read-record.ts';

const defaultRadiusMeters = { rooftop: 30, parcel: 100 } as const;

/** Replaces the addresses of a source, in one transaction. */
export interface BookWriter {
  add(record: AddressRecord): void;
  counts(): { readonly added: number; readonly duplicates: number };
  commit(): void;
  /** Without a commit before, nothing was changed. */
  close(): void;
}

export function createBookWriter(
  options: Pick<ImportOptions, 'database' | 'source' | 'precision' | 'errorRadiusMeters' | 'attribution'>,
): BookWriter {
  const { source, precision = 'rooftop', attribution } = options;
  const errorRadiusMeters = options.errorRadiusMeters ?? defaultRadiusMeters[precision];
  const database = openDatabase(options.database, true);
  let added = 0;
  let duplicates = 0;
  let isOpen = true;
  database.exec('BEGIN IMMEDIATE');
  database.prepare('DELETE FROM address WHERE source_id = (SELECT id FROM source WHERE name = ?)').run(source);
  database.prepare('DELETE FROM source WHERE name = ?').run(source);
  const { lastInsertRowid } = database
    .prepare('INSERT INTO source (name, precision, error_radius_meters, attribution, addresses) VALUES (?, ?, ?, ?, 0)')
    .run(source, precision, errorRadiusMeters, attribution ?? null);
  const insert = database.prepare(
    `INSERT OR IGNORE INTO address (core, number, zip, street, city, state, latitude, longitude, source_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    add({ core, number, zip, street, city, state, latitude, longitude }) {
      const { changes } = insert.run(core, number, zip, street, city, state, latitude, longitude, lastInsertRowid);
      if (changes === 1) added += 1;
      else duplicates += 1;
    },
    counts: () => ({ added, duplicates }),
    commit() {
      database.prepare('UPDATE source SET addresses = ? WHERE id = ?').run(added, lastInsertRowid);
      database.exec('COMMIT');
      database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA optimize');
    },
    close() {
      if (isOpen) database.close();
      isOpen = false;
    },
  };
}
