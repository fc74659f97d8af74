import type { FormType, JsonObject, ProductCode } from '@leeward/terms';
import { sql } from 'kysely';
import type { JobRef } from '../ports/queue-backend.ts';
import type { Hold } from './change-rates.ts';
import { changeRates } from './change-rates.ts';
import { inputTable } from './input-table.ts';
import { parseJobKey } from './job-key.ts';
import type { KeptPending } from './pending.ts';
import { inBatches, micros, type StoreContext } from './store-context.ts';
import type { ChangedRow, QuoteRow, RateRow } from './tables.ts';

export interface ClaimedRate extends Hold {
  readonly quoteId: string;
  readonly teamId: string;
  readonly carrierKey: string;
  readonly formType: FormType;
  readonly productCode: ProductCode;
  readonly producerEmail: string;
  readonly effectiveDate: string;
  /** `unreadable` if the encryption key is not configured. */
  readonly fields: JsonObject | 'erased' | 'unreadable';
  /** The rate's id, or the key of the rate that it retries. */
  readonly idempotencyKey: string;
  readonly attempts: number;
  /** An earlier claim may have called the carrier. */
  readonly sent: boolean;
  readonly remainingMs: number;
  readonly waitedFor: string | undefined;
  readonly pending: KeptPending | undefined;
}

export interface ClaimRequest extends JobRef {
  /** Unique per claim; the same when it is sent again. */
  readonly token: string;
  readonly leaseMs: number;
  /** Records the coming call, as `markSent` does. */
  readonly sent: boolean;
}

/**
 * Claims rates under the fence that their jobs name: queued rates, rates whose lease expired, and rates of the same claim whose
 * acknowledgement was lost. A claim raises the fence and starts the lease. Later writes name that fence, so a worker that lost its rate
 * writes nothing:
 *
 *     queued ── claim ──▶ processing (leased) ── finish ──▶ success, error
 *     queued ◀── release, lease expired ── processing
 */
export async function claim(
  context: StoreContext,
  claims: readonly ClaimRequest[],
): Promise<(ClaimedRate | undefined)[]> {
  const requests = claims.map((each) => ({ ...each, ...parseJobKey(each.key) })).filter((each) => each.rateId !== '');
  // The first of two jobs for one rate claims it.
  const single = [...new Map(requests.toReversed().map((each) => [each.rateId, each])).values()];
  const rows = await inBatches(single, (batch) => take(context, batch));
  const fields = readFields(context, rows);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byToken = new Map(single.map((each) => [each.token, byId.get(each.rateId)]));
  return claims.map((each) => {
    const row = byToken.get(each.token);
    return row === undefined ? undefined : toClaimed(context, row, fields.get(row.quote_id)!);
  });
}

const claimColumns = {
  input_id: 'text',
  input_fence: 'integer',
  input_token: 'text',
  input_lease: 'bigint',
  input_sent: 'integer',
} as const;

type ClaimedRow = ChangedRow &
  Pick<RateRow, 'requeue_reason' | 'pending' | 'asked_under'> &
  Pick<QuoteRow, 'product_code' | 'producer_email' | 'effective_date' | 'fields'>;

const quoteColumns = sql.join(
  ['product_code', 'producer_email', 'effective_date', 'fields'].map(
    (column) =>
      sql`(select ${sql.ref(column)} from quote_request where quote_request.id = quote_id) as ${sql.ref(column)}`,
  ),
);

function take(
  context: StoreContext,
  batch: readonly { rateId: string; fence: number; token: string; leaseMs: number; sent: boolean }[],
): Promise<readonly ClaimedRow[]> {
  const now = context.now();
  const rows = batch.map(({ rateId, fence, token, leaseMs, sent }) => ({
    input_id: rateId,
    input_fence: fence,
    input_token: token,
    input_lease: micros(leaseMs),
    input_sent: sent ? 1 : 0,
  }));
  return changeRates<ClaimedRow>(context, {
    besides: sql`requeue_reason, pending, asked_under, ${quoteColumns}`,
    inputs: inputTable(context, claimColumns, rows),
    // A repeated claim finds its fence and counts nothing. Polling leaves status and attempts unchanged.
    set: sql`
      status = case when pending is null then 'processing' else status end,
      attempts = attempts + case when fence = input_fence and pending is null then 1 else 0 end,
      transitions = transitions + case when fence = input_fence and pending is null then 1 else 0 end,
      may_have_made = case when fence = input_fence and lease_until is not null then 1 else may_have_made end,
      fence = input_fence + 1,
      sent_at = case when input_sent = 1 then coalesce(sent_at, ${now}) else sent_at end,
      sent_fence = case when input_sent = 1 then coalesce(sent_fence, input_fence + 1) else sent_fence end,
      claim_token = input_token,
      owner = cast(${context.owner} as text),
      requeue_reason = case when pending is null then requeue_reason end,
      told = 0,
      lease_until = ${now} + input_lease,
      wake_at = ${now} + input_lease,
      started_at = coalesce(started_at, ${now})`,
    where: sql`id = input_id and (
      (fence = input_fence and wake_at is not null and (lease_until is null or lease_until <= ${now}))
      or (fence = input_fence + 1 and lease_until is not null and claim_token = input_token))`,
    reason: sql`case when previous_status = 'processing' then 'lease_ran_out' end`,
  });
}

function readFields(context: StoreContext, rows: readonly ClaimedRow[]): Map<string, ClaimedRate['fields']> {
  const fields = new Map<string, ClaimedRate['fields']>();
  for (const { quote_id: id, fields: stored } of rows) {
    if (!fields.has(id)) fields.set(id, openFields(context, stored, id));
  }
  return fields;
}

export function openFields(context: StoreContext, stored: string | null, quoteId: string): ClaimedRate['fields'] {
  if (stored === null) return 'erased';
  try {
    return context.cipher.open(stored, quoteId);
  } catch {
    return 'unreadable';
  }
}

/** An undecryptable pending state makes the fields unreadable too. */
function openPending(
  context: StoreContext,
  stored: string,
  rateId: string,
  fields: ClaimedRate['fields'],
): Pick<ClaimedRate, 'fields' | 'pending'> {
  const pending = openFields(context, stored, rateId);
  if (typeof pending === 'string') return { fields: pending, pending: { keep: {}, failures: 0 } };
  return { fields, pending: pending as unknown as KeptPending };
}

function toClaimed(context: StoreContext, row: ClaimedRow, fields: ClaimedRate['fields']): ClaimedRate {
  return {
    rateId: row.id,
    fence: row.fence,
    quoteId: row.quote_id,
    teamId: row.team_id,
    carrierKey: row.carrier_key,
    formType: row.form_type as FormType,
    productCode: row.product_code as ProductCode,
    producerEmail: row.producer_email,
    effectiveDate: row.effective_date,
    ...(row.pending === null ? { fields, pending: undefined } : openPending(context, row.pending, row.id, fields)),
    idempotencyKey: row.asked_under ?? row.id,
    attempts: row.attempts,
    sent: row.sent_fence !== null && row.sent_fence < row.fence,
    remainingMs: row.remaining / 1000,
    waitedFor: row.requeue_reason ?? undefined,
  };
}
