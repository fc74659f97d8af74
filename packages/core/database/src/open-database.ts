import { type Dialect, Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import { describeLocation, type Location, parseLocation } from './location.ts';
import { migrate } from './migrate.ts';
import type { MigrationList, MigrationTables } from './migration.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { checkDisk } from './sqlite/check-disk.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { SqliteDialect } from './sqlite/sqlite-dialect.ts';
import { isSerializationFailure } from './violations.ts';

const WRITABLE_FOR_MS = 1000;

/** Options of `openDatabase`. */
export interface OpenDatabaseOptions {
  /** Migrations to apply before the database is returned. @default none */
  readonly migrations?: readonly MigrationList[];
  /** SQLite: maximum wait of a writer for another process or transaction, in ms. @default 10_000 */
  readonly busyTimeoutMs?: number;
  /** SQLite: maximum number of transactions that share a write to disk. @default 64 */
  readonly groupSize?: number;
  /** PostgreSQL: maximum number of connections. @default 10 */
  readonly poolSize?: number;
  /** PostgreSQL: maximum wait for a connection, in ms. @default 10_000 */
  readonly connectTimeoutMs?: number;
  /** Clock that dates migrations, in ms since 1970. @default Date.now */
  readonly now?: () => number;
}

/**
 * Opens `sqlite:path`, `sqlite::memory:` or `postgres://user@host/name` and migrates it.
 *
 * @throws {TypeError} if the URL has another form.
 * @throws {MigrationError} if another version of the program migrated the database.
 * @example
 * const database = await openDatabase('sqlite:data/quotes.db', { migrations: [quoteMigrations] });
 */
export async function openDatabase(url: string, options: OpenDatabaseOptions = {}): Promise<Database> {
  const location = parseLocation(url);
  const { dialect, drain, commits, subscribe } = await openDialect(location, options);
  const kysely = new Kysely<MigrationTables>({ dialect });
  const close = async () => {
    await drain();
    await kysely.destroy();
  };
  const database = createDatabase(location, kysely, { now: options.now ?? Date.now, close, commits, subscribe });
  try {
    await database.ping();
    await database.migrate(options.migrations ?? []);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** Kysely would reject work in progress on closing. */
interface Opened {
  readonly dialect: Dialect;
  readonly drain: () => Promise<void>;
  readonly commits: Database['commits'];
  readonly subscribe: Database['subscribe'];
}

async function openDialect(location: Location, options: OpenDatabaseOptions): Promise<Opened> {
  if (location.engine === 'sqlite') {
    const { busyTimeoutMs = 10_000, groupSize = 64 } = options;
    const connections = await openSqlite(location.file, { busyTimeoutMs, groupSize });
    // The writer closes last.
    return {
      dialect: new SqliteDialect(connections),
      drain: async () => {},
      commits: () => connections.readers?.commits(),
      subscribe: async () => async () => {},
    };
  }
  const { poolSize = 10, connectTimeoutMs = 10_000 } = options;
  const { pool, subscribe } = await openPostgres(location.url, { poolSize, connectTimeoutMs });
  const drain = () => pool.drain(connectTimeoutMs);
  return { dialect: new PostgresDialect({ pool }), drain, commits: () => undefined, subscribe };
}

function createDatabase(
  location: Location,
  kysely: Kysely<MigrationTables>,
  {
    now,
    close,
    commits,
    subscribe,
  }: Pick<Database, 'close' | 'commits' | 'subscribe'> & { readonly now: () => number },
): Database {
  const { engine } = location;
  const tables = <Tables>() => kysely as unknown as Kysely<Tables>;
  let writtenAt = Number.NEGATIVE_INFINITY;
  return {
    engine,
    location: describeLocation(location),
    tables,
    async transaction<Tables, Result>(work: (tx: Transaction<Tables>) => Promise<Result>) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await tables<Tables>().transaction().execute(work);
        } catch (error) {
          if (attempt === 3 || !isSerializationFailure(error)) throw error;
        }
      }
    },
    async snapshot<Tables, Result>(work: (tx: Transaction<Tables>) => Promise<Result>) {
      return tables<Tables>()
        .transaction()
        .setAccessMode('read only')
        .setIsolationLevel(engine === 'postgres' ? 'repeatable read' : 'serializable')
        .execute(work);
    },
    commits,
    subscribe,
    async notify(channel, messages) {
      if (engine === 'sqlite' || messages.length === 0) return;
      const all = sql`json_array_elements_text(cast(${JSON.stringify(messages)} as json))`;
      await sql`select pg_notify(${channel}, message) from ${all} as message`.execute(kysely);
    },
    migrate: (lists) => migrate(kysely, engine, lists, now),
    async checkWritable() {
      if (performance.now() - writtenAt < WRITABLE_FOR_MS) return void (await sql`select 1`.execute(kysely));
      if (location.engine === 'sqlite') {
        if (location.file !== ':memory:') await checkDisk(location.file);
        const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(kysely);
        await sql`pragma user_version = ${sql.lit(rows[0]!.user_version)}`.execute(kysely);
      } else {
        await kysely.transaction().execute((tx) => sql`select txid_current()`.execute(tx));
      }
      writtenAt = performance.now();
    },
    async ping() {
      await sql`select 1`.execute(kysely);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
