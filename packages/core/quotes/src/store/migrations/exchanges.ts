import type { Migration } from '@leeward/database';
import { sql } from 'kysely';

export const exchangesMigration: Migration = {
  name: 'exchanges',
  async up(db) {
    await db.schema
      .createTable('quote_exchange')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('rate_id', 'text', (column) => column.notNull())
      .addColumn('quote_id', 'text', (column) => column.notNull().references('quote_request.id').onDelete('cascade'))
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('carrier_key', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .execute();
    await sql`create index quote_exchange_of_quote on quote_exchange (quote_id)`.execute(db);
    await sql`create index quote_exchange_of_carrier on quote_exchange (carrier_key, at, id)`.execute(db);
    await sql`create index quote_exchange_age on quote_exchange (at)`.execute(db);
  },
};
