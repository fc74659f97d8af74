import { type RawBuilder, sql } from 'kysely';
import type { Ending, Hold, StoredAnswer } from '../ports/quote-store.ts';
import { changeRates } from './change-rates.ts';
import { pendingValues } from './pending.ts';
import { statusOf } from './status-of.ts';
import { type Db, inBatches, type StoreContext } from './store-context.ts';
import { formatAnswer } from './stored-answer.ts';

/** Ends rates that are still held as named. @returns for each, whether it was. */
export async function finish(context: StoreContext, endings: readonly Ending[]): Promise<boolean[]> {
  const ended = await inBatches(context, endings, (batch) =>
    changeRates(context, {
      given: {
        columns: sql`given_id, given_fence, given_status, given_outcome, given_premium, given_answer, given_retryable,
          given_pending, given_reference, given_wake, given_deadline`,
        rows: sql.join(batch.map((each) => endingRow(context, each))),
      },
      set: sql`
        status = given_status,
        outcome = given_outcome,
        premium_cents = given_premium,
        answer = given_answer,
        retryable = given_retryable,
        finished_at = coalesce(finished_at, ${context.now()}),
        lease_until = null,
        wake_at = ${context.now()} + given_wake,
        deadline_at = coalesce(${context.now()} + given_deadline, deadline_at),
        pending = given_pending,
        pending_reference = coalesce(given_reference, pending_reference),
        pending_since = case when given_pending is null then null else coalesce(pending_since, ${context.now()}) end,
        transitions = transitions + 1`,
      where: sql`id = given_id and fence = given_fence and lease_until is not null`,
      reason: sql`outcome`,
      ends: true,
    }),
  );
  const done = new Set(ended.map((row) => row.id));
  return endings.map((ending) => done.has(ending.rateId));
}

function endingRow(context: StoreContext, ending: Ending): RawBuilder<unknown> {
  const { rateId, fence, outcome, premiumCents, answer, retryable, follow } = ending;
  const status = statusOf(outcome, premiumCents !== undefined);
  return sql`(cast(${rateId} as text), cast(${fence} as integer), cast(${status} as text), cast(${outcome} as text),
    cast(${premiumCents ?? null} as bigint), cast(${formatAnswer(answer, context.cipher)} as text), cast(${retryable ? 1 : 0} as integer),
    ${pendingValues(context, rateId, follow)})`;
}

/** An answer as the value of a column. */
export function answerColumn(error: NonNullable<StoredAnswer['error']>): RawBuilder<unknown> {
  return sql`cast(${JSON.stringify({ error } satisfies StoredAnswer)} as text)`;
}

/** Ends rates whoever holds them: `chosen` says which. @returns their ids. */
export async function endUnfinished(
  context: StoreContext,
  tx: Db,
  chosen: RawBuilder<unknown>,
  end: { outcome: RawBuilder<unknown>; answer: RawBuilder<unknown>; retryable: RawBuilder<unknown> },
): Promise<string[]> {
  const rows = await changeRates(
    context,
    {
      set: sql`
        status = 'error',
        outcome = ${end.outcome},
        answer = ${end.answer},
        retryable = ${end.retryable},
        fence = fence + 1,
        told = 0,
        pending = null,
        pending_since = null,
        finished_at = ${context.now()},
        lease_until = null,
        wake_at = null,
        transitions = transitions + 1`,
      where: sql`status in ('queued', 'processing') and ${chosen}`,
      reason: sql`outcome`,
      ends: true,
    },
    tx,
  );
  return rows.map((row) => row.id);
}

/** Which holds are lost: someone else's by now, or ended. */
export async function findLost(context: StoreContext, holds: readonly Hold[]): Promise<Hold[]> {
  const rows = await inBatches(context, holds, (batch) =>
    context.db
      .selectFrom('quote_rate')
      .select(['id', 'fence', 'lease_until'])
      .where(
        'id',
        'in',
        batch.map((hold) => hold.rateId),
      )
      .execute(),
  );
  const held = new Set(rows.filter((row) => row.lease_until !== null).map((row) => `${row.id}-${row.fence}`));
  return holds.filter((hold) => !held.has(`${hold.rateId}-${hold.fence}`));
}
