import { sql } from 'kysely';
import type { Hold, Release } from '../ports/quote-store.ts';
import { inBatches, micros, type StoreContext } from './store-context.ts';
import type { QuoteTables } from './tables.ts';
import { recordTransitions } from './transitions.ts';

interface ReleasedRow {
  readonly id: string;
  readonly fence: number;
  readonly transitions: number;
}

/** Puts rates back in the queue, due after a while. @returns for each, whether it was still held. */
export async function release(context: StoreContext, releases: readonly Release[]): Promise<boolean[]> {
  const reasons = new Map(releases.map((each) => [each.rateId, each.reason]));
  const released = await context.database.transaction<QuoteTables, ReleasedRow[]>(async (tx) => {
    const rows = await inBatches(context, releases, async (batch) => {
      const given = sql.join(
        batch.map(
          ({ rateId, fence, delayMs, keepSent, uncounted }) =>
            sql`(cast(${rateId} as text), cast(${fence} as integer), cast(${micros(delayMs)} as bigint),
              cast(${keepSent ? 1 : 0} as integer), cast(${uncounted ? 1 : 0} as integer))`,
        ),
      );
      const { rows } = await sql<ReleasedRow>`
        with given (given_id, given_fence, given_delay, given_keep_sent, given_uncounted) as (values ${given})
        update quote_rate set
          previous_status = status,
          status = 'queued',
          attempts = attempts - given_uncounted,
          sent_at = case when given_keep_sent = 1 then sent_at end,
          lease_until = null,
          wake_at = ${context.now()} + given_delay,
          transitions = transitions + 1
        from given
        where id = given_id and fence = given_fence and status = 'processing'
        returning id, fence, transitions`.execute(tx);
      return rows;
    });
    await recordTransitions(
      context,
      tx,
      rows.map((row) => ({
        rateId: row.id,
        number: row.transitions,
        from: 'processing',
        to: 'queued',
        reason: reasons.get(row.id) ?? null,
        fence: row.fence,
      })),
    );
    return rows;
  });
  const done = new Set(released.map((row) => row.id));
  return releases.map((each) => done.has(each.rateId));
}

/** Notes that the carrier is about to be asked. The same hold may note it again. */
export async function markSent(context: StoreContext, holds: readonly Hold[]): Promise<boolean[]> {
  const rows = await inBatches(context, holds, async (batch) => {
    const given = sql.join(batch.map(({ rateId, fence }) => sql`(cast(${rateId} as text), cast(${fence} as integer))`));
    const { rows } = await sql<{ id: string }>`
      with given (given_id, given_fence) as (values ${given})
      update quote_rate set sent_at = ${context.now()}
      from given
      where id = given_id and fence = given_fence and status = 'processing'
      returning id`.execute(context.db);
    return rows;
  });
  const done = new Set(rows.map((row) => row.id));
  return holds.map((hold) => done.has(hold.rateId));
}
