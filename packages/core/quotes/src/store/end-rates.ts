import type { StorableValue } from '@leeward/database';
import type { Cents } from '@leeward/terms';
import { type RawBuilder, sql } from 'kysely';
import type { Outcome } from '../ports/outcome.ts';
import type { Hold } from './change-rates.ts';
import { changeRates } from './change-rates.ts';
import { inputTable } from './input-table.ts';
import type { PendingWait } from './pending.ts';
import { pendingColumns, pendingValues } from './pending.ts';
import { type Db, inBatches, type StoreContext } from './store-context.ts';
import type { StoredAnswer } from './stored-answer.ts';
import { formatAnswer, statusOf } from './stored-answer.ts';

export interface Ending extends Hold {
  readonly teamId: string;
  readonly outcome: Outcome;
  readonly premiumCents: Cents | undefined;
  readonly answer: StoredAnswer;
  readonly retryable: boolean;
  readonly follow?: PendingWait | undefined;
  readonly mayHaveMade?: boolean | undefined;
}

/** @returns for each, whether the hold was valid. */
export async function finish(context: StoreContext, endings: readonly Ending[]): Promise<boolean[]> {
  const ended = await inBatches(endings, async (batch) =>
    changeRates(context, {
      transition: 'finish',
      at: sql`${context.now()} + input_wake`,
      inputs: inputTable(context, endingColumns, await Promise.all(batch.map((each) => endingRow(context, each)))),
      set: sql`
        status = input_status,
        outcome = input_outcome,
        premium_cents = input_premium,
        answer = input_answer,
        retryable = input_retryable,
        may_have_made = coalesce(input_made, may_have_made),
        finished_at = coalesce(finished_at, ${context.now()}),
        deadline_at = coalesce(${context.now()} + input_deadline, deadline_at),
        pending = input_pending,
        pending_reference = coalesce(input_reference, pending_reference),
        pending_since = case when input_pending is null then null else coalesce(pending_since, ${context.now()}) end,
        transitions = transitions + 1`,
      where: sql`id = input_id and fence = input_fence and lease_until is not null`,
      reason: sql`outcome`,
      ends: true,
    }),
  );
  const done = new Set(ended.map((row) => row.id));
  return endings.map((ending) => done.has(ending.rateId));
}

const endingColumns = {
  input_id: 'text',
  input_fence: 'integer',
  input_status: 'text',
  input_outcome: 'text',
  input_premium: 'bigint',
  input_answer: 'text',
  input_retryable: 'integer',
  input_made: 'integer',
  ...pendingColumns,
} as const;

async function endingRow(
  context: StoreContext,
  ending: Ending,
): Promise<Record<keyof typeof endingColumns, StorableValue>> {
  const { rateId, teamId, fence, outcome, premiumCents, answer, retryable, follow, mayHaveMade } = ending;
  return {
    input_id: rateId,
    input_fence: fence,
    input_status: statusOf(outcome, premiumCents !== undefined),
    input_outcome: outcome,
    input_premium: premiumCents ?? null,
    input_answer: await formatAnswer(answer, teamId, context.cipher),
    input_retryable: retryable ? 1 : 0,
    input_made: mayHaveMade === undefined ? null : Number(mayHaveMade),
    ...(await pendingValues(context, rateId, follow)),
  };
}

export function answerColumn(error: NonNullable<StoredAnswer['error']>): RawBuilder<unknown> {
  return sql`cast(${JSON.stringify({ error } satisfies StoredAnswer)} as text)`;
}

/** Held or not. @returns their ids. */
export async function endUnfinished(
  context: StoreContext,
  tx: Db,
  chosen: RawBuilder<unknown>,
  end: {
    transition: 'cancel' | 'expire';
    outcome: RawBuilder<unknown>;
    answer: RawBuilder<unknown>;
    retryable: RawBuilder<unknown>;
  },
): Promise<string[]> {
  const rows = await changeRates(
    context,
    {
      transition: end.transition,
      set: sql`
        status = 'error',
        outcome = ${end.outcome},
        answer = ${end.answer},
        retryable = ${end.retryable},
        may_have_made = case when lease_until is not null then 1 else may_have_made end,
        fence = fence + 1,
        pending = null,
        pending_since = null,
        finished_at = ${context.now()},
        transitions = transitions + 1`,
      where: sql`status in ('queued', 'processing') and ${chosen}`,
      reason: sql`outcome`,
      ends: true,
    },
    tx,
  );
  return rows.map((row) => row.id);
}

/** @returns holds that were cancelled, ended or claimed by another worker. */
export async function findLostHolds(context: StoreContext, holds: readonly Hold[]): Promise<Hold[]> {
  const rows = holds.map(({ rateId, fence }) => ({ input_id: rateId, input_fence: fence }));
  const { rows: valid } = await sql<{ id: string; fence: number }>`
    with ${inputTable(context, { input_id: 'text', input_fence: 'integer' }, rows)}
    select id, fence from input join quote_rate on id = input_id and fence = input_fence
    where lease_until is not null`.execute(context.db);
  const validKeys = new Set(valid.map((row) => `${row.id}-${row.fence}`));
  return holds.filter((hold) => !validKeys.has(`${hold.rateId}-${hold.fence}`));
}
