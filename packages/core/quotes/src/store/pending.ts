import { createHash } from 'node:crypto';
import type { StorableValue } from '@leeward/database';
import type { JsonObject } from '@leeward/terms';
import { type RawBuilder, sql } from 'kysely';
import type { Hold } from './change-rates.ts';
import { changeRates } from './change-rates.ts';
import { inputTable } from './input-table.ts';
import { type Db, inBatches, micros, type StoreContext } from './store-context.ts';

export interface PendingWait extends KeptPending {
  readonly carrierKey: string;
  readonly teamId: string;
  /** Until the next poll; undefined waits for a callback. */
  readonly delayMs: number | undefined;
  /** Undefined keeps the last one. */
  readonly reference: string | undefined;
  readonly maxPendingMs: number;
}

export interface KeptPending {
  readonly keep: JsonObject;
  readonly failures: number;
  /** Digest of the current referral. */
  readonly answered?: string | undefined;
}

/** References and callback ids are only compared. */
export function hashOf(carrierKey: string, text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([carrierKey, text]))
    .digest('base64url');
}

export const pendingColumns = {
  input_pending: 'text',
  input_reference: 'text',
  input_wake: 'bigint',
  input_deadline: 'bigint',
} as const;

export async function pendingValues(
  context: StoreContext,
  rateId: string,
  wait: PendingWait | undefined,
): Promise<Record<keyof typeof pendingColumns, StorableValue>> {
  if (wait === undefined) return { input_pending: null, input_reference: null, input_wake: null, input_deadline: null };
  const { keep, failures, answered, delayMs, reference, maxPendingMs, carrierKey, teamId } = wait;
  const state = { keep, failures, ...(answered !== undefined && { answered }) };
  return {
    input_pending: await context.cipher.seal(teamId, state, rateId),
    input_reference: reference === undefined ? null : hashOf(carrierKey, reference),
    input_wake: micros(Math.min(delayMs ?? maxPendingMs, maxPendingMs)),
    input_deadline: micros(maxPendingMs),
  };
}

/**
 * The first time is a transition; a later poll without news changes only its next time. The maximum wait counts from the start. @returns
 * for each, whether the hold was valid.
 */
export async function keepPending(context: StoreContext, waits: readonly (Hold & PendingWait)[]): Promise<boolean[]> {
  const now = context.now();
  const rows = await inBatches(waits, async (batch) =>
    changeRates(context, {
      transition: 'keep_pending',
      at: sql`${now} + case when requeue_reason = 'callback' then 0 else input_wake end`,
      inputs: inputTable(
        context,
        { input_id: 'text', input_fence: 'integer', ...pendingColumns },
        await Promise.all(
          batch.map(async (wait) => ({
            input_id: wait.rateId,
            input_fence: wait.fence,
            ...(await pendingValues(context, wait.rateId, wait)),
          })),
        ),
      ),
      set: sql`
        pending = input_pending,
        pending_reference = coalesce(input_reference, pending_reference),
        pending_since = coalesce(pending_since, ${now}),
        may_have_made = 1,
        deadline_at = case when pending is null then ${now} + input_deadline else deadline_at end,
        requeue_reason = null,
        transitions = transitions + case when pending is null then 1 else 0 end`,
      where: sql`id = input_id and fence = input_fence and lease_until is not null`,
      reason: sql`'pending'`,
    }),
  );
  const done = new Set(rows.map((row) => row.id));
  return waits.map((each) => done.has(each.rateId));
}

/** Stops waiting for answers after referrals. @returns the rates' ids. */
export async function stopFollowing(
  context: StoreContext,
  tx: Db,
  chosen: RawBuilder<unknown>,
  reason: 'cancelled' | 'erased' | 'no_later_answer',
): Promise<string[]> {
  const rows = await changeRates(
    context,
    {
      transition: reason === 'no_later_answer' ? 'expire' : 'cancel',
      set: sql`
        fence = fence + 1,
        pending = null,
        pending_since = null,
        transitions = transitions + 1`,
      where: sql`pending is not null and status in ('success', 'error') and ${chosen}`,
      reason: sql.lit(reason),
    },
    tx,
  );
  return rows.map((row) => row.id);
}
