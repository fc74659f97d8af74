import { sql } from 'kysely';
import type { NewQuote } from '../ports/quote-store.ts';
import { given } from './given.ts';
import { type Db, inBatches, type StoreContext } from './store-context.ts';

/**
 * Puts rates of an earlier quote into a new one, ended as they are, and makes the events of it: whoever follows the new
 * quote is told of them as of any others. @returns false where one of them was erased meanwhile.
 */
export async function carryOver(
  context: StoreContext,
  tx: Db,
  quote: NewQuote,
  { createdAt, isComplete }: { readonly createdAt: number; readonly isComplete: boolean },
): Promise<boolean> {
  const { carried = [] } = quote;
  if (carried.length === 0) return true;
  const rows = await inBatches(carried, async (batch) => {
    const rows = batch.map(({ id, from, position }) => ({ given_id: id, given_from: from, given_position: position }));
    const { rows: done } = await sql`
      with ${given(context, { given_id: 'text', given_from: 'text', given_position: 'integer' }, rows)}
      insert into quote_rate (id, quote_id, team_id, position, carrier_key, carrier, form_type, status, outcome,
        premium_cents, answer, retryable, fence, told, deadline_at, attempts, transitions, created_at, started_at,
        finished_at, carried_from)
      select given_id, cast(${quote.id} as text), team_id, given_position, carrier_key, carrier, form_type, status, outcome,
        premium_cents, answer, retryable, 0, 0, deadline_at, attempts, 0, cast(${createdAt} as bigint), started_at,
        finished_at, given_from
      from given join quote_rate on quote_rate.id = given_from
      where team_id = ${quote.teamId} and finished_at is not null and answer is not null
      returning id`.execute(tx);
    return done;
  });
  if (rows.length < carried.length) return false;
  await sql`
    insert into quote_event (quote_id, number, type, rate_id, at, status, outcome, premium_cents)
    select quote_id, row_number() over (order by position), 'rate.ended', id, cast(${createdAt} as bigint), status, outcome,
      premium_cents
    from quote_rate where quote_id = ${quote.id} and carried_from is not null`.execute(tx);
  const last = carried.length + (isComplete ? 1 : 0);
  if (isComplete) {
    await sql`
      insert into quote_event (quote_id, number, type, at)
      values (${quote.id}, ${sql.lit(last)}, 'quote.completed', cast(${createdAt} as bigint))`.execute(tx);
  }
  await sql`update quote_progress set last_event = ${sql.lit(last)} where quote_id = ${quote.id}`.execute(tx);
  await sql`
    insert into quote_webhook_delivery (webhook_id, quote_id, next_number, last_number, due_at, attempts)
    select id, cast(${quote.id} as text), 1, ${sql.lit(last)}, cast(${createdAt} as bigint), 0
    from quote_webhook where team_id = ${quote.teamId} and disabled_at is null`.execute(tx);
  return true;
}
