import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { CommandError } from '../command-error.ts';

/**
 * A file of records that gets its name only when complete. Until then it is `<path>.partial`, with its inputs in
 * `<path>.progress`. A killed run resumes after the last whole record.
 */
export interface ResumableFile {
  /** Bytes of whole records that an earlier run wrote. */
  readonly wholeBytes: number;
  readonly partialPath: string;
  /** Writes whole records, at once. */
  append(text: string): void;
  /** Gives the file its name. */
  finish(): void;
  /** Keeps what was written, for another run. */
  keep(): void;
}

export interface ResumableOptions {
  /** Identity of the inputs. Another run resumes only with the same identity. */
  readonly identity: Readonly<Record<string, string>>;
  /** Starts from the beginning and discards existing output. */
  readonly restart: boolean;
  /** True if a record may contain line breaks in quotation marks. */
  readonly quoted: boolean;
}

/** Opens it, and keeps other processes from it until it is closed, however this one ends. Throws a `CommandError`. */
export function openResumableFile(path: string, name: string, options: ResumableOptions): ResumableFile {
  const partialPath = `${path}.partial`;
  const progressPath = `${path}.progress`;
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    throw new CommandError(`${name} is not a regular file: name another --output.`);
  }
  if (existsSync(path) && !options.restart) {
    throw new CommandError(`${name} is there already: name another --output, or begin anew with --restart.`);
  }
  const progress = lockProgress(progressPath, name);
  let file: number;
  let wholeBytes: number;
  try {
    if (options.restart) rmSync(path, { force: true });
    else checkIdentity(progress, options.identity, name, existsSync(partialPath));
    writeIdentity(progress, options.identity);
    file = openSync(partialPath, options.restart ? 'w+' : 'a+');
    wholeBytes = lastRecordEnd(file, options.quoted);
    ftruncateSync(file, wholeBytes);
  } catch (error) {
    progress.close();
    throw error;
  }
  return {
    wholeBytes,
    partialPath,
    append(text) {
      const bytes = Buffer.from(text, 'utf8');
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    },
    finish() {
      fsyncSync(file);
      closeSync(file);
      renameSync(partialPath, path);
      progress.close();
      rmSync(progressPath, { force: true });
    },
    keep() {
      closeSync(file);
      progress.close();
    },
  };
}

/** SQLite holds its lock on the file until the process ends, also where that is killed. */
function lockProgress(path: string, name: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS identity (name TEXT PRIMARY KEY, value TEXT); COMMIT');
    return database;
  } catch (error) {
    database?.close();
    if (/unable to open/.test((error as Error).message)) {
      throw new CommandError(`${name} cannot be written: its folder is not there, or permission is missing.`, {
        exitCode: 2,
      });
    }
    if (/locked|busy/.test((error as Error).message)) {
      throw new CommandError(`Another run is writing ${name}: wait for it, or stop it.`);
    }
    throw new CommandError(
      `${path} is not a file of this command (${(error as Error).message}): remove it, or name another --output.`,
    );
  }
}

function checkIdentity(
  progress: DatabaseSync,
  identity: ResumableOptions['identity'],
  name: string,
  isBegun: boolean,
): void {
  if (!isBegun) return;
  const rows = progress.prepare('SELECT name, value FROM identity').all() as { name: string; value: string }[];
  const was = new Map(rows.map((row) => [row.name, row.value]));
  const differing = Object.keys(identity).filter((key) => was.get(key) !== identity[key]);
  if (differing.length === 0) return;
  throw new CommandError(
    `${name}.partial was begun with another ${differing.join(' and ')}: go on as it was begun, name another --output, or begin anew with --restart.`,
  );
}

function writeIdentity(progress: DatabaseSync, identity: ResumableOptions['identity']): void {
  const insert = progress.prepare('INSERT OR REPLACE INTO identity VALUES (?, ?)');
  progress.exec('BEGIN; DELETE FROM identity');
  for (const [name, value] of Object.entries(identity)) insert.run(name, value);
  progress.exec('COMMIT');
}

/** End of the last record: after the last line break outside quotation marks. */
function lastRecordEnd(file: number, quoted: boolean): number {
  const chunk = Buffer.alloc(1 << 16);
  let isQuoted = false;
  let end = 0;
  for (let at = 0; ; ) {
    const length = readSync(file, chunk, 0, chunk.length, at);
    if (length === 0) return end;
    for (let index = 0; index < length; index++) {
      const byte = chunk[index];
      if (byte === 0x22) isQuoted = quoted && !isQuoted;
      else if (byte === 0x0a && !isQuoted) end = at + index + 1;
    }
    at += length;
  }
}
