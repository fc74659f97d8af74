import type { Migration } from '@leeward/database';

/** How many attempts at an endpoint failed in a window: an endpoint that hardly ever answers is disabled. */
export const webhookHealthMigration: Migration = {
  name: 'webhook_health',
  async up(db) {
    await db.schema.alterTable('quote_webhook').addColumn('window_started_at', 'bigint').execute();
    for (const column of ['window_attempts', 'window_failures']) {
      await db.schema
        .alterTable('quote_webhook')
        .addColumn(column, 'integer', (built) => built.notNull().defaultTo(0))
        .execute();
    }
  },
};
