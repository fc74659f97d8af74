import { sql } from 'kysely';
import type { JobRef } from '../ports/queue-backend.ts';
import { parseJobKey } from './job-key.ts';
import { inBatches, micros, type StoreContext } from './store-context.ts';

/** Changes when rates are due that nobody holds: at once, where they could not be enqueued, or later, where they are to wait. */
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
      update quote_rate set told = 0, wake_at = ${context.now()} + ${sql.lit(micros(delayMs))}
      from given
      where id = given_id and fence = given_fence and lease_until is null and wake_at is not null`.execute(context.db);
    return [];
  });
}
