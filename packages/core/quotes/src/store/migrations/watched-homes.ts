import type { Migration } from '@leeward/database';
import { sql } from 'kysely';

export const watchedHomesMigration: Migration = {
  name: 'watched_homes',
  async up(db) {
    await db.schema
      .createTable('quote_watched_home')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('verdicts', 'text')
      .addColumn('stamp', 'text')
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('evaluated_at', 'bigint')
      .execute();
    await sql`create index quote_watched_home_of_team on quote_watched_home (team_id, created_at, id)`.execute(db);
    await sql`create index quote_watched_home_age on quote_watched_home (created_at)`.execute(db);
    await sql`insert into quote_closure_pass (id) values (2)`.execute(db);
  },
};

/** Homes are removed when the personal data of their quote is erased. */
export const homesOfQuotesMigration: Migration = {
  name: 'watched_homes_of_quotes',
  async up(db) {
    await db.schema.alterTable('quote_watched_home').addColumn('quote_id', 'text').execute();
    await sql`
      create index quote_watched_home_of_quote on quote_watched_home (quote_id) where quote_id is not null`.execute(db);
  },
};
