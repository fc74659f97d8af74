import type { Migration } from '@leeward/database';
import { sql } from 'kysely';
import { isTroubled } from './read-troubled.ts';

/** What ended for a fault and was not retried is found without reading all that ended well. */
export const troubledMigration: Migration = {
  name: 'troubled_rates',
  async up(db) {
    await sql`create index quote_rate_troubled on quote_rate (finished_at, id) where ${isTroubled}`.execute(db);
  },
};
