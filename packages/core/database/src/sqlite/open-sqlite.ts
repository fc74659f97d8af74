import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseBusyError } from '../violations.ts';
import { makeFolder } from './make-folder.ts';
import { Readers } from './readers.ts';
import type { SqliteConnections } from './sqlite-connection.ts';
import { Writer } from './writer.ts';

export interface SqliteOptions {
  readonly busyTimeoutMs: number;
  readonly groupSize: number;
}

/** Read-only transactions at a time; each costs a connection. */
const MAX_READERS = 4;

/**
 * Opens a file, or memory for `:memory:`, with the settings that every connection needs: a write-ahead log, a
 * commit that is on disk before it is acknowledged, and foreign keys that hold.
 */
export async function openSqlite(file: string, options: SqliteOptions): Promise<SqliteConnections> {
  // Loaded here, so that a program on PostgreSQL never loads it.
  const { DatabaseSync } = await import('node:sqlite');
  if (file === ':memory:') {
    const connection = new DatabaseSync(file, { enableForeignKeyConstraints: true });
    return { writer: new Writer(connection, { ...options, groupSize: 1 }), readers: undefined };
  }
  createPrivateFile(file);
  const connection = new DatabaseSync(file, { enableForeignKeyConstraints: true });
  try {
    await useWriteAheadLog(connection, options.busyTimeoutMs);
    // Short, because it blocks the whole process. The writer waits for other processes without blocking.
    connection.exec('pragma busy_timeout = 10; pragma synchronous = full; pragma journal_size_limit = 67108864');
    // Overwrites deleted data in the file, for every process and package that writes.
    connection.exec('pragma secure_delete = on');
    const readers = new Readers(() => openReader(new DatabaseSync(file)), MAX_READERS);
    return { writer: new Writer(connection, options), readers };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** The file holds personal data, so only its owner may read it. SQLite gives its side files the same mode. */
function createPrivateFile(file: string): void {
  makeFolder(dirname(file));
  closeSync(openSync(file, 'a', 0o600));
}

function openReader(connection: DatabaseSync): DatabaseSync {
  connection.exec('pragma query_only = on; pragma busy_timeout = 1000');
  return connection;
}

/**
 * SQLite does not use its busy handler while the journal mode changes, so processes that open a new file together
 * collide.
 */
async function useWriteAheadLog(connection: DatabaseSync, timeoutMs: number): Promise<void> {
  const start = performance.now();
  for (;;) {
    try {
      const mode = connection.prepare('pragma journal_mode = wal').get()?.journal_mode;
      if (mode === 'wal') return;
      throw new Error(
        `SQLite kept the journal mode "${mode}" instead of "wal": is the file on a network file system? Use a local disk, or PostgreSQL.`,
      );
    } catch (error) {
      const errcode = (error as { errcode?: number }).errcode ?? 0;
      if ((errcode & 0xff) !== 5) throw error;
      if (performance.now() - start > timeoutMs) {
        throw new DatabaseBusyError(`Another process kept the database from opening for ${timeoutMs} ms.`, {
          cause: error,
        });
      }
      await sleep(5 + Math.random() * 20);
    }
  }
}
