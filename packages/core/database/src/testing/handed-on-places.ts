import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { OpenDatabaseOptions } from '../open-database.ts';
import type { TestEngine, TestPlace } from './test-engines.ts';

/** A migrated place with two connections. Disposal returns it. */
export interface HandedOnPlace extends AsyncDisposable {
  readonly databases: readonly [Database, Database];
}

/** Reused places. */
export interface HandedOnPlaces extends AsyncDisposable {
  take(): Promise<HandedOnPlace>;
}

/**
 * Places for tests that only read and write rows. On PostgreSQL a place is emptied and reused with open connections, which is ten times
 * faster. A file is made anew.
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

/** Newest table first, because of references. */
async function statementsThatEmpty(database: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(relname) as name from pg_class
    where relnamespace = quote_ident(current_schema())::regnamespace and relkind = 'r' and relname <> 'leeward_migrations'
    order by oid desc`.execute(database.tables());
  return rows.map(({ name }) => `delete from ${name}`).join(';\n');
}

/** Ends with the test, so that leftover work cannot write into the next. */
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
    /** @returns true if it is idle */
    takeBack() {
      ended = true;
      return underWay === 0;
    },
  };
}
