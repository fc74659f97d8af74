import type { Migration } from '@leeward/database';

/** What is old is found without reading what is not. */
export const retentionMigration: Migration = {
  name: 'retention',
  async up(db) {
    await db.schema.createIndex('quote_request_age').on('quote_request').columns(['created_at', 'id']).execute();
    await db.schema.createIndex('quote_callback_age').on('quote_callback').column('taken_at').execute();
  },
};
