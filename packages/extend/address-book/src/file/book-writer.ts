import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { type HouseRecord, type RangeRecord, recordKinds, type StreetOfRecord } from '../record.ts';
import { parities } from './address-book.ts';
import { clearRemoved } from './clear-removed.ts';
import { PER_DEGREE, packLine } from './edge-line.ts';

export interface WriterOptions {
  readonly source: string;
  readonly format: string;
  readonly attribution: string | undefined;
  readonly errorRadiusMeters: number | undefined;
  /** Content and settings of the import; a killed import resumes only if they are equal. */
  readonly identity: string;
}

/** Writes a source next to the visible one, in batches, and replaces that one in one step. */
export interface BookWriter {
  /** Last checkpoint of a killed import. */
  readonly resumed: string | undefined;
  /** Returns false for a house that exists. */
  addHouse(record: HouseRecord): boolean;
  addRange(record: RangeRecord): boolean;
  /** Commits the additions with the progress. */
  checkpoint(progress: string): void;
  publish(counts: { readonly houses: number; readonly ranges: number }, now: Date): void;
  discard(): void;
}

const MAX_REMEMBERED_STREETS = 200_000;

/** Requires `lockBook`. */
export function createBookWriter(database: DatabaseSync, options: WriterOptions): BookWriter {
  const { source, format, attribution, errorRadiusMeters, identity } = options;
  const { id, resumed } = begin();
  const insertStreet = database.prepare(
    `INSERT INTO street (source_id, core, name, city, state, zip, is_zip_from_position) VALUES (${id}, ?, ?, ?, ?, ?, ?)`,
  );
  const findStreet = database.prepare(
    `SELECT id FROM street WHERE core = ? AND name = ? AND city = ? AND state = ? AND zip = ? AND is_zip_from_position = ? AND source_id = ${id}`,
  );
  const insertHouse = database.prepare('INSERT OR IGNORE INTO house VALUES (?, ?, ?, ?, ?)');
  const insertRange = database.prepare('INSERT OR IGNORE INTO number_range VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const insertEdge = database.prepare(`INSERT OR IGNORE INTO edge VALUES (${id}, ?, ?)`);
  const streetIds = new LRUCache<string, number>({ max: MAX_REMEMBERED_STREETS });
  database.exec('BEGIN IMMEDIATE');

  function begin(): { readonly id: number; readonly resumed: string | undefined } {
    const unfinished = database
      .prepare("SELECT id, identity, progress FROM source WHERE name = ? AND status = 'loading'")
      .get(source) as { id: number; identity: string; progress: string } | undefined;
    if (unfinished !== undefined && unfinished.identity === identity && unfinished.progress !== '') {
      return { id: unfinished.id, resumed: unfinished.progress };
    }
    if (unfinished !== undefined)
      database.prepare("UPDATE source SET status = 'removed' WHERE id = ?").run(unfinished.id);
    clearRemoved(database);
    const { lastInsertRowid } = database
      .prepare(
        "INSERT INTO source (name, status, format, attribution, error_radius_meters, houses, ranges, imported_at, identity, progress) VALUES (?, 'loading', ?, ?, ?, 0, 0, '', ?, '')",
      )
      .run(source, format, attribution ?? null, errorRadiusMeters ?? null, identity);
    return { id: Number(lastInsertRowid), resumed: undefined };
  }

  function streetId({ core, street, city, state, zip, isZipFromPosition }: StreetOfRecord): number {
    const key = `${street}\t${city}\t${state}\t${zip}\t${isZipFromPosition ? 1 : 0}`;
    const cachedId = streetIds.get(key);
    if (cachedId !== undefined) return cachedId;
    const values = [core, street, city, state, zip, isZipFromPosition ? 1 : 0] as const;
    const row = findStreet.get(...values) as { id: number } | undefined;
    const rowId = row?.id ?? Number(insertStreet.run(...values).lastInsertRowid);
    streetIds.set(key, rowId);
    return rowId;
  }

  return {
    resumed,
    addHouse(record) {
      const { number, latitude, longitude, kind } = record;
      const [north, east] = [Math.round(latitude * PER_DEGREE), Math.round(longitude * PER_DEGREE)];
      return insertHouse.run(streetId(record), number, north, east, recordKinds.indexOf(kind)).changes === 1;
    },
    addRange(record) {
      const { edge, side, prefix, from, to, parity, isDirectionDoubtful, line } = record;
      insertEdge.run(edge, packLine(line));
      const values = [edge, side === 'left' ? 0 : 1, prefix, from, to, parities.indexOf(parity)] as const;
      return insertRange.run(streetId(record), ...values, isDirectionDoubtful ? 1 : 0).changes === 1;
    },
    checkpoint(progress) {
      database.prepare('UPDATE source SET progress = ? WHERE id = ?').run(progress, id);
      database.exec('COMMIT; BEGIN IMMEDIATE');
    },
    publish({ houses, ranges }, now) {
      database.prepare("UPDATE source SET status = 'removed' WHERE name = ? AND status = 'live'").run(source);
      database
        .prepare(
          "UPDATE source SET status = 'live', houses = ?, ranges = ?, imported_at = ?, progress = '' WHERE id = ?",
        )
        .run(houses, ranges, now.toISOString(), id);
      database.exec('COMMIT');
      clearRemoved(database);
      database.exec('PRAGMA optimize');
    },
    discard() {
      if (database.isTransaction) database.exec('ROLLBACK');
      database.prepare("UPDATE source SET status = 'removed' WHERE id = ? AND status = 'loading'").run(id);
      clearRemoved(database);
    },
  };
}
