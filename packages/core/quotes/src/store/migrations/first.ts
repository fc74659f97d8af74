import type { Migration } from '@leeward/database';
import { sql } from 'kysely';

export const firstMigrations: readonly Migration[] = [
  {
    name: 'quotes',
    async up(db) {
      await db.schema
        .createTable('quote_request')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('service_quote_id', 'text', (column) => column.notNull().unique())
        .addColumn('team_id', 'text', (column) => column.notNull())
        .addColumn('product_code', 'text', (column) => column.notNull())
        .addColumn('producer_email', 'text', (column) => column.notNull())
        .addColumn('effective_date', 'text', (column) => column.notNull())
        .addColumn('fields', 'text')
        .addColumn('skipped', 'text', (column) => column.notNull())
        .addColumn('idempotency_key', 'text')
        .addColumn('body_hash', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('erased_at', 'bigint')
        .addUniqueConstraint('quote_request_idempotency', ['team_id', 'idempotency_key'])
        .execute();
      await db.schema
        .createIndex('quote_request_unerased')
        .on('quote_request')
        .column('created_at')
        .where(sql.ref('erased_at'), 'is', null)
        .execute();
      await db.schema
        .createIndex('quote_request_keyed')
        .on('quote_request')
        .column('created_at')
        .where(sql.ref('idempotency_key'), 'is not', null)
        .execute();
      await db.schema
        .createTable('quote_rate')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('quote_id', 'text', (column) => column.notNull().references('quote_request.id').onDelete('cascade'))
        .addColumn('team_id', 'text', (column) => column.notNull())
        .addColumn('position', 'integer', (column) => column.notNull())
        .addColumn('carrier_key', 'text', (column) => column.notNull())
        .addColumn('carrier', 'text', (column) => column.notNull())
        .addColumn('form_type', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('previous_status', 'text')
        .addColumn('requeue_reason', 'text')
        .addColumn('outcome', 'text')
        .addColumn('fence', 'integer', (column) => column.notNull())
        .addColumn('claim_token', 'text')
        .addColumn('lease_until', 'bigint')
        .addColumn('wake_at', 'bigint')
        .addColumn('sent_at', 'bigint')
        .addColumn('deadline_at', 'bigint', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('transitions', 'integer', (column) => column.notNull())
        .addColumn('premium_cents', 'bigint')
        .addColumn('answer', 'text')
        .addColumn('retryable', 'integer', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('started_at', 'bigint')
        .addColumn('finished_at', 'bigint')
        .addColumn('retry_of', 'text', (column) => column.unique())
        .addColumn('superseded_by', 'text')
        .execute();
      await db.schema.createIndex('quote_rate_of_quote').on('quote_rate').columns(['quote_id', 'position']).execute();
      // Only unfinished rates, so the index stays small.
      await db.schema
        .createIndex('quote_rate_waking')
        .on('quote_rate')
        .column('wake_at')
        .where(sql.ref('wake_at'), 'is not', null)
        .execute();
      await db.schema
        .createIndex('quote_rate_unfinished')
        .on('quote_rate')
        .column('deadline_at')
        .where(sql.ref('wake_at'), 'is not', null)
        .execute();
      await db.schema
        .createTable('quote_rate_event')
        .addColumn('rate_id', 'text', (column) => column.notNull().references('quote_rate.id').onDelete('cascade'))
        .addColumn('number', 'integer', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('from_status', 'text', (column) => column.notNull())
        .addColumn('to_status', 'text', (column) => column.notNull())
        .addColumn('reason', 'text')
        .addColumn('fence', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('quote_rate_event_key', ['rate_id', 'number'])
        .execute();
      await db.schema
        .createTable('quote_carrier_pace')
        .addColumn('carrier_key', 'text', (column) => column.primaryKey())
        .addColumn('theoretical_arrival', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
  {
    name: 'sent_fence',
    async up(db) {
      await db.schema.alterTable('quote_rate').addColumn('sent_fence', 'integer').execute();
      await sql`update quote_rate set sent_fence = fence where sent_at is not null`.execute(db);
    },
  },
  {
    name: 'carrier_rests',
    async up(db) {
      await db.schema
        .alterTable('quote_carrier_pace')
        .addColumn('granted', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
      await db.schema
        .createTable('quote_carrier_permit')
        .addColumn('carrier_key', 'text', (column) => column.notNull())
        .addColumn('slot', 'integer', (column) => column.notNull())
        .addColumn('granted_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('quote_carrier_permit_key', ['carrier_key', 'slot'])
        .execute();
      await db.schema
        .createTable('quote_carrier_rest')
        .addColumn('carrier_key', 'text', (column) => column.primaryKey())
        .addColumn('rest_until', 'bigint')
        .execute();
      await db.schema
        .createTable('quote_clock')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('moved', 'bigint', (column) => column.notNull())
        .execute();
      await sql`insert into quote_clock (id, moved) values (1, 0)`.execute(db);
    },
  },
  {
    name: 'personal_data_of_team',
    async up(db) {
      await db.schema
        .createIndex('quote_request_unerased_of_team')
        .on('quote_request')
        .columns(['team_id', 'id'])
        .where(sql.ref('erased_at'), 'is', null)
        .execute();
    },
  },
];
