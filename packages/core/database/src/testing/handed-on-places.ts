import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { OpenDatabaseOptions } from '../open-database.ts';
import type { TestEngine, TestPlace } from './test-engines.ts';

/** An empty place, migrated and opened twice, as two processes have it. To dispose of it is to hand it on. */
export interface HandedOnPlace extends AsyncDisposable {
  readonly databases: readonly [Database, Database];
}

/** Places that go from test to test. Disposed of when the last of them has ended. */
export interface HandedOnPlaces extends AsyncDisposable {
  take(): Promise<HandedOnPlace>;
}

/**
 * Places for tests that read and write through a store and do nothing else to a database: none of its tables is changed, no
 * connection cut off, no other process let in. On PostgreSQL such a place is emptied and handed on with its connections
 * open: to make its tables and to open them costs the server ten times what most tests do. A file is made anew.
 *
 * @example
 * const places = handOnPlaces(engine, [quoteMigrations]);
 */
export function handOnPlaces(engine: TestEngine, migrations: readonly MigrationList[]): HandedOnPlaces {
  const free: MadePlace[] = [];
  return {
    async take() {
      const migrated = free.pop() ?? (await makePlace(engine, migrations));
      const [first, second] = [lend(migrated.databases[0]), lend(migrated.databases[1])];
      return {
        databases: [first.database, second.database],
        async [Symbol.asyncDispose]() {
          const idle = first.takeBack() && second.takeBack();
          if (engine.engine === 'postgres' && idle) {
            await migrated.empty();
            free.push(migrated);
          } else {
            await migrated.place[Symbol.asyncDispose]();
          }
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(free.splice(0).map(({ place }) => place[Symbol.asyncDispose]()));
    },
  };
}

type MigrationList = NonNullable<OpenDatabaseOptions['migrations']>[number];

interface MadePlace {
  readonly place: TestPlace;
  readonly databases: readonly [Database, Database];
  empty(): Promise<void>;
}

async function makePlace(engine: TestEngine, migrations: readonly MigrationList[]): Promise<MadePlace> {
  const place = await engine.createPlace();
  const open = () => place.open({ migrations });
  const databases = [await open(), await open()] as const;
  let emptying: string | undefined;
  const empty = async () => {
    emptying ??= await statementsThatEmpty(databases[0]);
    await sql.raw(emptying).execute(databases[0].tables());
  };
  return { place, databases, empty };
}

/** The youngest table first: it may refer to those before it, and none of them to it. */
async function statementsThatEmpty(database: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(relname) as name from pg_class
    where relnamespace = quote_ident(current_schema())::regnamespace and relkind = 'r' and relname <> 'leeward_migrations'
    order by oid desc`.execute(database.tables());
  return rows.map(({ name }) => `delete from ${name}`).join(';\n');
}

/** The database for one test. After the test ends, leftover work cannot write to the database of the next test. */
function lend(database: Database) {
  let ended = false;
  let underWay = 0;
  const counted = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (ended) throw new Error('The test that had this place has ended.');
    underWay++;
    try {
      return await work();
    } finally {
      underWay--;
    }
  };
  const lent: Database = {
    ...database,
    transaction: (work) => counted(() => database.transaction(work)),
    snapshot: (work) => counted(() => database.snapshot(work)),
  };
  return {
    database: lent,
    /** @returns whether nothing was under way. */
    takeBack() {
      ended = true;
      return underWay === 0;
    },
  };
}
