import type { Migration } from '@leeward/database';
import { sql } from 'kysely';

export const outboxMigration: Migration = {
  name: 'outbox',
  async up(db, engine) {
    // Rows found only by key: a second index would double the size.
    const keyed = engine === 'sqlite' ? sql`without rowid` : sql``;
    await db.schema
      .createTable('quote_progress')
      .addColumn('quote_id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('last_event', 'integer', (column) => column.notNull())
      .addColumn('open_rates', 'integer', (column) => column.notNull())
      .modifyEnd(keyed)
      .execute();
    await db.schema
      .createTable('quote_event')
      .addColumn('quote_id', 'text', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('rate_id', 'text')
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('status', 'text')
      .addColumn('outcome', 'text')
      .addColumn('premium_cents', 'bigint')
      .addPrimaryKeyConstraint('quote_event_key', ['quote_id', 'number'])
      .modifyEnd(keyed)
      .execute();
    await db.schema
      .createTable('quote_webhook')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('description', 'text')
      .addColumn('event_types', 'text')
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('previous_secret', 'text')
      .addColumn('previous_until', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('disabled_at', 'bigint')
      .addColumn('disabled_reason', 'text')
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('failing_since', 'bigint')
      .addColumn('rest_until', 'bigint')
      .addColumn('last_failure', 'text')
      .addColumn('last_delivery_at', 'bigint')
      .execute();
    await db.schema.createIndex('quote_webhook_of_team').on('quote_webhook').column('team_id').execute();
    await db.schema
      .createTable('quote_webhook_delivery')
      .addColumn('webhook_id', 'text', (column) => column.notNull().references('quote_webhook.id').onDelete('cascade'))
      .addColumn('quote_id', 'text', (column) => column.notNull())
      .addColumn('next_number', 'integer', (column) => column.notNull())
      .addColumn('last_number', 'integer', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('failing_since', 'bigint')
      .addColumn('claim_token', 'text')
      .addPrimaryKeyConstraint('quote_webhook_delivery_key', ['webhook_id', 'quote_id'])
      .modifyEnd(keyed)
      .execute();
    await db.schema.createIndex('quote_webhook_delivery_due').on('quote_webhook_delivery').column('due_at').execute();
    // Events of rates that ended before, in the order of their ends.
    await sql`
      insert into quote_event (quote_id, number, type, rate_id, at, status, outcome, premium_cents)
      select quote_id, row_number() over (partition by quote_id order by finished_at, id), 'rate.ended', id, finished_at,
        status, outcome, premium_cents
      from quote_rate where finished_at is not null`.execute(db);
    await sql`
      insert into quote_progress (quote_id, team_id, last_event, open_rates)
      select id, team_id,
        (select count(*) from quote_rate where quote_id = quote_request.id and finished_at is not null),
        (select count(*) from quote_rate where quote_id = quote_request.id and finished_at is null)
      from quote_request`.execute(db);
    await sql`
      insert into quote_event (quote_id, number, type, at)
      select quote_id, last_event + 1, 'quote.completed',
        (select max(finished_at) from quote_rate where quote_rate.quote_id = quote_progress.quote_id)
      from quote_progress where open_rates = 0 and last_event > 0`.execute(db);
    await sql`
      update quote_progress set last_event = last_event + 1 where open_rates = 0 and last_event > 0`.execute(db);
  },
};

/** Finds deliveries by endpoint, so that a paused endpoint costs nothing. */
export const webhookDueMigration: Migration = {
  name: 'webhook_due',
  async up(db) {
    await db.schema.dropIndex('quote_webhook_delivery_due').execute();
    await db.schema
      .createIndex('quote_webhook_delivery_due')
      .on('quote_webhook_delivery')
      .columns(['webhook_id', 'due_at'])
      .execute();
  },
};
