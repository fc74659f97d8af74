import { sql } from 'kysely';

import { faultOutcomes } from '../ports/outcome.ts';
import { answerColumn, endUnfinished } from './end-rates.ts';
import { stopFollowing } from './pending.ts';
import { isFailed } from './read-failed-rates.ts';
import { type Db, micros, type StoreContext } from './store-context.ts';
import type { QuoteTables } from './tables.ts';

/** @param waitedFor Last reason for waiting. */
export function outOfTime(waitedFor: string | undefined): { readonly code: string; readonly message: string } {
  const code = waitedFor !== undefined && notSentReasons.includes(waitedFor) ? waitedFor : 'deadline';
  return { code, message: 'The time for this quote ran out before this carrier could be called.' };
}

export const notSentReasons = [
  'rules_unavailable',
  'keys_unavailable',
  'not_prepared',
  'carrier_resting',
  'carrier_paused',
  'rate_limit',
  'other_carriers',
];

export interface RefusedRetry {
  readonly code: NotRetryable;
  readonly retriedAs?: string | undefined;
}

/** Why a rate cannot be retried (422). */
export type NotRetryable = 'not_finished' | 'not_retryable' | 'may_repeat' | 'already_retried' | 'erased';

const cancelled = {
  transition: 'cancel',
  outcome: sql.lit('cancelled'),
  answer: answerColumn({ code: 'cancelled', message: 'The quote was cancelled before this carrier had answered.' }),
  retryable: sql.lit(0),
} as const;

/** Ends unfinished rates; work in progress loses its hold. @returns their ids. */
export async function cancelQuote(context: StoreContext, quoteId: string): Promise<string[]> {
  return context.database.transaction<QuoteTables, string[]>(async (tx) => {
    const ended = await endUnfinished(context, tx, sql`quote_id = ${quoteId}`, cancelled);
    return [...ended, ...(await stopFollowing(context, tx, sql`quote_id = ${quoteId}`, 'cancelled'))];
  });
}

const neverAnswered = answerColumn({
  code: 'no_later_answer',
  message: 'The carrier took the request, and its answer never came.',
});
const deadlineError = answerColumn({
  code: 'deadline',
  message: 'The time for this quote ran out before the carrier had answered.',
});
const notSentAnswers = sql.join(
  notSentReasons.map(
    (code) => sql`when attempts = 0 and requeue_reason = ${sql.lit(code)} then ${answerColumn(outOfTime(code))}`,
  ),
  sql` `,
);

const isPaused = sql`exists (select 1 from quote_carrier_rest as rest
  where rest.carrier_key = quote_rate.carrier_key and rest_until is null)`;

/**
 * Ends rates past their deadline that no worker holds; unknown outcome if the carrier may have been called. @returns the number of
 * rates.
 */
export async function expire(context: StoreContext, limit: number): Promise<number> {
  const overdue = sql`wake_at is not null and deadline_at <= ${context.now()} and
    (lease_until is null or lease_until <= ${context.now()})`;
  const { rows } = await sql<{ id: string }>`
    select id from quote_rate where ${overdue} order by deadline_at limit ${sql.lit(limit)}`.execute(context.db);
  if (rows.length === 0) return 0;
  const ids = sql.join(rows.map((row) => row.id));
  await context.database.transaction<QuoteTables, void>(async (tx) => {
    const chosen = sql`${overdue} and id in (${ids})`;
    await endUnfinished(context, tx, chosen, {
      transition: 'expire',
      outcome: sql`case when sent_at is null or pending is not null then 'timed_out' else 'unknown_outcome' end`,
      answer: sql`case when pending is not null then ${neverAnswered}
        when attempts = 0 and ${isPaused} then ${answerColumn(outOfTime('carrier_paused'))}
        ${notSentAnswers} else ${deadlineError} end`,
      retryable: sql`case when sent_at is null and pending is null then 1 else 0 end`,
    });
    // A referral keeps its outcome.
    await stopFollowing(context, tx, chosen, 'no_later_answer');
  });
  return rows.length;
}

/**
 * Replaces a rate that ended with a retryable fault, or, with `mayRepeat`, any fault. Keeps the idempotency key unless the carrier
 * certainly made nothing under it.
 */
export async function retryRate(
  context: StoreContext,
  rateId: string,
  newId: string,
  { deadlineMs, mayRepeat }: { readonly deadlineMs: number; readonly mayRepeat: boolean },
): Promise<'retried' | RefusedRetry> {
  const isRight = mayRepeat ? sql`(retryable = 1 or ${isFailed})` : sql`retryable = 1`;
  return context.database.transaction<QuoteTables, 'retried' | RefusedRetry>(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      update quote_rate set superseded_by = ${newId}
      where id = ${rateId} and finished_at is not null and ${isRight} and superseded_by is null
        and exists (select 1 from quote_request where quote_request.id = quote_id and erased_at is null)
      returning id`.execute(tx);
    if (rows.length === 0) return refusal(tx, rateId);
    const now = context.now();
    await sql`
      insert into quote_rate (id, quote_id, team_id, position, carrier_key, carrier, form_type, status, fence, state, priority,
        wake_at, deadline_at, attempts, transitions, retryable, created_at, retry_of, asked_under)
      select cast(${newId} as text), quote_id, team_id, position, carrier_key, carrier, form_type, 'queued', 0,
        'waiting', priority, ${now}, ${now} + ${sql.lit(micros(deadlineMs))}, 0, 0, 0, ${now}, id,
        case when may_have_made = 1 then coalesce(asked_under, id) end
      from quote_rate where id = ${rateId}`.execute(tx);
    await sql`
      update quote_progress set open_rates = open_rates + 1
      where quote_id = (select quote_id from quote_rate where id = ${rateId})`.execute(tx);
    return 'retried';
  });
}

async function refusal(tx: Db, id: string): Promise<RefusedRetry> {
  const row = await tx
    .selectFrom('quote_rate')
    .innerJoin('quote_request', 'quote_request.id', 'quote_rate.quote_id')
    .select(['finished_at', 'retryable', 'superseded_by', 'outcome', 'erased_at'])
    .where('quote_rate.id', '=', id)
    .executeTakeFirst();
  if (row === undefined || row.finished_at === null) return { code: 'not_finished' };
  if (row.superseded_by !== null) return { code: 'already_retried', retriedAs: row.superseded_by };
  if (row.erased_at !== null) return { code: 'erased' };
  return { code: faultOutcomes.some((outcome) => outcome === row.outcome) ? 'may_repeat' : 'not_retryable' };
}
