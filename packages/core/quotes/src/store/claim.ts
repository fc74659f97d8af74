import type { FormType, JsonObject, ProductCode } from '@leeward/terms';
import { sql } from 'kysely';
import type { JobRef } from '../ports/queue-backend.ts';
import type { Hold } from './change-rates.ts';
import { changeRates } from './change-rates.ts';
import { given } from './given.ts';
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
  /** `unreadable` where the key they were encrypted under is not at hand. */
  readonly fields: JsonObject | 'erased' | 'unreadable';
  /** The rate's id, or the key that it keeps from the rate it retries. */
  readonly idempotencyKey: string;
  /** Claims so far, this one included. */
  readonly attempts: number;
  /** Whether the carrier may have been asked by an earlier claim. */
  readonly sent: boolean;
  readonly remainingMs: number;
  /** Why it went back to the queue, the last time that it did. */
  readonly waitedFor: string | undefined;
  /** What is kept for a carrier that answers later: then it is looked at, not asked. */
  readonly pending: KeptPending | undefined;
}

export interface ClaimRequest extends JobRef {
  /** New for every claim that is made, the same when one is sent again. */
  readonly token: string;
  readonly leaseMs: number;
  /** Whether the carrier is about to be asked, at once: then that is noted with the claim, as `markSent` would. */
  readonly sent: boolean;
}

/**
 * Takes rates under the fence that their jobs name: queued ones, those whose lease ran out, and those that the very
 * same claim took already, when its acknowledgement was lost on the way.
 */
export async function claim(
  context: StoreContext,
  claims: readonly ClaimRequest[],
): Promise<(ClaimedRate | undefined)[]> {
  const wanted = claims.map((each) => ({ ...each, ...parseJobKey(each.key) })).filter((each) => each.rateId !== '');
  // Two jobs for one rate in one list: the first takes it, the other comes too late.
  const single = [...new Map(wanted.toReversed().map((each) => [each.rateId, each])).values()];
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
  given_id: 'text',
  given_fence: 'integer',
  given_token: 'text',
  given_lease: 'bigint',
  given_sent: 'integer',
} as const;

type ClaimedRow = ChangedRow &
  Pick<RateRow, 'requeue_reason' | 'pending' | 'asked_under'> &
  Pick<QuoteRow, 'product_code' | 'producer_email' | 'effective_date' | 'fields'>;

/** What the quote says, of each rate. */
const ofQuote = sql.join(
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
    given_id: rateId,
    given_fence: fence,
    given_token: token,
    given_lease: micros(leaseMs),
    given_sent: sent ? 1 : 0,
  }));
  return changeRates<ClaimedRow>(context, {
    besides: sql`requeue_reason, pending, asked_under, ${ofQuote}`,
    given: given(context, claimColumns, rows),
    // Sent again, the claim finds its fence there: it takes nothing, and counts as nothing. Nor does a look at what a
    // carrier is at: the rate is what it was.
    set: sql`
      status = case when pending is null then 'processing' else status end,
      attempts = attempts + case when fence = given_fence and pending is null then 1 else 0 end,
      transitions = transitions + case when fence = given_fence and pending is null then 1 else 0 end,
      may_have_made = case when fence = given_fence and lease_until is not null then 1 else may_have_made end,
      fence = given_fence + 1,
      sent_at = case when given_sent = 1 then coalesce(sent_at, ${now}) else sent_at end,
      sent_fence = case when given_sent = 1 then coalesce(sent_fence, given_fence + 1) else sent_fence end,
      claim_token = given_token,
      owner = cast(${context.owner} as text),
      requeue_reason = case when pending is null then requeue_reason end,
      told = 0,
      lease_until = ${now} + given_lease,
      wake_at = ${now} + given_lease,
      started_at = coalesce(started_at, ${now})`,
    where: sql`id = given_id and (
      (fence = given_fence and wake_at is not null and (lease_until is null or lease_until <= ${now}))
      or (fence = given_fence + 1 and lease_until is not null and claim_token = given_token))`,
    reason: sql`case when previous_status = 'processing' then 'lease_ran_out' end`,
  });
}

/** Read once for all rates of a quote: it may have to be decrypted. */
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

/** Under another key than is at hand, what is kept is as good as fields that cannot be read. */
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
