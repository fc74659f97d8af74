import type { Migration } from '@leeward/database';
import { sql } from 'kysely';

export const dataKeysMigration: Migration = {
  name: 'data_keys',
  async up(db) {
    await db.schema
      .createTable('quote_data_key')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('wrapped', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('retired_at', 'bigint')
      .addColumn('erased_at', 'bigint')
      .execute();
    await sql`create unique index quote_data_key_current on quote_data_key (team_id) where retired_at is null`.execute(
      db,
    );
    await sql`create index quote_data_key_of_team on quote_data_key (team_id)`.execute(db);
  },
};

export const erasuresMigration: Migration = {
  name: 'erasures',
  async up(db) {
    await db.schema
      .createTable('quote_erasure')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('matched_by', 'text')
      .addColumn('key_id', 'text')
      .execute();
  },
};
