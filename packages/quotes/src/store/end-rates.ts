import { type RawBuilder, sql } from 'kysely';
import type { Ending, Hold, Outcome, RateStatus, StoredAnswer } from '../ports/quote-store.ts';
import { type Db, inBatches, type StoreContext } from './store-context.ts';
import { formatAnswer } from './stored-answer.ts';
import type { QuoteTables } from './tables.ts';
import { recordTransitions } from './transitions.ts';

interface EndedRow {
  readonly id: string;
  readonly fence: number;
  readonly transitions: number;
  readonly outcome: string;
  readonly status: RateStatus;
  readonly previous_status: RateStatus;
}

/** `quoted`, and `referred` with a premium, are successes; everything else is an error of one kind or another. */
export function statusOf(outcome: Outcome, hasPremium: boolean): 'success' | 'error' {
  return outcome === 'quoted' || (outcome === 'referred' && hasPremium) ? 'success' : 'error';
}

/** Ends rates that are still held as named. @returns for each, whether it was. */
export async function finish(context: StoreContext, endings: readonly Ending[]): Promise<boolean[]> {
  const ended = await context.database.transaction<QuoteTables, EndedRow[]>(async (tx) => {
    const rows = await inBatches(context, endings, async (batch) => {
      const given = sql.join(batch.map((ending) => endingRow(ending)));
      const { rows } = await sql<EndedRow>`
        with given (given_id, given_fence, given_status, given_outcome, given_premium, given_answer, given_retryable)
          as (values ${given})
        update quote_rate set
          previous_status = status,
          status = given_status,
          outcome = given_outcome,
          premium_cents = given_premium,
          answer = given_answer,
          retryable = given_retryable,
          finished_at = ${context.now()},
          lease_until = null,
          wake_at = null,
          transitions = transitions + 1
        from given
        where id = given_id and fence = given_fence and status = 'processing'
        returning id, fence, transitions, outcome, status, previous_status`.execute(tx);
      return rows;
    });
    await recordEndings(context, tx, rows);
    return rows;
  });
  const done = new Set(ended.map((row) => row.id));
  return endings.map((ending) => done.has(ending.rateId));
}

function endingRow(ending: Ending): RawBuilder<unknown> {
  const { rateId, fence, outcome, premiumCents, answer, retryable } = ending;
  const status = statusOf(outcome, premiumCents !== undefined);
  return sql`(cast(${rateId} as text), cast(${fence} as integer), cast(${status} as text), cast(${outcome} as text),
    cast(${premiumCents ?? null} as bigint), cast(${formatAnswer(answer)} as text), cast(${retryable ? 1 : 0} as integer))`;
}

/** Ends rates whoever holds them: `chosen` says which. @returns their ids. */
export async function endUnfinished(
  context: StoreContext,
  tx: Db,
  chosen: RawBuilder<unknown>,
  end: { outcome: RawBuilder<unknown>; answer: StoredAnswer; retryable: RawBuilder<unknown> },
): Promise<string[]> {
  const { rows } = await sql<EndedRow>`
    update quote_rate set
      previous_status = status,
      status = 'error',
      outcome = ${end.outcome},
      answer = ${formatAnswer(end.answer)},
      retryable = ${end.retryable},
      fence = fence + 1,
      finished_at = ${context.now()},
      lease_until = null,
      wake_at = null,
      transitions = transitions + 1
    where status in ('queued', 'processing') and ${chosen}
    returning id, fence, transitions, outcome, status, previous_status`.execute(tx);
  await recordEndings(context, tx, rows);
  return rows.map((row) => row.id);
}

async function recordEndings(context: StoreContext, tx: Db, rows: readonly EndedRow[]): Promise<void> {
  await recordTransitions(
    context,
    tx,
    rows.map((row) => ({
      rateId: row.id,
      number: row.transitions,
      from: row.previous_status,
      to: row.status,
      reason: row.outcome,
      fence: row.fence,
    })),
  );
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
