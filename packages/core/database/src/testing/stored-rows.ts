import { sql } from 'kysely';
import type { Database } from '../database.ts';

/**
 * Every row of the tables of a PostgreSQL database's own schema. Kysely's introspection reads the schemas of all
 * tests, and fails when another test drops its own meanwhile.
 */
export async function storedRows(database: Database): Promise<readonly unknown[]> {
  const db = database.tables<Record<string, Record<string, unknown>>>();
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_catalog.pg_tables where schemaname = current_schema()`.execute(db);
  const rows = await Promise.all(tables.rows.map(({ name }) => db.selectFrom(name).selectAll().execute()));
  return rows.flat();
}
