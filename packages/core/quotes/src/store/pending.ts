import { createHash } from 'node:crypto';
import type { StorableValue } from '@leeward/database';
import type { JsonObject } from '@leeward/terms';
import { type RawBuilder, sql } from 'kysely';
import type { Hold } from './change-rates.ts';
import { changeRates } from './change-rates.ts';
import { given } from './given.ts';
import { type Db, inBatches, micros, type StoreContext } from './store-context.ts';

/** How a rate waits for its carrier. */
export interface PendingWait extends KeptPending {
  readonly carrierKey: string;
  /** Until the next look; undefined where only a callback wakes it. */
  readonly delayMs: number | undefined;
  /** Undefined leaves the last one. */
  readonly reference: string | undefined;
  /** The whole wait, counted from its beginning. */
  readonly maxPendingMs: number;
}

/** What is kept while a carrier takes its time. */
export interface KeptPending {
  readonly keep: JsonObject;
  /** Looks in vain since the last answer. */
  readonly failures: number;
  /** Digest of the referral that the rate has ended with so far. */
  readonly answered?: string | undefined;
}

/** What names a request, or a callback, is kept as no more than is needed to know it again. */
export function hashOf(carrierKey: string, text: string): string {
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
