import { sql } from 'kysely';
import type { FormType } from '../catalog/form-types.ts';
import type { ProductCode } from '../catalog/products.ts';
import type { JsonObject } from '../json.ts';
import type { ClaimedRate, ClaimRequest, RateStatus } from '../ports/quote-store.ts';
import { parseJobKey } from './job-key.ts';
import { type Db, inBatches, micros, type StoreContext } from './store-context.ts';
import type { QuoteTables } from './tables.ts';
import { recordTransitions } from './transitions.ts';

interface ClaimedRow {
  readonly id: string;
  readonly quote_id: string;
  readonly team_id: string;
  readonly carrier_key: string;
  readonly form_type: string;
  readonly fence: number;
  readonly attempts: number;
  readonly transitions: number;
  readonly sent_at: number | null;
  readonly remaining: number;
  readonly previous_status: RateStatus;
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
  // Two jobs for one rate in one batch: the first takes it, the other comes too late.
  const single = [...new Map(wanted.reverse().map((each) => [each.rateId, each])).values()];
  const rows = await context.database.transaction<QuoteTables, ClaimedRow[]>(async (tx) => {
    const taken = await inBatches(context, single, (batch) => update(context, tx, batch));
    await recordTransitions(
      context,
      tx,
      taken.map((row) => ({
        rateId: row.id,
        number: row.transitions,
        from: row.previous_status,
        to: 'processing',
        reason: row.previous_status === 'processing' ? 'lease_ran_out' : null,
        fence: row.fence,
      })),
    );
    return taken;
  });
  const quotes = await readQuotes(context, [...new Set(rows.map((row) => row.quote_id))]);
  const byToken = new Map(single.map((each) => [each.token, rows.find((row) => row.id === each.rateId)]));
  return claims.map((each) => {
    const row = byToken.get(each.token);
    const quote = row === undefined ? undefined : quotes.get(row.quote_id);
    return row === undefined || quote === undefined ? undefined : { ...toClaimed(row), ...quote };
  });
}

async function update(
  context: StoreContext,
  tx: Db,
  batch: readonly { rateId: string; fence: number; token: string; leaseMs: number }[],
): Promise<readonly ClaimedRow[]> {
  const now = context.now();
  const given = sql.join(
    batch.map(
      ({ rateId, fence, token, leaseMs }) =>
        sql`(cast(${rateId} as text), cast(${fence} as integer), cast(${token} as text), cast(${micros(leaseMs)} as bigint))`,
    ),
  );
  const { rows } = await sql<ClaimedRow>`
    with given (given_id, given_fence, given_token, given_lease) as (values ${given})
    update quote_rate set
      previous_status = status,
      status = 'processing',
      attempts = attempts + case when fence = given_fence then 1 else 0 end,
      transitions = transitions + case when fence = given_fence then 1 else 0 end,
      fence = given_fence + 1,
      claim_token = given_token,
      lease_until = ${now} + given_lease,
      wake_at = ${now} + given_lease,
      started_at = coalesce(started_at, ${now})
    from given
    where id = given_id and (
      (fence = given_fence and (status = 'queued' or (status = 'processing' and lease_until <= ${now})))
      or (fence = given_fence + 1 and status = 'processing' and claim_token = given_token)
    )
    returning id, quote_id, team_id, carrier_key, form_type, fence, attempts, transitions, sent_at,
      deadline_at - ${now} as remaining, previous_status`.execute(tx);
  return rows;
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

function toClaimed(row: ClaimedRow): Omit<ClaimedRate, keyof QuotePart> {
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
