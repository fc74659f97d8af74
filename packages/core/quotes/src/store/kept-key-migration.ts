import type { Migration } from '@leeward/database';
import { sql } from 'kysely';

/** The idempotency key of a rate, which a retry keeps while the carrier may have made something under it. */
export const keptKeyMigration: Migration = {
  name: 'kept_idempotency_keys',
  async up(db) {
    await db.schema.alterTable('quote_rate').addColumn('asked_under', 'text').execute();
    await db.schema
      .alterTable('quote_rate')
      .addColumn('may_have_made', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    // It was not recorded before: keep the key of everything that was tried and may be tried again.
    await sql`
      update quote_rate set may_have_made = 1
      where attempts > 0 and superseded_by is null and (finished_at is null or status = 'error')`.execute(db);
  },
};
