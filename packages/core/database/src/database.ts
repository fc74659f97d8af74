import type { Kysely, Transaction } from 'kysely';
import type { Engine, MigrationList } from './migration.ts';

/** An open database. One per process is enough. */
export interface Database extends AsyncDisposable {
  readonly engine: Engine;
  /** For display, without user and password. */
  readonly location: string;
  /** Kysely, typed by the caller's tables. */
  tables<Tables>(): Kysely<Tables>;
  /**
   * Runs `work` in a transaction that may write at once (`begin immediate` on SQLite). Resolves when it is on disk. Deadlocks and
   * serialization failures of PostgreSQL are retried up to three times in all, so `work` only sends queries.
   */
  transaction<Tables, Result>(work: (tx: Transaction<Tables>) => Promise<Result>): Promise<Result>;
  /** One consistent snapshot. May not write, and delays no writer. */
  snapshot<Tables, Result>(work: (tx: Transaction<Tables>) => Promise<Result>): Promise<Result>;
  /**
   * Changes with every commit of any process. Read it before the data that you cache. undefined on PostgreSQL and in memory, where it
   * would cost a query.
   */
  commits(): number | undefined;
  /**
   * Maximum 7,900 bytes, to subscribers in all processes (`NOTIFY`). Messages can be lost. Does nothing on SQLite, where `commits`
   * detects changes.
   */
  notify(channel: string, messages: readonly string[]): Promise<void>;
  /**
   * Subscribes over a separate connection. `onMissed` is called at the start and after possible losses. SQLite sends nothing. @returns a
   * function that unsubscribes
   */
  subscribe(
    channel: string,
    listener: { readonly onMessage: (message: string) => void; readonly onMissed: () => void },
  ): Promise<() => Promise<void>>;
  /** @returns the applied migrations, as `list/name` */
  migrate(lists: readonly MigrationList[]): Promise<string[]>;
  /** Rejects with the reason if the database is unavailable. */
  ping(): Promise<void>;
  /**
   * Checks writing and free disk space without changing data. Rejects with the reason (`isUnwritable`). Frequent calls write once a
   * second.
   */
  checkWritable(): Promise<void>;
  /** Waits for work in progress. */
  close(): Promise<void>;
}
