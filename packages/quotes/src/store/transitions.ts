import { sql } from 'kysely';
import type { RateStatus } from '../ports/quote-store.ts';
import { type Db, inBatches, type StoreContext } from './store-context.ts';

/** A change of status that has just been made in this transaction. */
export interface Transition {
  readonly rateId: string;
  /** The rate's `transitions` after the change. */
  readonly number: number;
  readonly from: RateStatus;
  readonly to: RateStatus;
  readonly reason: string | null;
  readonly fence: number;
}

/** Records changes of status, in the transaction that made them. */
export async function recordTransitions(
  context: StoreContext,
  tx: Db,
  transitions: readonly Transition[],
): Promise<void> {
  await inBatches(context, transitions, async (batch) => {
    const rows = batch.map((each) => ({
      rate_id: each.rateId,
      number: each.number,
      at: sql<number>`${context.now()}`,
      from_status: each.from,
      to_status: each.to,
      reason: each.reason,
      fence: each.fence,
    }));
    // A claim that was sent twice changes the status once.
    await tx
      .insertInto('quote_rate_event')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return [];
  });
}
