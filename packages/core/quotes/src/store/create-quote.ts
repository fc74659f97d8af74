import { isUniqueViolation } from '@leeward/database';
import { type FormType, IDEMPOTENCY_HOURS, type JsonObject, type ProductCode } from '@leeward/terms';
import { sql } from 'kysely';

import { inputTable } from './input-table.ts';
import { type Db, inBatches, micros, type StoreContext } from './store-context.ts';
import type { QuoteTables } from './tables.ts';

export interface NewQuote {
  readonly id: string;
  readonly serviceQuoteId: string;
  readonly teamId: string;
  readonly productCode: ProductCode;
  readonly producerEmail: string;
  readonly effectiveDate: string;
  readonly fields: JsonObject;
  readonly skipped: readonly { readonly carrierKey: string; readonly formType: FormType; readonly code: string }[];
  readonly idempotency: { readonly key: string; readonly bodyHash: string } | undefined;
  readonly rates: readonly {
    readonly id: string;
    readonly carrierKey: string;
    readonly carrier: string;
    readonly formType: FormType;
    /** @default its index in this list */
    readonly position?: number | undefined;
  }[];
  readonly carried?: readonly { readonly id: string; readonly from: string; readonly position: number }[] | undefined;
  readonly requoteOf?: string | undefined;
  /** 1 to 5; among rates of one team, the lowest is first. @default 3 */
  readonly priority?: number | undefined;
  /** Time until an unfinished rate ends as `timed_out`. */
  readonly deadlineMs: number;
}

const DEFAULT_PRIORITY = 3;

const idempotencyMicros = micros(IDEMPOTENCY_HOURS * 3_600_000);

export interface EarlierQuote {
  readonly bodyHash: string;
  readonly quoteId: string;
}

/**
 * One transaction. @returns the earlier quote if the team used this idempotency key within 24 hours, or `erased` if a rate to carry over
 * was erased.
 */
export async function createQuote(
  context: StoreContext,
  quote: NewQuote,
): Promise<{ createdAt: number } | EarlierQuote | 'erased'> {
  try {
    return await insertQuote(context, quote);
  } catch (error) {
    if (error instanceof ErasedMeanwhile) return 'erased';
    if (quote.idempotency === undefined || !isUniqueViolation(error)) throw error;
    // Another request stored this key after the lookup.
    const earlier = await findByIdempotencyKey(context, quote.teamId, quote.idempotency.key);
    if (earlier === undefined) throw error;
    return earlier;
  }
}

export async function findByIdempotencyKey(
  context: StoreContext,
  teamId: string,
  key: string,
): Promise<EarlierQuote | undefined> {
  const row = await context.db
    .selectFrom('quote_request')
    .select(['id', 'body_hash'])
    .where('team_id', '=', teamId)
    .where('idempotency_key', '=', key)
    .where('created_at', '>', sql<number>`${context.now()} - ${sql.lit(idempotencyMicros)}`)
    .executeTakeFirst();
  return row === undefined ? undefined : { quoteId: row.id, bodyHash: row.body_hash ?? '' };
}

export async function forgetIdempotencyKeys(context: StoreContext): Promise<void> {
  const outdated = sql<number>`${context.now()} - ${sql.lit(idempotencyMicros)}`;
  const any = await context.db
    .selectFrom('quote_request')
    .select('id')
    .where('idempotency_key', 'is not', null)
    .where('created_at', '<=', outdated)
    .limit(1)
    .executeTakeFirst();
  if (any === undefined) return;
  await context.db
    .updateTable('quote_request')
    .set({ idempotency_key: null, body_hash: null })
    .where('idempotency_key', 'is not', null)
    .where('created_at', '<=', outdated)
    .execute();
}

/** Rolls the transaction back. */
class ErasedMeanwhile extends Error {}

const rateColumns = {
  input_id: 'text',
  input_key: 'text',
  input_carrier: 'text',
  input_form: 'text',
  input_position: 'integer',
} as const;

