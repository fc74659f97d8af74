import { sql } from 'kysely';
import type { JobRef } from '../ports/queue-backend.ts';
import { given } from './given.ts';
import { parseJobKey } from './job-key.ts';
import { inBatches, micros, type StoreContext } from './store-context.ts';

/** Changes when rates are due that nobody holds: at once, where they could not be enqueued, or later, where they are to wait. */
export async function putOff(context: StoreContext, jobs: readonly JobRef[], delayMs: number): Promise<void> {
  const wanted = new Map(jobs.map((job) => [parseJobKey(job.key).rateId, job]));
  const rows = [...wanted].map(([rateId, { key }]) => ({ given_id: rateId, given_fence: parseJobKey(key).fence }));
  await inBatches(rows, async (batch) => {
    await sql`
      with ${given(context, { given_id: 'text', given_fence: 'integer' }, batch)}
      update quote_rate set told = 0, wake_at = ${context.now()} + ${sql.lit(micros(delayMs))}
      from given
      where id = given_id and fence = given_fence and lease_until is null and wake_at is not null`.execute(context.db);
    return [];
  });
}
