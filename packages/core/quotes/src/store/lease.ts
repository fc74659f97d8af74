import type { FormType, JsonObject, ProductCode } from '@leeward/terms';
import { sql } from 'kysely';
import { changeRates, type Hold } from './change-rates.ts';
import { KeysUnavailableError } from './field-cipher.ts';
import { inputTable } from './input-table.ts';
import type { KeptPending } from './pending.ts';
import { type Db, inBatches, micros, type StoreContext } from './store-context.ts';
import { openSealed } from './stored-answer.ts';
import type { ChangedRow, QuoteRow, RateRow } from './tables.ts';

/** A rate that this process works on. */
export interface LeasedRate extends Hold {
  readonly quoteId: string;
  readonly teamId: string;
  readonly carrierKey: string;
  readonly formType: FormType;
  readonly productCode: ProductCode;
  readonly producerEmail: string;
  readonly effectiveDate: string;
  /** `unreadable` if the encryption key is not configured, `unavailable` if its service does not answer. */
  readonly fields: JsonObject | 'erased' | 'unreadable' | 'unavailable';
  /** The rate's id, or the key of the rate that it retries. */
  readonly idempotencyKey: string;
  readonly attempts: number;
  /** An earlier lease may have called the carrier. */
  readonly sent: boolean;
  readonly remainingMs: number;
  readonly waitedFor: string | undefined;
  readonly pending: KeptPending | undefined;
}

interface Lease {
  readonly rateId: string;
  /** Unique per hand-out and carrier; the same when it is sent again. */
  readonly token: string;
  readonly leaseMs: number;
  /** Records the coming call, as `markSent` does. */
  readonly sent: boolean;
}

const leaseColumns = { input_id: 'text', input_token: 'text', input_lease: 'bigint', input_sent: 'integer' } as const;

type LeasedRow = ChangedRow &
  Pick<RateRow, 'requeue_reason' | 'pending' | 'asked_under' | 'claim_token'> &
  Pick<QuoteRow, 'product_code' | 'producer_email' | 'effective_date' | 'fields'>;

const quoteColumns = sql.join(
  ['product_code', 'producer_email', 'effective_date', 'fields'].map(
    (column) =>
      sql`(select ${sql.ref(column)} from quote_request where quote_request.id = quote_id) as ${sql.ref(column)}`,
  ),
);
const leasedColumns = sql`requeue_reason, pending, asked_under, claim_token, ${quoteColumns}`;

/**
 * Raises the fence and starts the lease; later writes name that fence, so a worker that lost its rate writes nothing. Polling leaves
 * status and attempts unchanged.
 */
export async function lease(context: StoreContext, tx: Db, leases: readonly Lease[]): Promise<LeasedRow[]> {
  const now = context.now();
  return inBatches(leases, (batch) =>
    changeRates<LeasedRow>(
      context,
      {
        transition: 'hand_out',
        at: sql`${now} + input_lease`,
        besides: leasedColumns,
        inputs: inputTable(
          context,
          leaseColumns,
          batch.map(({ rateId, token, leaseMs, sent }) => ({
            input_id: rateId,
            input_token: token,
            input_lease: micros(leaseMs),
            input_sent: sent ? 1 : 0,
          })),
        ),
        set: sql`
          status = case when pending is null then 'processing' else status end,
          attempts = attempts + case when pending is null then 1 else 0 end,
          transitions = transitions + case when pending is null then 1 else 0 end,
          may_have_made = case when lease_until is not null then 1 else may_have_made end,
          fence = fence + 1,
          sent_at = case when input_sent = 1 then coalesce(sent_at, ${now}) else sent_at end,
          sent_fence = case when input_sent = 1 then coalesce(sent_fence, fence + 1) else sent_fence end,
          claim_token = input_token,
          owner = cast(${context.owner} as text),
          requeue_reason = case when pending is null then requeue_reason end,
          started_at = coalesce(started_at, ${now})`,
        where: sql`id = input_id`,
        reason: sql`case when previous_status = 'processing' then 'lease_ran_out' end`,
      },
      tx,
    ),
  );
}

/** Leases of these tokens, whose acknowledgement was lost. */
export async function readLeased(context: StoreContext, tx: Db, tokens: readonly string[]): Promise<LeasedRow[]> {
  const { rows } = await sql<LeasedRow>`
    select id, quote_id, team_id, carrier_key, form_type, status, previous_status, fence, attempts, sent_fence,
      deadline_at - ${context.now()} as remaining, ${leasedColumns}
    from quote_rate where state = 'leased' and claim_token in (${sql.join(tokens)})`.execute(tx);
  return rows;
}

export async function toLeased(context: StoreContext, rows: readonly LeasedRow[]): Promise<Map<string, LeasedRate[]>> {
  const opened = new Map<string, Promise<LeasedRate['fields']>>();
  const fieldsOf = ({ quote_id: id, fields }: LeasedRow) => {
    if (!opened.has(id)) opened.set(id, openLater(context, fields, id));
    return opened.get(id)!;
  };
  const rates = await Promise.all(rows.map(async (row) => toRate(context, row, await fieldsOf(row))));
  const tokens = new Map(rows.map((row) => [row.id, row.claim_token!]));
  return Map.groupBy(rates, ({ rateId }) => tokens.get(rateId)!);
}

/** @throws {KeysUnavailableError} */
export async function openFields(
  { cipher }: StoreContext,
  stored: string | null,
  quoteId: string,
): Promise<JsonObject | 'erased' | 'unreadable'> {
  return stored === null ? 'erased' : openSealed(cipher, stored, quoteId);
}

/** Without its key, a rate waits. */
function openLater(context: StoreContext, stored: string | null, id: string): Promise<LeasedRate['fields']> {
  return openFields(context, stored, id).catch((error: unknown) => {
    if (error instanceof KeysUnavailableError) return 'unavailable';
    throw error;
  });
}

/** An undecryptable pending state makes the fields unreadable too. */
async function openPending(
  context: StoreContext,
  stored: string,
  rateId: string,
  fields: LeasedRate['fields'],
): Promise<Pick<LeasedRate, 'fields' | 'pending'>> {
  const pending = await openLater(context, stored, rateId);
  if (typeof pending === 'string') return { fields: pending, pending: { keep: {}, failures: 0 } };
  return { fields, pending: pending as unknown as KeptPending };
}

async function toRate(context: StoreContext, row: LeasedRow, fields: LeasedRate['fields']): Promise<LeasedRate> {
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
    ...(row.pending === null
      ? { fields, pending: undefined }
      : await openPending(context, row.pending, row.id, fields)),
    idempotencyKey: row.asked_under ?? row.id,
    attempts: row.attempts,
    sent: row.sent_fence !== null && row.sent_fence < row.fence,
    remainingMs: row.remaining / 1000,
    waitedFor: row.requeue_reason ?? undefined,
  };
}
