import { sql } from 'kysely';
import { changeRates } from './change-rates.ts';
import type { Ending } from './end-rates.ts';
import { inputTable } from './input-table.ts';
import { hashOf, type PendingWait, pendingColumns, pendingValues } from './pending.ts';
import type { StoreContext } from './store-context.ts';
import { micros } from './store-context.ts';
import { formatAnswer, statusOf } from './stored-answer.ts';
import type { QuoteTables } from './tables.ts';
import { canMove, move } from './transitions.ts';

/** Older callbacks are refused by signature, so their ids can be deleted. */
export const RETENTION_MS = 40 * 86_400_000;

/** A repeated or late callback changes nothing. */
export async function acceptCallback(
  context: StoreContext,
  { carrierKey, id, reference, end }: AcceptedCallback,
): Promise<{ readonly fate: CallbackFate; readonly rateId?: string | undefined }> {
  const referenceHash = hashOf(carrierKey, reference);
  const { rows: matches } = await sql<{ id: string; team_id: string }>`
    select id, team_id from quote_rate
    where carrier_key = ${carrierKey} and pending_reference = ${referenceHash} and superseded_by is null limit 2`.execute(
    context.db,
  );
  // Two rates with one reference are ambiguous.
  if (matches.length !== 1) return { fate: 'unknown' };
  const { id: rateId, team_id: teamId } = matches[0]!;
  const follow = end?.follow && { ...end.follow, teamId };
  const pending = await pendingValues(context, rateId, follow);
  const sealedAnswer = end && (await formatAnswer(end.answer, teamId, context.cipher));
  return context.database.transaction<QuoteTables, { fate: CallbackFate; rateId?: string | undefined }>(async (tx) => {
    const { rows: insertions } = await sql`
      insert into quote_callback (carrier_key, callback, taken_at)
      values (${carrierKey}, ${hashOf(carrierKey, id)}, ${context.now()})
      on conflict do nothing returning callback`.execute(tx);
    if (insertions.length === 0) return { fate: 'replayed', rateId };
    const waits = sql`id = ${rateId} and pending is not null and deadline_at > ${context.now()}`;
    if (end === undefined) {
      const { rows } = await sql`
        update quote_rate set ${move('wake', context.now())} where ${waits} and ${canMove('wake')} returning id`.execute(
        tx,
      );
      if (rows.length === 1) return { fate: 'taken', rateId };
      // A poll in progress may have been too early: poll again after it.
      const { rows: marked } = await sql`
        update quote_rate set requeue_reason = 'callback' where ${waits} returning id`.execute(tx);
      return { fate: marked.length === 1 ? 'taken' : 'late', rateId };
    }
    const { outcome, premiumCents, retryable } = end;
    const ended = await changeRates(
      context,
      {
        transition: 'answer',
        at: sql`${context.now()} + input_wake`,
        inputs: inputTable(context, pendingColumns, [pending]),
        set: sql`
          status = ${statusOf(outcome, premiumCents !== undefined)},
          outcome = ${outcome},
          premium_cents = cast(${premiumCents ?? null} as bigint),
          answer = ${sealedAnswer},
          retryable = ${sql.lit(retryable ? 1 : 0)},
          fence = fence + 1,
          finished_at = coalesce(finished_at, ${context.now()}),
          deadline_at = coalesce(${context.now()} + input_deadline, deadline_at),
          pending = input_pending,
          pending_since = case when input_pending is null then null else coalesce(pending_since, ${context.now()}) end,
          pending_reference = coalesce(input_reference, pending_reference),
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
export type CallbackFate = 'taken' | 'replayed' | 'late' | 'unknown';

export interface AcceptedCallback {
  readonly carrierKey: string;
  readonly id: string;
  readonly reference: string;
  readonly end:
    | (Omit<Ending, 'rateId' | 'fence' | 'teamId' | 'follow'> & {
        readonly follow?: Omit<PendingWait, 'teamId'> | undefined;
      })
    | undefined;
}

export async function forgetCallbacks(context: StoreContext): Promise<void> {
  await sql`delete from quote_callback where taken_at < ${context.now()} - ${sql.lit(micros(RETENTION_MS))}`.execute(
    context.db,
  );
}
