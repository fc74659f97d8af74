import { sql } from 'kysely';
import type { FormType } from '../catalog/form-types.ts';
import type { ProductCode } from '../catalog/products.ts';
import type { JsonObject } from '../json.ts';
import type { ClaimedRate, ClaimRequest } from '../ports/quote-store.ts';
import { type ChangedRow, changeRates } from './change-rates.ts';
import { parseJobKey } from './job-key.ts';
import { inBatches, micros, type StoreContext } from './store-context.ts';

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
  const rows = await inBatches(context, single, (batch) => take(context, batch));
  const quotes = await readQuotes(context, [...new Set(rows.map((row) => row.quote_id))]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byToken = new Map(single.map((each) => [each.token, byId.get(each.rateId)]));
  return claims.map((each) => {
    const row = byToken.get(each.token);
    const quote = row === undefined ? undefined : quotes.get(row.quote_id);
    return row === undefined || quote === undefined ? undefined : { ...toClaimed(row), ...quote };
  });
}

function take(
  context: StoreContext,
  batch: readonly { rateId: string; fence: number; token: string; leaseMs: number }[],
): Promise<readonly ChangedRow[]> {
  const now = context.now();
  const rows = batch.map(
    ({ rateId, fence, token, leaseMs }) =>
      sql`(cast(${rateId} as text), cast(${fence} as integer), cast(${token} as text), cast(${micros(leaseMs)} as bigint))`,
  );
  return changeRates(context, {
    given: { columns: sql`given_id, given_fence, given_token, given_lease`, rows: sql.join(rows) },
    // Sent again, the claim finds its fence there: it takes nothing, and counts as nothing.
    set: sql`
      status = 'processing',
      attempts = attempts + case when fence = given_fence then 1 else 0 end,
      transitions = transitions + case when fence = given_fence then 1 else 0 end,
      fence = given_fence + 1,
      claim_token = given_token,
      lease_until = ${now} + given_lease,
      wake_at = ${now} + given_lease,
      started_at = coalesce(started_at, ${now})`,
    where: sql`id = given_id and (
      (fence = given_fence and (status = 'queued' or (status = 'processing' and lease_until <= ${now})))
      or (fence = given_fence + 1 and status = 'processing' and claim_token = given_token))`,
    reason: sql`case when previous_status = 'processing' then 'lease_ran_out' end`,
  });
}

type QuotePart = Pick<ClaimedRate, 'productCode' | 'producerEmail' | 'effectiveDate' | 'fields'>;

async function readQuotes(context: StoreContext, ids: readonly string[]): Promise<Map<string, QuotePart>> {
  const rows = await inBatches(context, ids, (batch) =>
    context.db
      .selectFrom('quote_request')
      .select(['id', 'product_code', 'producer_email', 'effective_date', 'fields'])
      .where('id', 'in', [...batch])
      .execute(),
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        productCode: row.product_code as ProductCode,
        producerEmail: row.producer_email,
        effectiveDate: row.effective_date,
        fields: readFields(context, row.fields, row.id),
      },
    ]),
  );
}

function readFields(
  context: StoreContext,
  stored: string | null,
  quoteId: string,
): JsonObject | 'erased' | 'unreadable' {
  if (stored === null) return 'erased';
  try {
    return context.cipher.open(stored, quoteId);
  } catch {
    return 'unreadable';
  }
}

function toClaimed(row: ChangedRow): Omit<ClaimedRate, keyof QuotePart> {
  return {
    rateId: row.id,
    fence: row.fence,
    quoteId: row.quote_id,
    teamId: row.team_id,
    carrierKey: row.carrier_key,
    formType: row.form_type as FormType,
    attempts: row.attempts,
    sent: row.sent_at !== null,
    remainingMs: row.remaining / 1000,
  };
}
