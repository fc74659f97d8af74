import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { EventType } from './read-outbox.ts';
import { micros, type StoreContext } from './store-context.ts';
import type { QuoteTables, WebhookDeliveryRow, WebhookRow } from './tables.ts';
import { isPreviousGood, type SecretRow, secretsOf } from './webhook-secrets.ts';

export interface WebhookDeliveries {
  any(): Promise<boolean>;
  due(): Promise<{ readonly webhookId: string; readonly teamId: string; readonly failures: number }[]>;
  claim(webhookId: string, options: { limit: number; leaseMs: number }): Promise<ClaimedDelivery[]>;
  noteSuccess(webhookId: string, successes: number, windowMs: number): Promise<void>;
  /** Events up to `number` were sent. @returns false if another process has the delivery. */
  advance(delivery: ClaimedDelivery, number: number, leaseMs: number): Promise<boolean>;
  /** `done`: all were sent. `more`: the claim remains. `lost`: another process claimed it. */
  settle(delivery: ClaimedDelivery): Promise<'done' | 'more' | 'lost'>;
  fail(delivery: ClaimedDelivery, failed: FailedDelivery): Promise<void>;
  release(delivery: ClaimedDelivery): Promise<void>;
}

export interface FailedDelivery {
  readonly reason: string;
  readonly isCounted: boolean;
  /** Pause of the endpoint; 0: only this quote waits. */
  readonly cooldownMs: number;
  readonly delayMs: number;
  readonly successes: number;
  readonly windowMs: number;
  /** Undefined keeps it enabled. */
  readonly disabledReason: string | undefined;
}

export interface ClaimedDelivery {
  readonly webhookId: string;
  readonly quoteId: string;
  readonly serviceQuoteId: string;
  readonly url: string;
  readonly eventTypes: readonly EventType[] | undefined;
  readonly secrets: readonly string[];
  readonly nextNumber: number;
  readonly token: string;
  /** Failed attempts at this event, and the endpoint's counted failures in a row. */
  readonly attempts: number;
  readonly failures: number;
  /** Time since which this event, and every attempt at the endpoint, has failed. */
  readonly failingMs: number;
  readonly endpointFailingMs: number;
  readonly window: { readonly attempts: number; readonly failures: number; readonly ageMs: number };
}

export function createWebhookDeliveries(context: StoreContext): WebhookDeliveries {
  const { db, now, database } = context;
  const isClaimed = ({ webhookId, quoteId, token }: ClaimedDelivery) =>
    sql`webhook_id = ${webhookId} and quote_id = ${quoteId} and claim_token = ${token}`;
  const count = (result: { readonly numAffectedRows?: bigint }) => Number(result.numAffectedRows ?? 0n);

  return {
    async any() {
      const { rows } = await sql`select 1 from quote_webhook limit 1`.execute(db);
      return rows.length > 0;
    },
    async due() {
      const { rows } = await sql<{ id: string; team_id: string; failures: number }>`
        select id, team_id, failures from quote_webhook
        where disabled_at is null and (rest_until is null or rest_until <= ${now()}) and exists (
          select 1 from quote_webhook_delivery where webhook_id = quote_webhook.id and due_at <= ${now()})`.execute(db);
      return rows.map(({ id, team_id: teamId, failures }) => ({ webhookId: id, teamId, failures }));
    },
    async claim(webhookId, { limit, leaseMs }) {
      const { rows: candidates } = await sql<{ quote_id: string }>`
        select quote_id from quote_webhook_delivery where webhook_id = ${webhookId} and due_at <= ${now()}
        order by due_at limit ${sql.lit(limit)}`.execute(db);
      const claimed: ClaimedDelivery[] = [];
      for (const { quote_id: quoteId } of candidates) {
        const token = randomUUID();
        // One row per statement, to avoid deadlocks.
        const { rows } = await sql<ClaimedRow>`
          update quote_webhook_delivery set due_at = ${now()} + ${sql.lit(micros(leaseMs))}, claim_token = ${token}
          where webhook_id = ${webhookId} and quote_id = ${quoteId} and due_at <= ${now()}
          returning *, ${now()} as now`.execute(db);
        const row = rows[0];
        const endpoint = row && (await endpointOf(context, row));
        if (row === undefined || endpoint === undefined) continue;
        claimed.push(toClaimed(row, endpoint, token, await secretsOf(context, endpoint)));
      }
      return claimed;
    },
    async noteSuccess(webhookId, successes, windowMs) {
      await sql`
        update quote_webhook set failures = 0, failing_since = null, rest_until = null, last_delivery_at = ${now()},
          ${countIn(context, { attempts: successes, failures: 0, windowMs })}
        where id = ${webhookId}`.execute(db);
    },
    async advance(delivery, number, leaseMs) {
      const advanced = await sql`
        update quote_webhook_delivery set next_number = ${number + 1}, attempts = 0, failing_since = null,
          due_at = ${now()} + ${sql.lit(micros(leaseMs))}
        where ${isClaimed(delivery)}`.execute(db);
      return count(advanced) > 0;
    },
    async settle(delivery) {
      const deleted = await sql`
        delete from quote_webhook_delivery where ${isClaimed(delivery)} and next_number > last_number`.execute(db);
      if (count(deleted) > 0) return 'done';
      const { rows } = await sql`select 1 from quote_webhook_delivery where ${isClaimed(delivery)}`.execute(db);
      return rows.length > 0 ? 'more' : 'lost';
    },
    fail: (delivery, failed) =>
      database.transaction<QuoteTables, void>(async (tx) => {
        const { reason, isCounted, cooldownMs, delayMs, successes, windowMs, disabledReason } = failed;
        await sql`
          update quote_webhook_delivery set attempts = attempts + 1, failing_since = coalesce(failing_since, ${now()}),
            due_at = ${now()} + ${sql.lit(micros(delayMs))}, claim_token = null
          where ${isClaimed(delivery)}`.execute(tx);
        const isPaused = sql`rest_until > ${now()}`;
        // If several attempts fail at once, the first pauses the endpoint.
        await sql`
          update quote_webhook set failures = failures + case when ${isPaused} then 0 else ${sql.lit(isCounted ? 1 : 0)} end,
            failing_since = coalesce(failing_since, ${now()}),
            rest_until = case when ${isPaused} then rest_until else ${now()} + ${sql.lit(micros(cooldownMs))} end,
            last_failure = ${reason},
            ${countIn(context, { attempts: successes + 1, failures: 1, windowMs })}
          where id = ${delivery.webhookId}`.execute(tx);
        if (disabledReason === undefined) return;
        await sql`
          update quote_webhook set disabled_at = ${now()}, disabled_reason = ${disabledReason}, last_failure = ${reason}
          where id = ${delivery.webhookId} and disabled_at is null`.execute(tx);
      }),
    async release(delivery) {
      await sql`
        update quote_webhook_delivery set due_at = ${now()}, claim_token = null where ${isClaimed(delivery)}`.execute(
        db,
      );
    },
  };
}

