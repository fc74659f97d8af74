import { type RawBuilder, sql } from 'kysely';
import type { Ending, Hold, Outcome, StoredAnswer } from '../ports/quote-store.ts';
import { changeRates } from './change-rates.ts';
import { type Db, inBatches, type StoreContext } from './store-context.ts';
import { formatAnswer } from './stored-answer.ts';

/** `quoted`, and `referred` with a premium, are successes; everything else is an error of one kind or another. */
export function statusOf(outcome: Outcome, hasPremium: boolean): 'success' | 'error' {
  return outcome === 'quoted' || (outcome === 'referred' && hasPremium) ? 'success' : 'error';
}

/** Ends rates that are still held as named. @returns for each, whether it was. */
export async function finish(context: StoreContext, endings: readonly Ending[]): Promise<boolean[]> {
  const ended = await inBatches(context, endings, (batch) =>
    changeRates(context, {
      given: {
        columns: sql`given_id, given_fence, given_status, given_outcome, given_premium, given_answer, given_retryable`,
        rows: sql.join(batch.map(endingRow)),
      },
      set: sql`
        status = given_status,
        outcome = given_outcome,
        premium_cents = given_premium,
        answer = given_answer,
        retryable = given_retryable,
        finished_at = ${context.now()},
        lease_until = null,
        wake_at = null,
        transitions = transitions + 1`,
      where: sql`id = given_id and fence = given_fence and status = 'processing'`,
      reason: sql`outcome`,
      ends: true,
    }),
  );
  const done = new Set(ended.map((row) => row.id));
  return endings.map((ending) => done.has(ending.rateId));
}

function endingRow(ending: Ending): RawBuilder<unknown> {
  const { rateId, fence, outcome, premiumCents, answer, retryable } = ending;
  const status = statusOf(outcome, premiumCents !== undefined);
  return sql`(cast(${rateId} as text), cast(${fence} as integer), cast(${status} as text), cast(${outcome} as text),
    cast(${premiumCents ?? null} as bigint), cast(${formatAnswer(answer)} as text), cast(${retryable ? 1 : 0} as integer))`;
}

/** An answer as the value of a column. */
export function answerColumn(error: NonNullable<StoredAnswer['error']>): RawBuilder<unknown> {
  return sql`cast(${formatAnswer({ error })} as text)`;
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
      .select(['id', 'fence', 'status'])
      .where(
        'id',
        'in',
        batch.map((hold) => hold.rateId),
      )
      .execute(),
  );
  const held = new Set(rows.filter((row) => row.status === 'processing').map((row) => `${row.id}-${row.fence}`));
  return holds.filter((hold) => !held.has(`${hold.rateId}-${hold.fence}`));
}
