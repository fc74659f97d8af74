import type { Migration } from '@leeward/database';
import { sql } from 'kysely';

/**
 * The fair hand-out (see `hand-out.ts`). Rates in flight need no change: what was waiting is made ready when it is due, and
 * what was handed out is handed out again if nobody claims it.
 */
export const handOutMigration: Migration = {
  name: 'fair_hand_out',
  async up(db, engine) {
    const keyed = engine === 'sqlite' ? sql`without rowid` : sql``;
    await db.schema
      .createTable('quote_carrier_team')
      .addColumn('carrier_key', 'text', (column) => column.notNull())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('tag', 'bigint', (column) => column.notNull())
      .addColumn('is_waiting', 'integer', (column) => column.notNull())
      .addColumn('arrivals', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('quote_carrier_team_key', ['carrier_key', 'team_id'])
      .modifyEnd(keyed)
      .execute();
    await db.schema
      .createIndex('quote_carrier_team_next')
      .on('quote_carrier_team')
      .columns(['carrier_key', 'is_waiting', 'tag', 'team_id'])
      .execute();
    await db.schema.dropIndex('quote_rate_turns').execute();
    await sql`
      create index quote_rate_waiting on quote_rate (carrier_key, wake_at) where told = 0 and wake_at is not null`.execute(
      db,
    );
    await sql`
      create index quote_rate_ready on quote_rate (carrier_key, team_id, wake_at, id) where told = 2`.execute(db);
  },
};
