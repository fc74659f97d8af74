import {
  type Cents,
  type FormType,
  type JsonObject,
  MICROS_PER_MS,
  type Micros,
  type ProductCode,
} from '@leeward/terms';
import { sql } from 'kysely';
import type { OtherRate } from '../ports/carrier-adapter.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { NewQuote } from './create-quote.ts';
import { openFields } from './lease.ts';
import type { StoreContext } from './store-context.ts';
import type { StoredAnswer, StoredDocument } from './stored-answer.ts';
import { openDocument, parseAnswer } from './stored-answer.ts';
import type { QuoteRow, RateRow, RateStatus } from './tables.ts';

/** A transition of a rate's status; instants in microseconds since 1970. */
export interface RateEvent {
  readonly at: Micros;
  readonly from: RateStatus;
  readonly to: RateStatus;
  readonly reason: string | undefined;
}

export interface FoundDocument {
  readonly document: StoredDocument;
  readonly carrierKey: string;
  readonly quoteId: string;
  readonly rateId: string;
}

export interface StoredRate {
  readonly id: string;
  readonly quoteId: string;
  readonly carrierKey: string;
  readonly carrier: string;
  readonly formType: FormType;
  readonly status: RateStatus;
  readonly outcome: Outcome | undefined;
  readonly premiumCents: Cents | undefined;
  readonly answer: StoredAnswer | undefined;
  readonly retryable: boolean;
  readonly priority?: number | undefined;
  readonly attempts: number;
  readonly createdAt: Micros;
  readonly startedAt: Micros | undefined;
  readonly finishedAt: Micros | undefined;
  readonly retryOf: string | undefined;
  readonly supersededBy: string | undefined;
  readonly carriedFrom?: string | undefined;
  readonly pendingSince: Micros | undefined;
}

export interface StoredQuote extends Omit<NewQuote, 'fields' | 'rates' | 'carried' | 'deadlineMs' | 'idempotency'> {
  readonly createdAt: Micros;
  readonly erasedAt: Micros | undefined;
}

export const quoteColumns = [
  'id',
  'service_quote_id',
  'team_id',
  'product_code',
  'producer_email',
  'effective_date',
  'skipped',
  'created_at',
  'erased_at',
  'requote_of',
] as const;
const rateColumns = [
  'id',
  'quote_id',
  'carrier_key',
  'carrier',
  'form_type',
  'status',
  'outcome',
  'premium_cents',
  'answer',
  'retryable',
  'priority',
  'attempts',
  'created_at',
  'started_at',
  'finished_at',
  'retry_of',
  'superseded_by',
  'carried_from',
  'pending_since',
] as const;

function isIdentifier(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text);
}

export async function readQuote(context: StoreContext, teamId: string, id: string): Promise<StoredQuote | undefined> {
  if (!isIdentifier(id)) return undefined;
  const row = await context.db
    .selectFrom('quote_request')
    .select(quoteColumns)
    .where((where) => where.or([where('id', '=', id), where('service_quote_id', '=', id)]))
    .where('team_id', '=', teamId)
    .executeTakeFirst();
  return row === undefined ? undefined : toQuote(row);
}

export async function readFields(context: StoreContext, quoteId: string): Promise<JsonObject | undefined> {
  const row = await context.db
    .selectFrom('quote_request')
    .select(['id', 'fields'])
    .where('id', '=', quoteId)
    .executeTakeFirst();
  const opened = row === undefined ? 'erased' : await openFields(context, row.fields, row.id);
  return typeof opened === 'string' ? undefined : opened;
}

export async function readRates(context: StoreContext, quoteId: string): Promise<StoredRate[]> {
  const rows = await context.db
    .selectFrom('quote_rate')
    .select(rateColumns)
    .where('quote_id', '=', quoteId)
    .orderBy('position')
    .orderBy('created_at')
    .execute();
  return rows.map(toRate);
}

