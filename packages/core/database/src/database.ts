import type { Kysely, Transaction } from 'kysely';
import type { Engine, MigrationList } from './migration.ts';

/** An open database. One per process is enough. */
export interface Database extends AsyncDisposable {
  readonly engine: Engine;
  /** Location for display, without user and password. */
  readonly location: string;
  /** The database as a Kysely instance, typed by the caller's tables. */
  tables<Tables>(): Kysely<Tables>;
  /**
   * Runs `work` in a transaction that may write from its first statement (`begin immediate` on SQLite). Resolves when
   * it is on disk. PostgreSQL's deadlocks and serialization failures are retried, up to three tries in all, so `work`
   * may only send queries, through `tx`.
   */
  transaction<Tables, Result>(work: (tx: Transaction<Tables>) => Promise<Result>): Promise<Result>;
  /** Runs `work` on one consistent snapshot. It may not write, and delays no writer. */
  snapshot<Tables, Result>(work: (tx: Transaction<Tables>) => Promise<Result>): Promise<Result>;
  /**
   * A number that changes with every commit of any process. Cached results are valid while it is unchanged; read it
   * before the data. Undefined on PostgreSQL and in memory, where it would cost as much as a query.
   */
  commits(): number | undefined;
  /**
   * Sends messages of at most 7,900 bytes to the subscribers of a channel in all processes (`NOTIFY`). Does nothing on
   * SQLite, where `commits` detects changes. Messages can be lost.
   */
  notify(channel: string, messages: readonly string[]): Promise<void>;
  /**
   * Subscribes to a channel over a separate connection. `onMissed` is called at the start and whenever messages may
   * have been lost. SQLite sends no messages. @returns a function that ends the subscription.
   */
  subscribe(
    channel: string,
    listener: { readonly onMessage: (message: string) => void; readonly onMissed: () => void },
  ): Promise<() => Promise<void>>;
  /** Applies the pending migrations of these lists. @returns the applied ones, as `list/name`. */
  migrate(lists: readonly MigrationList[]): Promise<string[]>;
  /** Resolves if the database answers; rejects with the reason if not. */
  ping(): Promise<void>;
  /**
   * Resolves if the database is writable: it writes without changing data and checks the free space of a file's disk.
   * Rejects with the reason; `isUnwritable` recognizes disk errors. Frequent calls write once a second.
   */
  checkWritable(): Promise<void>;
  /** Waits for work in progress, then closes. */
  close(): Promise<void>;
}
