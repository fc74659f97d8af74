import type { Kysely, Transaction } from 'kysely';
import type { Engine, MigrationList } from './migration.ts';

/** An open database. One a process is enough: everything that stores shares it. */
export interface Database extends AsyncDisposable {
  readonly engine: Engine;
  /** Where it is, fit to be printed: without user and password. */
  readonly location: string;
  /** The database as Kysely sees it, typed by the tables that the caller's migrations made. */
  tables<Tables>(): Kysely<Tables>;
  /**
   * Runs `work` in a transaction that may write from its first statement on (`begin immediate` on SQLite) and
   * resolves when it is on disk. A transaction that PostgreSQL broke off because two ran into each other is run
   * again, up to three times, so `work` does nothing but talk to the database, and that through `tx` only.
   */
  transaction<Tables, Result>(work: (tx: Transaction<Tables>) => Promise<Result>): Promise<Result>;
  /** Runs `work` on one unchanging view of the database. It may not write, and holds up no writer. */
  snapshot<Tables, Result>(work: (tx: Transaction<Tables>) => Promise<Result>): Promise<Result>;
  /**
   * A number that changes with every commit, whoever made it and from whichever process: what was read may be kept for as
   * long as it stays the same. Ask before reading. Undefined where asking costs as much as reading: on PostgreSQL, and
   * of a database in memory.
   */
  commits(): number | undefined;
  /**
   * Tells whoever hears this channel, in whichever process, messages of up to 7,900 bytes each. PostgreSQL does it (`NOTIFY`);
   * of a file `commits` tells as much, and nothing is done. What is told may go by unheard.
   */
  notify(channel: string, messages: readonly string[]): Promise<void>;
  /**
   * Hears what is told on a channel, over a connection of its own; `onMissed` is told when it begins, and whenever messages
   * may have gone by. Nothing is heard of a file. @returns how to end it.
   */
  subscribe(
    channel: string,
    ear: { readonly onMessage: (message: string) => void; readonly onMissed: () => void },
  ): Promise<() => Promise<void>>;
  /** Applies what is pending of further lists. @returns what was applied now, as `list/name`. */
  migrate(lists: readonly MigrationList[]): Promise<string[]>;
  /** Resolves when the database answers; rejects with what is wrong. */
  ping(): Promise<void>;
  /**
   * Resolves when something can be written: writes what is there already, and for a file looks at the room that its disk has.
   * Rejects with what is wrong, `isUnwritable` where it is the disk. Asked often, it writes once a second.
   */
  checkWritable(): Promise<void>;
  /** Waits for what is under way, then closes. */
  close(): Promise<void>;
}
