import type { Migration } from '@leeward/database';
import { sql } from 'kysely';
import { isFailed } from '../read-failed-rates.ts';
import { dataKeysMigration, erasuresMigration } from './data-keys.ts';
import { exchangesMigration } from './exchanges.ts';
import { webhookDueMigration } from './outbox.ts';
import { homesOfQuotesMigration, watchedHomesMigration } from './watched-homes.ts';

export const laterMigrations: readonly Migration[] = [
  {
    name: 'turns_of_teams',
    async up(db) {
      await db.schema
        .alterTable('quote_rate')
        .addColumn('told', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
      // Waiting rates by carrier and team: finds the next team without reading the backlog.
      await db.schema
        .createIndex('quote_rate_turns')
        .on('quote_rate')
        .columns(['carrier_key', 'team_id', 'wake_at'])
        .where(sql.ref('wake_at'), 'is not', null)
        .execute();
      await db.schema.dropIndex('quote_rate_waking').execute();
      await db.schema
        .createIndex('quote_rate_told')
        .on('quote_rate')
        .columns(['carrier_key', 'wake_at'])
        .where(sql.ref('told'), '=', sql.lit(1))
        .execute();
    },
  },
  {
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
  },
  webhookDueMigration,
  {
    name: 'troubled_rates',
    async up(db) {
      await sql`create index quote_rate_troubled on quote_rate (finished_at, id) where ${isFailed}`.execute(db);
    },
  },
  {
    name: 'requotes',
    async up(db) {
      await db.schema.alterTable('quote_request').addColumn('requote_of', 'text').execute();
      await db.schema.alterTable('quote_rate').addColumn('carried_from', 'text').execute();
    },
  },
  {
    name: 'carrier_quotas',
    async up(db) {
      await db.schema
        .createTable('quote_carrier_quota')
        .addColumn('carrier_key', 'text', (column) => column.notNull())
        .addColumn('per', 'text', (column) => column.notNull())
        .addColumn('window_start', 'bigint', (column) => column.notNull())
        .addColumn('used', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('quote_carrier_quota_key', ['carrier_key', 'per'])
        .execute();
    },
  },
  {
    name: 'kept_idempotency_keys',
    async up(db) {
      await db.schema.alterTable('quote_rate').addColumn('asked_under', 'text').execute();
      await db.schema
        .alterTable('quote_rate')
        .addColumn('may_have_made', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
      // Not recorded before: keep the key of everything that may be tried again.
      await sql`
          update quote_rate set may_have_made = 1
          where attempts > 0 and superseded_by is null and (finished_at is null or status = 'error')`.execute(db);
    },
  },
  /** An endpoint that rarely answers is disabled. */
  {
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
  },
  /** Fair hand-out, see `hand-out.ts`. Waiting rates become ready when due, and handed-out rates are due again unless claimed. */
  {
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
  },
  {
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
  },
  {
    name: 'retention',
    async up(db) {
      await db.schema.createIndex('quote_request_age').on('quote_request').columns(['created_at', 'id']).execute();
      await db.schema.createIndex('quote_callback_age').on('quote_callback').column('taken_at').execute();
    },
  },
  {
    name: 'field_keys',
    async up(db) {
      await db.schema
        .createTable('quote_field_key')
        .addColumn('key_id', 'text', (column) => column.primaryKey())
        .addColumn('check_value', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
  {
    name: 'closures',
    async up(db) {
      await db.schema.alterTable('quote_rate').addColumn('closed', 'integer').execute();
      await db.schema.alterTable('quote_event').addColumn('details', 'text').execute();
      await sql`create index quote_rate_closed on quote_rate (quote_id) where closed = 1`.execute(db);
      await db.schema
        .createTable('quote_closure_pass')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('stamp', 'text')
        .addColumn('done_stamp', 'text')
        .addColumn('owner', 'text')
        .addColumn('lease_until', 'bigint')
        .addColumn('checked_at', 'bigint')
        .execute();
      await sql`insert into quote_closure_pass (id) values (1)`.execute(db);
    },
  },
  {
    name: 'quote_list',
    async up(db) {
      await sql`
          create index quote_request_of_team on quote_request (team_id, created_at, id, product_code)`.execute(db);
      await sql`
          create index quote_progress_open on quote_progress (team_id, quote_id) where open_rates > 0`.execute(db);
    },
  },
  /** The store hands out rates itself, see `hand-out.ts` and `transitions.ts`. Rates in queues are due at their `wake_at`. */
  {
    name: 'rate_states',
    async up(db) {
      await db.schema
        .alterTable('quote_rate')
        .addColumn('state', 'text', (column) => column.notNull().defaultTo('ended'))
        .execute();
      await db.schema
        .alterTable('quote_rate')
        .addColumn('priority', 'integer', (column) => column.notNull().defaultTo(3))
        .execute();
      await sql`
        update quote_rate set state = case when lease_until is null then 'waiting' else 'leased' end,
          wake_at = coalesce(wake_at, created_at)
        where wake_at is not null or finished_at is null`.execute(db);
      for (const index of ['quote_rate_told', 'quote_rate_waiting', 'quote_rate_ready', 'quote_rate_leased']) {
        await db.schema.dropIndex(index).execute();
      }
      await db.schema.alterTable('quote_rate').dropColumn('told').execute();
      await sql`create index quote_rate_waiting on quote_rate (carrier_key, wake_at) where state = 'waiting'`.execute(
        db,
      );
      await sql`create index quote_rate_leased on quote_rate (carrier_key, wake_at) where state = 'leased'`.execute(db);
      await sql`
        create index quote_rate_ready on quote_rate (carrier_key, team_id, priority, created_at, id)
        where state = 'ready'`.execute(db);
      await sql`delete from quote_carrier_team`.execute(db);
      await db.schema.alterTable('quote_carrier_team').dropColumn('arrivals').execute();
    },
  },
  exchangesMigration,
  watchedHomesMigration,
  dataKeysMigration,
  erasuresMigration,
  homesOfQuotesMigration,
];
