import { sql } from 'kysely';
import type { JobRef } from '../ports/queue-backend.ts';
import { jobOf, parseJobKey } from './job-key.ts';
import { inBatches, micros, type StoreContext } from './store-context.ts';
import type { QuoteTables } from './tables.ts';

/**
 * Rates of these carriers that are due: queued and nudged by nobody yet or in vain, or left by a worker whose lease
 * ran out. Whoever takes them has put off their next nudge, so that one process at a time enqueues a rate.
 */
export async function takeDue(
  context: StoreContext,
  options: { carrierKeys: readonly string[]; limit: number; againMs: number },
): Promise<JobRef[]> {
  const { carrierKeys, limit, againMs } = options;
  if (carrierKeys.length === 0) return [];
  const candidates = await due(context, carrierKeys, limit);
  if (candidates.length === 0) return [];
  const rows = await context.database.transaction<QuoteTables, { id: string; carrier_key: string; fence: number }[]>(
    (tx) =>
      inBatches(context, candidates, (batch) =>
        tx
          .updateTable('quote_rate')
          .set({ wake_at: sql<number>`${context.now()} + ${sql.lit(micros(againMs))}` })
          .where('id', 'in', [...batch])
          // Looked at again: another process may have taken them meanwhile.
          .where('wake_at', '<=', context.now())
          .returning(['id', 'carrier_key', 'fence'])
          .execute(),
      ),
  );
  return rows.map((row) => jobOf(row.id, row.fence, row.carrier_key));
}

/** Read without a lock: most of the time there is nothing, and no writer is held up to find that out. */
async function due(context: StoreContext, carrierKeys: readonly string[], limit: number): Promise<string[]> {
  const rows = await context.db
    .selectFrom('quote_rate')
    .select('id')
    .where('wake_at', 'is not', null)
    .where('wake_at', '<=', context.now())
    .where('carrier_key', 'in', [...carrierKeys])
    .orderBy('wake_at')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Changes when queued rates are due: at once, where they could not be enqueued, or later, where they are to wait. */
export async function putOff(context: StoreContext, jobs: readonly JobRef[], delayMs: number): Promise<void> {
  const wanted = new Map(jobs.map((job) => [parseJobKey(job.key).rateId, job]));
  await inBatches(context, [...wanted.keys()], async (batch) => {
    const given = sql.join(
      batch.map(
        (rateId) => sql`(cast(${rateId} as text), cast(${parseJobKey(wanted.get(rateId)!.key).fence} as integer))`,
      ),
    );
    await sql`
      with given (given_id, given_fence) as (values ${given})
      update quote_rate set wake_at = ${context.now()} + ${sql.lit(micros(delayMs))}
      from given
      where id = given_id and fence = given_fence and status = 'queued'`.execute(context.db);
    return [];
  });
}
