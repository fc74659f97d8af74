import { sql } from 'kysely';
import type { JobRef } from '../ports/queue-backend.ts';
import type { Hold } from './change-rates.ts';
import { changeRates } from './change-rates.ts';
import { inputTable } from './input-table.ts';
import { parseJobKey } from './job-key.ts';
import { inBatches, micros, type StoreContext } from './store-context.ts';

export interface Release extends Hold {
  readonly delayMs: number;
  /** An earlier call may have reached the carrier: the next attempt looks it up. */
  readonly keepSent: boolean;
  readonly uncounted: boolean;
  readonly mayHaveMade?: boolean | undefined;
  readonly reason: string;
}

export interface Sending extends Hold {
  readonly leaseMs: number;
  /** False only renews the lease. */
  readonly sent: boolean;
}

const releaseColumns = {
  input_id: 'text',
  input_fence: 'integer',
  input_delay: 'bigint',
  input_keep_sent: 'integer',
  input_uncounted: 'integer',
  input_made: 'integer',
  input_reason: 'text',
} as const;
const sendingColumns = {
  input_id: 'text',
  input_fence: 'integer',
  input_lease: 'bigint',
  input_sent: 'integer',
} as const;

/** Due after a delay. @returns for each, whether the hold was valid. */
export async function release(context: StoreContext, releases: readonly Release[]): Promise<boolean[]> {
  const released = await inBatches(releases, (batch) => {
    const rows = batch.map(({ rateId, fence, delayMs, keepSent, uncounted, mayHaveMade, reason }) => ({
      input_id: rateId,
      input_fence: fence,
      input_delay: micros(delayMs),
      input_keep_sent: keepSent ? 1 : 0,
      input_uncounted: uncounted ? 1 : 0,
      input_made: mayHaveMade === undefined ? null : Number(mayHaveMade),
      input_reason: reason,
    }));
    return changeRates(context, {
      inputs: inputTable(context, releaseColumns, rows),
      set: sql`
        status = 'queued',
        requeue_reason = input_reason,
        attempts = attempts - input_uncounted,
        may_have_made = coalesce(input_made, may_have_made),
        sent_at = case when input_keep_sent = 1 then sent_at end,
        sent_fence = case when input_keep_sent = 1 then sent_fence end,
        lease_until = null,
        told = 0,
        wake_at = ${context.now()} + input_delay,
        transitions = transitions + 1`,
      where: sql`id = input_id and fence = input_fence and lease_until is not null and pending is null`,
      reason: sql`requeue_reason`,
    });
  });
  const done = new Set(released.map((row) => row.id));
  return releases.map((each) => done.has(each.rateId));
}

/**
 * Records the coming call and renews the lease; repeatable under the same hold. @returns for each, whether the hold is valid; if not,
 * the carrier must not be called.
 */
export async function markSent(context: StoreContext, sendings: readonly Sending[]): Promise<boolean[]> {
  const now = context.now();
  const rows = await inBatches(sendings, async (batch) => {
    const inputs = batch.map(({ rateId, fence, leaseMs, sent }) => ({
      input_id: rateId,
      input_fence: fence,
      input_lease: micros(leaseMs),
      input_sent: sent ? 1 : 0,
    }));
    const { rows } = await sql<{ id: string }>`
      with ${inputTable(context, sendingColumns, inputs)}
      update quote_rate set
        sent_at = case when input_sent = 1 then ${now} else sent_at end,
        sent_fence = case when input_sent = 1 then coalesce(sent_fence, fence) else sent_fence end,
        told = 0,
        lease_until = ${now} + input_lease,
        wake_at = ${now} + input_lease
      from input
      where id = input_id and fence = input_fence and lease_until is not null
      returning id`.execute(context.db);
    return rows;
  });
  const done = new Set(rows.map((row) => row.id));
  return sendings.map((sending) => done.has(sending.rateId));
}

export async function postpone(context: StoreContext, jobs: readonly JobRef[], delayMs: number): Promise<void> {
  const jobsByRate = new Map(jobs.map((job) => [parseJobKey(job.key).rateId, job]));
  const rows = [...jobsByRate].map(([rateId, { key }]) => ({ input_id: rateId, input_fence: parseJobKey(key).fence }));
  await inBatches(rows, async (batch) => {
    await sql`
      with ${inputTable(context, { input_id: 'text', input_fence: 'integer' }, batch)}
      update quote_rate set told = 0, wake_at = ${context.now()} + ${sql.lit(micros(delayMs))}
      from input
      where id = input_id and fence = input_fence and lease_until is null and wake_at is not null`.execute(context.db);
    return [];
  });
}
