import { type Kysely, sql, type Transaction } from 'kysely';
import type { Engine, MigrationList, MigrationTables } from './migration.ts';

export const migrationsTable = 'leeward_migrations';

interface AppliedRow {
  readonly list: string;
  readonly position: number;
  readonly name: string;
}

/**
 * Applies lists in one transaction under a lock: of several processes, one migrates. A failed step undoes all.
 *
 * @returns the applied steps, as `list/name`
 * @throws {MigrationError} If other lists migrated the database, such as those of a newer program.
 */
export async function migrate(
  db: Kysely<MigrationTables>,
  engine: Engine,
  lists: readonly MigrationList[],
  now: () => number,
): Promise<string[]> {
  checkNames(lists);
  if (lists.length === 0) return [];
  if (await isUpToDate(db, engine, lists)) return [];
  return db.transaction().execute(async (tx) => {
    if (engine === 'postgres')
      await sql`select pg_advisory_xact_lock(hashtext(${migrationsTable}), hashtext(current_schema()))`.execute(tx);
    await tx.schema
      .createTable(migrationsTable)
      .ifNotExists()
      .addColumn('list', 'text', (column) => column.notNull())
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('applied_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('leeward_migrations_key', ['list', 'position'])
      .execute();
    const applied = await readApplied(tx);
    const done: string[] = [];
    for (const list of lists) {
      for (const { position, migration } of pending(list, applied)) {
        await migration.up(tx, engine);
        await tx
          .insertInto(migrationsTable)
          .values({ list: list.name, position, name: migration.name, applied_at: now() })
          .execute();
        done.push(`${list.name}/${migration.name}`);
      }
    }
    return done;
  });
}

/** Program and database disagree on the lists. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

async function isUpToDate(
  db: Kysely<MigrationTables>,
  engine: Engine,
  lists: readonly MigrationList[],
): Promise<boolean> {
  const { rows } =
    engine === 'sqlite'
      ? await sql`select name from sqlite_master where type = 'table' and name = ${migrationsTable}`.execute(db)
      : // Planning a query of the view of all tables takes a third of the time of opening a connection.
        await sql`
          select 1 where to_regclass(quote_ident(current_schema()) || '.' || ${migrationsTable}::text) is not null`.execute(
          db,
        );
  if (rows.length === 0) return false;
  const applied = await readApplied(db);
  return lists.every((list) => pending(list, applied).length === 0);
}

async function readApplied(db: Kysely<MigrationTables> | Transaction<MigrationTables>): Promise<AppliedRow[]> {
  const rows = await db.selectFrom(migrationsTable).select(['list', 'position', 'name']).orderBy('position').execute();
  return rows as unknown as AppliedRow[];
}

function pending(list: MigrationList, applied: readonly AppliedRow[]) {
  const ownRows = applied.filter((row) => row.list === list.name);
  for (const row of ownRows) {
    const expected = list.migrations[row.position]?.name;
    if (expected === row.name) continue;
    const here = expected === undefined ? 'does not know' : `has as "${expected}"`;
    throw new MigrationError(
      `The database has the migration "${list.name}/${row.name}", which this program ${here}: it was opened by another version. Run that version, or a newer one.`,
    );
  }
  return list.migrations.map((migration, position) => ({ migration, position })).slice(ownRows.length);
}

function checkNames(lists: readonly MigrationList[]): void {
  const names = lists.map((list) => list.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new TypeError(`Two migration lists are named "${twice}".`);
}
