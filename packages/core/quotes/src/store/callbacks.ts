import { sql } from 'kysely';
import { changeRates } from './change-rates.ts';
import type { Ending } from './end-rates.ts';
import { given } from './given.ts';
import { hashOf, pendingColumns, pendingValues } from './pending.ts';
import type { StoreContext } from './store-context.ts';
import { micros } from './store-context.ts';
import { formatAnswer, statusOf } from './stored-answer.ts';
import type { QuoteTables } from './tables.ts';

/** Callbacks older than this are refused by their signatures: they need not be remembered. */
export const REMEMBERED_MS = 40 * 86_400_000;

/** Takes a callback: whoever brings it again, or after the end, changes nothing. */
export async function acceptCallback(
  context: StoreContext,
  { carrierKey, id, reference, end }: AcceptedCallback,
): Promise<{ readonly fate: CallbackFate; readonly rateId?: string | undefined }> {
  const named = hashOf(carrierKey, reference);
  return context.database.transaction<QuoteTables, { fate: CallbackFate; rateId?: string | undefined }>(async (tx) => {
    const { rows: known } = await sql<{ id: string }>`
      select id from quote_rate
      where carrier_key = ${carrierKey} and pending_reference = ${named} and superseded_by is null limit 2`.execute(tx);
    // Of a reference that means two rates nobody knows which is meant.
    if (known.length !== 1) return { fate: 'unknown' };
    const rateId = known[0]!.id;
    const { rows: noted } = await sql`
      insert into quote_callback (carrier_key, callback, taken_at)
      values (${carrierKey}, ${hashOf(carrierKey, id)}, ${context.now()})
      on conflict do nothing returning callback`.execute(tx);
    if (noted.length === 0) return { fate: 'replayed', rateId };
    const waits = sql`id = ${rateId} and pending is not null and deadline_at > ${context.now()}`;
    if (end === undefined) {
      const { rows } = await sql`
        update quote_rate set told = 0, wake_at = ${context.now()}
        where ${waits} and lease_until is null returning id`.execute(tx);
      if (rows.length === 1) return { fate: 'taken', rateId };
      // Somebody is looking at it, maybe too early: should that be in vain, it is looked at once more.
      const { rows: held } = await sql`
        update quote_rate set requeue_reason = 'callback' where ${waits} returning id`.execute(tx);
      return { fate: held.length === 1 ? 'taken' : 'late', rateId };
    }
    const { outcome, premiumCents, answer, retryable, follow } = end;
    const ended = await changeRates(
      context,
      {
        given: given(context, pendingColumns, [pendingValues(context, rateId, follow)]),
        set: sql`
          status = ${statusOf(outcome, premiumCents !== undefined)},
          outcome = ${outcome},
          premium_cents = cast(${premiumCents ?? null} as bigint),
          answer = ${formatAnswer(answer, context.cipher)},
          retryable = ${sql.lit(retryable ? 1 : 0)},
          fence = fence + 1,
          told = 0,
          finished_at = coalesce(finished_at, ${context.now()}),
          lease_until = null,
          wake_at = ${context.now()} + given_wake,
          deadline_at = coalesce(${context.now()} + given_deadline, deadline_at),
          pending = given_pending,
          pending_since = case when given_pending is null then null else coalesce(pending_since, ${context.now()}) end,
          pending_reference = coalesce(given_reference, pending_reference),
          transitions = transitions + 1`,
        where: waits,
        reason: sql`outcome`,
        ends: true,
      },
      tx,
    );
    return { fate: ended.length === 1 ? 'taken' : 'late', rateId };
  });
}
/** `unknown`: no rate of this carrier waits, or has waited, under that reference. `late`: it waits no more. */
export type CallbackFate = 'taken' | 'replayed' | 'late' | 'unknown';

/** A callback that its carrier's adapter has verified. */
export interface AcceptedCallback {
  readonly carrierKey: string;
  readonly id: string;
  readonly reference: string;
  /** What the rate ends with; undefined where it is only to be looked at. */
  readonly end: Omit<Ending, 'rateId' | 'fence'> | undefined;
}

export async function forgetCallbacks(context: StoreContext): Promise<void> {
  await sql`delete from quote_callback where taken_at < ${context.now()} - ${sql.lit(micros(REMEMBERED_MS))}`.execute(
    context.db,
  );
}
