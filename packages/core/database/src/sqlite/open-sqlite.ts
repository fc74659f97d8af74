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

/** Concurrent snapshots; each costs a connection. */
const MAX_READERS = 4;

/** With a write-ahead log, commits that are on disk before they are acknowledged, and foreign keys. */
export async function openSqlite(file: string, options: SqliteOptions): Promise<SqliteConnections> {
  // Programs on PostgreSQL never load it.
  const { DatabaseSync } = await import('node:sqlite');
  if (file === ':memory:') {
    const connection = new DatabaseSync(file, { enableForeignKeyConstraints: true });
    return { writer: new Writer(connection, { ...options, groupSize: 1 }), readers: undefined };
  }
  createPrivateFile(file);
  const connection = new DatabaseSync(file, { enableForeignKeyConstraints: true });
  try {
    await useWriteAheadLog(connection, options.busyTimeoutMs);
    // Blocks the process, so it is short. The writer waits without blocking.
    connection.exec('pragma busy_timeout = 10; pragma synchronous = full; pragma journal_size_limit = 67108864');
    // Overwrites deleted data.
    connection.exec('pragma secure_delete = on');
    const readers = new Readers(() => openReader(new DatabaseSync(file)), MAX_READERS);
    return { writer: new Writer(connection, options), readers };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Personal data: readable by the owner only. Side files get the same mode. */
function createPrivateFile(file: string): void {
  makeFolder(dirname(file));
  closeSync(openSync(file, 'a', 0o600));
}

function openReader(connection: DatabaseSync): DatabaseSync {
  connection.exec('pragma query_only = on; pragma busy_timeout = 1000');
  return connection;
}

/** The busy handler does not work while the journal mode changes. */
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
