import type { Migration } from '@leeward/database';

/** Indexes by which old quotes are found without reading others. */
export const retentionMigration: Migration = {
  name: 'retention',
  async up(db) {
    await db.schema.createIndex('quote_request_age').on('quote_request').columns(['created_at', 'id']).execute();
    await db.schema.createIndex('quote_callback_age').on('quote_callback').column('taken_at').execute();
  },
};
