import type { Micros } from '@leeward/terms';
import { type RawBuilder, sql } from 'kysely';
import type { EventType } from './read-outbox.ts';
import { micros, type StoreContext } from './store-context.ts';
import type { QuoteTables, WebhookRow } from './tables.ts';
import { createWebhookDeliveries, parseTypes, type WebhookDeliveries } from './webhook-deliveries.ts';
import { isPreviousGood, type SecretRow, sealSecret, secretsOf } from './webhook-secrets.ts';

export interface WebhookStore extends WebhookDeliveries {
  /** @returns undefined if the team has `maxCount` endpoints. */
  create(webhook: NewWebhook, maxCount: number): Promise<StoredWebhook | undefined>;
  list(teamId: string): Promise<StoredWebhook[]>;
  read(webhookId: string): Promise<StoredWebhook | undefined>;
  /** Empty if the encryption key is not configured. */
  secrets(webhookId: string): Promise<readonly string[]>;
  remove(webhookId: string): Promise<boolean>;
  /** The previous secret also signs for `previousMs`. */
  rotate(webhook: Pick<NewWebhook, 'id' | 'teamId' | 'secret'>, previousMs: number): Promise<void>;
  enable(webhookId: string): Promise<void>;
  /** Schedules events again, of one quote or all of the team's. @returns the number of quotes. */
  replay(webhookId: string, from: { readonly since: Micros; readonly quoteId?: string | undefined }): Promise<number>;
  teams(): Promise<string[]>;
  removeOfTeam(teamId: string): Promise<void>;
}

export interface NewWebhook {
  readonly id: string;
  readonly teamId: string;
  readonly url: string;
  readonly description: string | undefined;
  readonly eventTypes: readonly EventType[] | undefined;
  readonly secret: string;
}

export interface StoredWebhook {
  readonly id: string;
  readonly teamId: string;
  readonly url: string;
  readonly description: string | undefined;
  /** Undefined means all. */
  readonly eventTypes: readonly EventType[] | undefined;
  readonly createdAt: Micros;
  readonly disabledAt: Micros | undefined;
  readonly disabledReason: string | undefined;
  /** Undefined if the last attempt succeeded. */
  readonly failingSince: Micros | undefined;
  readonly lastFailure: string | undefined;
  readonly lastDeliveryAt: Micros | undefined;
  readonly waiting: number;
}

export function createWebhookStore(context: StoreContext): WebhookStore {
  const { db, now, database } = context;
  const read = async (where: RawBuilder<unknown>): Promise<StoredWebhook[]> => {
    const { rows } = await sql<WebhookRow & { waiting: number }>`
      select quote_webhook.*,
        (select count(*) from quote_webhook_delivery where webhook_id = quote_webhook.id) as waiting
      from quote_webhook where ${where} order by created_at, id`.execute(db);
    return rows.map(toWebhook);
  };
  const count = (result: { readonly numAffectedRows?: bigint }) => Number(result.numAffectedRows ?? 0n);

  return {
    ...createWebhookDeliveries(context),
    async create(webhook, maxCount) {
      const secret = await sealSecret(context, webhook);
      return database.transaction<QuoteTables, StoredWebhook | undefined>(async (tx) => {
        const { rows } = await sql<{ count: number }>`
          select count(*) as count from quote_webhook where team_id = ${webhook.teamId}`.execute(tx);
        if (Number(rows[0]!.count) >= maxCount) return undefined;
        const { rows: inserted } = await sql<WebhookRow>`
          insert into quote_webhook (id, team_id, url, description, event_types, secret, created_at, failures)
          values (${webhook.id}, ${webhook.teamId}, ${webhook.url}, ${webhook.description ?? null}, ${typesText(webhook)},
            ${secret}, ${now()}, 0)
          returning *`.execute(tx);
        return toWebhook({ ...inserted[0]!, waiting: 0 });
      });
    },
    list: (teamId) => read(sql`team_id = ${teamId}`),
    read: async (webhookId) => (await read(sql`id = ${webhookId}`))[0],
    async secrets(webhookId) {
      const { rows } = await sql<SecretRow>`
        select id, secret, previous_secret, ${isPreviousGood(context)} from quote_webhook
        where id = ${webhookId}`.execute(db);
      return rows[0] === undefined ? [] : secretsOf(context, rows[0]);
    },
    async remove(webhookId) {
      return count(await sql`delete from quote_webhook where id = ${webhookId}`.execute(db)) > 0;
    },
    async rotate(webhook, previousMs) {
      const secret = await sealSecret(context, webhook);
      await sql`
        update quote_webhook set previous_secret = secret, previous_until = ${now()} + ${sql.lit(micros(previousMs))},
          secret = ${secret}
        where id = ${webhook.id}`.execute(db);
    },
    async enable(webhookId) {
      await sql`
        update quote_webhook set disabled_at = null, disabled_reason = null, failures = 0, failing_since = null,
          rest_until = null, window_started_at = null, window_attempts = 0, window_failures = 0
        where id = ${webhookId}`.execute(db);
    },
    async replay(webhookId, { since, quoteId }) {
      const result = await sql`
        insert into quote_webhook_delivery (webhook_id, quote_id, next_number, last_number, due_at, attempts)
        select quote_webhook.id, quote_progress.quote_id, min(number), last_event, ${now()}, 0
        from quote_webhook
        join quote_progress on quote_progress.team_id = quote_webhook.team_id
        join quote_event on quote_event.quote_id = quote_progress.quote_id
        where quote_webhook.id = ${webhookId} and at >= ${since}
          and ${quoteId === undefined ? sql`1 = 1` : sql`quote_progress.quote_id = ${quoteId}`}
        group by quote_webhook.id, quote_progress.quote_id, last_event
        on conflict (webhook_id, quote_id) do update set
          next_number = case when excluded.next_number < quote_webhook_delivery.next_number
            then excluded.next_number else quote_webhook_delivery.next_number end,
          last_number = excluded.last_number, due_at = excluded.due_at, attempts = 0, failing_since = null, claim_token = null`.execute(
        db,
      );
      return count(result);
    },
    async teams() {
      const { rows } = await sql<{ team_id: string }>`select distinct team_id from quote_webhook`.execute(db);
      return rows.map((row) => row.team_id);
    },
    async removeOfTeam(teamId) {
      await sql`delete from quote_webhook where team_id = ${teamId}`.execute(db);
    },
  };
}

function toWebhook(row: WebhookRow & { readonly waiting: number }): StoredWebhook {
  return {
    id: row.id,
    teamId: row.team_id,
    url: row.url,
    description: row.description ?? undefined,
    eventTypes: parseTypes(row.event_types),
    createdAt: row.created_at,
    disabledAt: row.disabled_at ?? undefined,
    disabledReason: row.disabled_reason ?? undefined,
    failingSince: row.failing_since ?? undefined,
    lastFailure: row.last_failure ?? undefined,
    lastDeliveryAt: row.last_delivery_at ?? undefined,
    waiting: Number(row.waiting),
  };
}

function typesText({ eventTypes }: NewWebhook): string | null {
  return eventTypes === undefined ? null : JSON.stringify(eventTypes);
}