/** Rates of the other carriers of a rate's quote, and the total time of the rate. Superseded rates are left out. */
export async function readOtherRates(
  context: StoreContext,
  rateId: string,
): Promise<{ readonly rates: readonly OtherRate[]; readonly totalMs: number }> {
  const own = await context.db
    .selectFrom('quote_rate')
    .select(['quote_id', 'carrier_key', 'created_at', 'deadline_at'])
    .where('id', '=', rateId)
    .executeTakeFirst();
  if (own === undefined) return { rates: [], totalMs: 0 };
  const rows = await context.db
    .selectFrom('quote_rate')
    .select(['carrier_key', 'form_type', 'status', 'outcome', 'premium_cents', 'answer'])
    .where('quote_id', '=', own.quote_id)
    .where('carrier_key', '<>', own.carrier_key)
    .where('superseded_by', 'is', null)
    .orderBy('position')
    .execute();
  const rates = rows.map(({ carrier_key, form_type, status, outcome, premium_cents, answer }): OtherRate => {
    const isOpen = status === 'queued' || status === 'processing';
    return {
      carrierKey: carrier_key,
      formType: form_type as FormType,
      outcome: isOpen ? undefined : ((outcome as Outcome | null) ?? undefined),
      premiumCents: isOpen || premium_cents === null ? undefined : BigInt(premium_cents),
      messageCodes: parseAnswer(answer)?.messages?.map(({ code }) => code) ?? [],
    };
  });
  return { rates, totalMs: (own.deadline_at - own.created_at) / MICROS_PER_MS };
}

export async function readRate(
  context: StoreContext,
  teamId: string,
  rateId: string,
): Promise<{ rate: StoredRate; quote: StoredQuote } | undefined> {
  if (!isIdentifier(rateId)) return undefined;
  const row = await context.db
    .selectFrom('quote_rate')
    .select(rateColumns)
    .where('id', '=', rateId)
    .where('team_id', '=', teamId)
    .executeTakeFirst();
  const quote = row === undefined ? undefined : await readQuote(context, teamId, row.quote_id);
  return row === undefined || quote === undefined ? undefined : { rate: toRate(row), quote };
}

export async function readDocument(
  context: StoreContext,
  teamId: string,
  rateId: string,
  documentId: string,
): Promise<FoundDocument | 'erased' | 'unreadable' | undefined> {
  if (!isIdentifier(rateId) || !isIdentifier(documentId)) return undefined;
  const row = await context.db
    .selectFrom('quote_rate')
    .innerJoin('quote_request', 'quote_request.id', 'quote_rate.quote_id')
    .select(['quote_rate.carrier_key', 'quote_rate.quote_id', 'quote_rate.answer', 'quote_request.erased_at'])
    .where('quote_rate.id', '=', rateId)
    .where('quote_rate.team_id', '=', teamId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.erased_at !== null) return 'erased';
  const document = await openDocument(row.answer, documentId, context.cipher);
  if (document === undefined || typeof document === 'string') return document;
  return { document, carrierKey: row.carrier_key, quoteId: row.quote_id, rateId };
}

export async function readEvents(context: StoreContext, rateId: string): Promise<RateEvent[]> {
  const { rows } = await sql<RateEvent & { reason: string | null }>`
    select at, from_status as "from", to_status as "to", reason
    from quote_rate_event where rate_id = ${rateId} order by number`.execute(context.db);
  return rows.map((row) => ({ ...row, reason: row.reason ?? undefined }));
}

export function toQuote(row: Pick<QuoteRow, (typeof quoteColumns)[number]>): StoredQuote {
  return {
    id: row.id,
    serviceQuoteId: row.service_quote_id,
    teamId: row.team_id,
    productCode: row.product_code as ProductCode,
    producerEmail: row.producer_email,
    effectiveDate: row.effective_date,
    skipped: JSON.parse(row.skipped) as StoredQuote['skipped'],
    createdAt: row.created_at,
    erasedAt: row.erased_at ?? undefined,
    requoteOf: row.requote_of ?? undefined,
  };
}

function toRate(row: Pick<RateRow, (typeof rateColumns)[number]>): StoredRate {
  return {
    id: row.id,
    quoteId: row.quote_id,
    carrierKey: row.carrier_key,
    carrier: row.carrier,
    formType: row.form_type as FormType,
    status: row.status,
    outcome: (row.outcome as Outcome | null) ?? undefined,
    premiumCents: row.premium_cents === null ? undefined : BigInt(row.premium_cents),
    answer: parseAnswer(row.answer),
    retryable: row.retryable === 1,
    priority: row.priority,
    attempts: row.attempts,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    finishedAt: row.finished_at ?? undefined,
    retryOf: row.retry_of ?? undefined,
    supersededBy: row.superseded_by ?? undefined,
    carriedFrom: row.carried_from ?? undefined,
    pendingSince: row.pending_since ?? undefined,
  };
}
