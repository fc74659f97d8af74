import type { Migration } from '@leeward/database';
import { sql } from 'kysely';

/** Which processes there are, and which of them holds a rate: the leases of a dead one are found by it. */
export const processMigration: Migration = {
  name: 'processes',
  async up(db) {
    await db.schema
      .createTable('quote_process')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('beats', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.alterTable('quote_rate').addColumn('owner', 'text').execute();
    await sql`create index quote_rate_leased on quote_rate (owner) where lease_until is not null`.execute(db);
  },
};
