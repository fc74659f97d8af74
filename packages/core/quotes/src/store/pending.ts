import { createHash } from 'node:crypto';
import type { StorableValue } from '@leeward/database';
import { type RawBuilder, sql } from 'kysely';
import type { CallbackFate, Hold, PendingWait, TakenCallback } from '../ports/quote-store.ts';
import { changeRates } from './change-rates.ts';
import { given } from './given.ts';
import { statusOf } from './status-of.ts';
import { type Db, inBatches, micros, type StoreContext } from './store-context.ts';
import { formatAnswer } from './stored-answer.ts';
import type { QuoteTables } from './tables.ts';

/** What names a request, or a callback, is kept as no more than is needed to know it again. */
function hashOf(carrierKey: string, text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([carrierKey, text]))
    .digest('base64url');
}

/** Of rows that say how a carrier is waited for. */
export const pendingColumns = {
  given_pending: 'text',
  given_reference: 'text',
  given_wake: 'bigint',
  given_deadline: 'bigint',
} as const;

/** Kept text, reference, next look and deadline; nulls where nothing is waited for. */
export function pendingValues(
  context: StoreContext,
  rateId: string,
  wait: PendingWait | undefined,
): Record<keyof typeof pendingColumns, StorableValue> {
  if (wait === undefined) return { given_pending: null, given_reference: null, given_wake: null, given_deadline: null };
  const { keep, failures, answered, delayMs, reference, maxPendingMs, carrierKey } = wait;
  return {
    given_pending: context.cipher.seal({ keep, failures, ...(answered !== undefined && { answered }) }, rateId),
    given_reference: reference === undefined ? null : hashOf(carrierKey, reference),
    given_wake: micros(Math.min(delayMs ?? maxPendingMs, maxPendingMs)),
    given_deadline: micros(maxPendingMs),
  };
}

/**
 * Gives rates back that wait for their carriers. The first time that is a transition of its own; a later look that
 * brought nothing changes nothing but when the next one is. The whole wait counts from its beginning.
 */
export async function keepPending(context: StoreContext, waits: readonly (Hold & PendingWait)[]): Promise<boolean[]> {
  const now = context.now();
  const kept = await inBatches(waits, (batch) =>
    changeRates(context, {
      given: given(
        context,
        { given_id: 'text', given_fence: 'integer', ...pendingColumns },
        batch.map((wait) => ({
          given_id: wait.rateId,
          given_fence: wait.fence,
          ...pendingValues(context, wait.rateId, wait),
        })),
      ),
      set: sql`
        pending = given_pending,
        pending_reference = coalesce(given_reference, pending_reference),
        pending_since = coalesce(pending_since, ${now}),
        may_have_made = 1,
        deadline_at = case when pending is null then ${now} + given_deadline else deadline_at end,
        wake_at = ${now} + case when requeue_reason = 'callback' then 0 else given_wake end,
        requeue_reason = null,
        lease_until = null,
        told = 0,
        transitions = transitions + case when pending is null then 1 else 0 end`,
      where: sql`id = given_id and fence = given_fence and lease_until is not null`,
      reason: sql`'pending'`,
    }),
  );
  const done = new Set(kept.map((row) => row.id));
  return waits.map((each) => done.has(each.rateId));
}

/** Waits no longer for what was to follow referrals. @returns their ids. */
export async function stopFollowing(
  context: StoreContext,
  tx: Db,
  chosen: RawBuilder<unknown>,
  reason: 'cancelled' | 'erased' | 'no_later_answer',
): Promise<string[]> {
  const rows = await changeRates(
    context,
    {
      set: sql`
        fence = fence + 1,
        told = 0,
        pending = null,
        pending_since = null,
        lease_until = null,
        wake_at = null,
        transitions = transitions + 1`,
      where: sql`pending is not null and status in ('success', 'error') and ${chosen}`,
      reason: sql.lit(reason),
    },
    tx,
  );
  return rows.map((row) => row.id);
}

/** Takes a callback: whoever brings it again, or after the end, changes nothing. */
export async function takeCallback(
  context: StoreContext,
  { carrierKey, id, reference, end }: TakenCallback,
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

/** Callbacks older than this are refused by their signatures: they need not be remembered. */
const REMEMBERED_MS = 40 * 86_400_000;

export async function forgetCallbacks(context: StoreContext): Promise<void> {
  await sql`delete from quote_callback where taken_at < ${context.now()} - ${sql.lit(micros(REMEMBERED_MS))}`.execute(
    context.db,
  );
}