type EndpointRow = SecretRow &
  Pick<
    WebhookRow,
    'url' | 'event_types' | 'failures' | 'failing_since' | 'window_started_at' | 'window_attempts' | 'window_failures'
  > & { readonly service_quote_id: string };
type ClaimedRow = WebhookDeliveryRow & { readonly now: number };

function countIn(
  { now }: StoreContext,
  { attempts, failures, windowMs }: { readonly attempts: number; readonly failures: number; readonly windowMs: number },
): RawBuilder<unknown> {
  const goesOn = sql`window_started_at > ${now()} - ${sql.lit(micros(windowMs))}`;
  return sql`
    window_attempts = case when ${goesOn} then window_attempts else 0 end + ${sql.lit(attempts)},
    window_failures = case when ${goesOn} then window_failures else 0 end + ${sql.lit(failures)},
    window_started_at = case when ${goesOn} then window_started_at else ${now()} end`;
}

async function endpointOf(context: StoreContext, row: WebhookDeliveryRow): Promise<EndpointRow | undefined> {
  const { rows } = await sql<EndpointRow>`
    select quote_webhook.id, url, event_types, secret, previous_secret, failures, failing_since,
      window_started_at, window_attempts, window_failures,
      ${isPreviousGood(context)},
      (select service_quote_id from quote_request where quote_request.id = ${row.quote_id}) as service_quote_id
    from quote_webhook where id = ${row.webhook_id}`.execute(context.db);
  return rows[0];
}

function toClaimed(row: ClaimedRow, endpoint: EndpointRow, token: string, secrets: string[]): ClaimedDelivery {
  const forMs = (since: number | null) => (since === null ? 0 : (row.now - since) / 1000);
  return {
    webhookId: row.webhook_id,
    quoteId: row.quote_id,
    serviceQuoteId: endpoint.service_quote_id,
    url: endpoint.url,
    eventTypes: parseTypes(endpoint.event_types),
    secrets,
    nextNumber: row.next_number,
    token,
    attempts: row.attempts,
    failures: endpoint.failures,
    failingMs: forMs(row.failing_since),
    endpointFailingMs: forMs(endpoint.failing_since),
    window: {
      attempts: endpoint.window_attempts,
      failures: endpoint.window_failures,
      ageMs: forMs(endpoint.window_started_at),
    },
  };
}

export function parseTypes(text: string | null): EventType[] | undefined {
  return text === null ? undefined : (JSON.parse(text) as EventType[]);
}
