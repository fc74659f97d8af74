import type { MigrationList } from '@leeward/database';
import { firstMigrations } from './migrations/first.ts';
import { laterMigrations } from './migrations/later.ts';
import { outboxMigration } from './migrations/outbox.ts';

/** Tables of quoting, for `openDatabase` or `database.migrate`. */
export const quoteMigrations: MigrationList = {
  name: 'quotes',
  migrations: [...firstMigrations, outboxMigration, ...laterMigrations],
};
