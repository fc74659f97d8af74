import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { parseLocation } from './location.ts';
import { migrationsTable } from './migrate.ts';
import type { MigrationList } from './migration.ts';
import { openDatabase } from './open-database.ts';
import { makeFolder } from './sqlite/make-folder.ts';

/**
 * A backup is one SQLite file, written by `VACUUM INTO`: one moment of the database with its log, while services write. It gets its name
 * when complete, checked and on disk. A restore prepares the new database next to the old one and renames both.
 */

/** Nothing was changed. The message names the file and the way out. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** The written file and its size. */
export interface BackupResult {
  readonly file: string;
  readonly bytes: number;
}

/**
 * Writes a SQLite database to a new file, readable by its owner only. Services may run.
 *
 * @param url `sqlite:path`
 * @param file must not exist
 * @throws {BackupError} For PostgreSQL, memory, a missing database, and an existing file.
 * @example
 * await backUpDatabase('sqlite:.leeward/leeward.sqlite', 'backups/monday.sqlite');
 */
export async function backUpDatabase(url: string, file: string): Promise<BackupResult> {
  const source = sqliteFile(url, 'pg_dump --format=custom --file=FILE DATABASE_URL');
  const target = resolve(file);
  if (!existsSync(source)) throw new BackupError(`There is no database ${source} to back up.`);
  if (existsSync(target)) throw new BackupError(`${target} exists; name a new file.`);
  makeFolder(dirname(target));
  const partial = partialOf(target);
  try {
    // Private from the beginning.
    closeSync(openSync(partial, 'wx', 0o600));
    const { DatabaseSync } = await import('node:sqlite');
    using connection = new DatabaseSync(source);
    connection.exec('pragma busy_timeout = 10000');
    connection.prepare('vacuum into ?').run(partial);
    using copy = new DatabaseSync(partial, { readOnly: true });
    checkWhole(copy, source);
    putInPlace(partial, target);
  } finally {
    rmSync(partial, { force: true });
  }
  return { file: target, bytes: statSync(target).size };
}

/** Options of a restore. */
export interface RestoreOptions {
  /** Migrates the backup; a backup of a newer program is refused. */
  readonly migrations: readonly MigrationList[];
  /** Place for an existing database. @default undefined: an existing database is an error */
  readonly moveOldTo?: string | undefined;
}

/**
 * Replaces a SQLite database with a backup. No service may use it.
 *
 * @param url `sqlite:path`
 * @param file A file of `backUpDatabase`, only read.
 * @throws {BackupError} For PostgreSQL, memory, an incomplete backup, a database in use, and an existing one without `moveOldTo`.
 * @throws {MigrationError} If a newer program wrote the backup.
 *
 * @example
 * await restoreDatabase('sqlite:data/leeward.db', 'backup.db', { migrations, moveOldTo: 'old.db' });
 */
export async function restoreDatabase(
  url: string,
  file: string,
  { migrations, moveOldTo }: RestoreOptions,
): Promise<BackupResult> {
  const target = sqliteFile(url, 'pg_restore --no-owner --single-transaction --dbname=DATABASE_URL FILE');
  const backup = resolve(file);
  // Its message names the file.
  statSync(backup);
  if (moveOldTo === undefined && existsSync(target)) {
    throw new BackupError(
      `There is a database ${target} already. Give the place to move it to (leeward restore --move-old-to FILE), or restore to another place.`,
    );
  }
  makeFolder(dirname(target));
  const partial = partialOf(target);
  try {
    copyFileSync(backup, partial, constants.COPYFILE_EXCL);
    await prepare(partial, backup, migrations);
    if (moveOldTo !== undefined && existsSync(target)) await moveAside(target, moveOldTo);
    putInPlace(partial, target);
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(`${partial}${end}`, { force: true });
  }
  return { file: target, bytes: statSync(target).size };
}

function sqliteFile(url: string, postgresCommand: string): string {
  const location = parseLocation(url);
  if (location.engine === 'postgres') {
    throw new BackupError(`Use PostgreSQL's tools for this: ${postgresCommand}`);
  }
  if (location.file === ':memory:')
    throw new BackupError('A database in memory ends with its process: it has no backup.');
  return location.file;
}

function partialOf(file: string): string {
  return join(dirname(file), `.${basename(file)}.${process.pid}.partial`);
}

/** @throws {BackupError} For a damaged file or a foreign database. */
async function prepare(partial: string, backup: string, migrations: readonly MigrationList[]): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  {
    using copy = new DatabaseSync(partial, { readOnly: true });
    checkWhole(copy, backup);
    const table = copy.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(migrationsTable);
    if (table === undefined) {
      throw new BackupError(
        `${backup} is a database, but not a backup of Leeward. A copy of a database file that is in use lacks what its -wal file holds: make backups with leeward backup.`,
      );
    }
  }
  const database = await openDatabase(`sqlite:${partial}`, { migrations });
  try {
    // Writes the log back into the file.
    await sql`pragma wal_checkpoint(truncate)`.execute(database.tables());
  } finally {
    await database.close();
  }
}

function checkWhole(connection: DatabaseSync, file: string): void {
  let answer: unknown;
  try {
    answer = connection.prepare('pragma quick_check').get()?.['quick_check'];
  } catch (error) {
    throw new BackupError(`${file} is not a complete SQLite database: ${(error as Error).message}.`);
  }
  if (answer !== 'ok') throw new BackupError(`${file} is damaged: ${String(answer)}`);
}

/** Fails if another process has the database open. */
async function moveAside(file: string, to: string): Promise<void> {
  const aside = resolve(to);
  if (existsSync(aside)) throw new BackupError(`${aside} exists; move or remove it first.`);
  const { DatabaseSync } = await import('node:sqlite');
  using connection = new DatabaseSync(file);
  try {
    // Fails unless we are alone: every process holds a shared lock. Without a log the file is complete.
    connection.exec('pragma locking_mode = exclusive; pragma journal_mode = delete; begin exclusive');
  } catch (error) {
    if (((error as { errcode?: number }).errcode ?? 0) % 256 !== 5) throw error;
    throw new BackupError(`The database ${file} is in use. Stop every service and worker that uses it, then restore.`);
  }
  renameSync(file, aside);
}

/** The file, then its name, is on disk before this returns. */
function putInPlace(partial: string, file: string): void {
  flush(partial);
  renameSync(partial, file);
  flush(dirname(file));
}

function flush(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
