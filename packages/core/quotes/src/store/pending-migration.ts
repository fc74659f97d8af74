import type { Migration } from '@leeward/database';
import { sql } from 'kysely';

/** What is kept while carriers take their time, and which of their callbacks have been taken. */
export const pendingMigration: Migration = {
  name: 'pending_answers',
  async up(db) {
    await db.schema.alterTable('quote_rate').addColumn('pending', 'text').execute();
    await db.schema.alterTable('quote_rate').addColumn('pending_since', 'bigint').execute();
    await db.schema.alterTable('quote_rate').addColumn('pending_reference', 'text').execute();
    await db.schema
      .createIndex('quote_rate_of_reference')
      .on('quote_rate')
      .columns(['carrier_key', 'pending_reference'])
      .where(sql.ref('pending_reference'), 'is not', null)
      .execute();
    await db.schema
      .createTable('quote_callback')
      .addColumn('carrier_key', 'text', (column) => column.notNull())
      .addColumn('callback', 'text', (column) => column.notNull())
      .addColumn('taken_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('quote_callback_key', ['carrier_key', 'callback'])
      .execute();
  },
};
