import type { Migration } from '@leeward/database';

/** Quotes that are made again, and the answers that they take over. */
export const requoteMigration: Migration = {
  name: 'requotes',
  async up(db) {
    await db.schema.alterTable('quote_request').addColumn('requote_of', 'text').execute();
    await db.schema.alterTable('quote_rate').addColumn('carried_from', 'text').execute();
  },
};
