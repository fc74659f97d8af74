import { sql } from 'kysely';
import type { Database } from '../database.ts';

/**
 * All rows of a PostgreSQL schema. Kysely's introspection fails if another test drops its schema meanwhile.
 *
 * @example
 * expect(JSON.stringify(await storedRows(database))).not.toContain('Whitfield');
 */
export async function storedRows(database: Database): Promise<readonly unknown[]> {
  const db = database.tables<Record<string, Record<string, unknown>>>();
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_catalog.pg_tables where schemaname = current_schema()`.execute(db);
  const rows = await Promise.all(tables.rows.map(({ name }) => db.selectFrom(name).selectAll().execute()));
  return rows.flat();
}