async function insertQuote(context: StoreContext, quote: NewQuote): Promise<{ createdAt: number }> {
  const { now } = context;
  // A transaction must not wait for a key service.
  const fields = await context.cipher.seal(quote.teamId, quote.fields, quote.id);
  return context.database.transaction<QuoteTables, { createdAt: number }>(async (tx) => {
    if (quote.idempotency !== undefined) {
      await tx
        .updateTable('quote_request')
        .set({ idempotency_key: null, body_hash: null })
        .where('team_id', '=', quote.teamId)
        .where('idempotency_key', '=', quote.idempotency.key)
        .where('created_at', '<=', sql<number>`${now()} - ${sql.lit(idempotencyMicros)}`)
        .execute();
    }
    const { created_at: createdAt } = await tx
      .insertInto('quote_request')
      .values({
        id: quote.id,
        service_quote_id: quote.serviceQuoteId,
        team_id: quote.teamId,
        product_code: quote.productCode,
        producer_email: quote.producerEmail,
        effective_date: quote.effectiveDate,
        fields,
        skipped: JSON.stringify(quote.skipped),
        idempotency_key: quote.idempotency?.key ?? null,
        body_hash: quote.idempotency?.bodyHash ?? null,
        created_at: sql<number>`${now()}`,
        erased_at: null,
        requote_of: quote.requoteOf ?? null,
      })
      .returning('created_at')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('quote_progress')
      .values({ quote_id: quote.id, team_id: quote.teamId, last_event: 0, open_rates: quote.rates.length })
      .execute();
    const rates = quote.rates.map((rate, position) => ({ ...rate, place: rate.position ?? position }));
    await inBatches(rates, async (batch) => {
      const rows = batch.map(({ id, carrierKey, carrier, formType, place }) => ({
        input_id: id,
        input_key: carrierKey,
        input_carrier: carrier,
        input_form: formType,
        input_position: place,
      }));
      await sql`
        with ${inputTable(context, rateColumns, rows)}
        insert into quote_rate (id, quote_id, team_id, position, carrier_key, carrier, form_type, status, fence, state, priority,
          wake_at, deadline_at, attempts, transitions, retryable, created_at)
        select input_id, cast(${quote.id} as text), cast(${quote.teamId} as text), input_position, input_key,
          input_carrier, input_form, 'queued', 0, 'waiting', ${sql.lit(quote.priority ?? DEFAULT_PRIORITY)},
          cast(${createdAt} as bigint), cast(${createdAt + micros(quote.deadlineMs)} as bigint), 0, 0, 0, cast(${createdAt} as bigint)
        from input`.execute(tx);
      return [];
    });
    const isComplete = quote.rates.length === 0;
    if (!(await carryOver(context, tx, quote, { createdAt, isComplete }))) throw new ErasedMeanwhile();
    return { createdAt };
  });
}

/** Copies finished rates and creates their events. @returns false if one was erased meanwhile. */
async function carryOver(
  context: StoreContext,
  tx: Db,
  quote: NewQuote,
  { createdAt, isComplete }: { readonly createdAt: number; readonly isComplete: boolean },
): Promise<boolean> {
  const { carried = [] } = quote;
  if (carried.length === 0) return true;
  const rows = await inBatches(carried, async (batch) => {
    const rows = batch.map(({ id, from, position }) => ({ input_id: id, input_from: from, input_position: position }));
    const { rows: done } = await sql`
      with ${inputTable(context, { input_id: 'text', input_from: 'text', input_position: 'integer' }, rows)}
      insert into quote_rate (id, quote_id, team_id, position, carrier_key, carrier, form_type, status, outcome,
        premium_cents, answer, retryable, fence, state, deadline_at, attempts, transitions, created_at, started_at,
        finished_at, priority, carried_from)
      select input_id, cast(${quote.id} as text), team_id, input_position, carrier_key, carrier, form_type, status, outcome,
        premium_cents, answer, retryable, 0, 'ended', deadline_at, attempts, 0, cast(${createdAt} as bigint), started_at,
        finished_at, ${sql.lit(quote.priority ?? DEFAULT_PRIORITY)}, input_from
      from input join quote_rate on quote_rate.id = input_from
      where team_id = ${quote.teamId} and finished_at is not null and answer is not null
      returning id`.execute(tx);
    return done;
  });
  if (rows.length < carried.length) return false;
  await sql`
    insert into quote_event (quote_id, number, type, rate_id, at, status, outcome, premium_cents)
    select quote_id, row_number() over (order by position), 'rate.ended', id, cast(${createdAt} as bigint), status, outcome,
      premium_cents
    from quote_rate where quote_id = ${quote.id} and carried_from is not null`.execute(tx);
  const last = carried.length + (isComplete ? 1 : 0);
  if (isComplete) {
    await sql`
      insert into quote_event (quote_id, number, type, at)
      values (${quote.id}, ${sql.lit(last)}, 'quote.completed', cast(${createdAt} as bigint))`.execute(tx);
  }
  await sql`update quote_progress set last_event = ${sql.lit(last)} where quote_id = ${quote.id}`.execute(tx);
  await sql`
    insert into quote_webhook_delivery (webhook_id, quote_id, next_number, last_number, due_at, attempts)
    select id, cast(${quote.id} as text), 1, ${sql.lit(last)}, cast(${createdAt} as bigint), 0
    from quote_webhook where team_id = ${quote.teamId} and disabled_at is null`.execute(tx);
  return true;
}
