import { sql } from 'kysely';
import type { Hold } from './change-rates.ts';
import { changeRates } from './change-rates.ts';
import { inputTable } from './input-table.ts';
import { inBatches, micros, type StoreContext } from './store-context.ts';
import { canMove, move } from './transitions.ts';

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
      transition: 'release',
      at: sql`${context.now()} + input_delay`,
      inputs: inputTable(context, releaseColumns, rows),
      set: sql`
        status = 'queued',
        requeue_reason = input_reason,
        attempts = attempts - input_uncounted,
        may_have_made = coalesce(input_made, may_have_made),
        sent_at = case when input_keep_sent = 1 then sent_at end,
        sent_fence = case when input_keep_sent = 1 then sent_fence end,
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
        ${move('record_call', sql`${now} + input_lease`)}
      from input
      where id = input_id and fence = input_fence and lease_until is not null and ${canMove('record_call')}
      returning id`.execute(context.db);
    return rows;
  });
  const done = new Set(rows.map((row) => row.id));
  return sendings.map((sending) => done.has(sending.rateId));
}
