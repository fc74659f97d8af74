import type { FormType, ProductCode } from '@leeward/terms';
import { formatCents, formatMicros, type Micros } from '@leeward/terms';
import type { AmountLine, OpenRequirement, RateType } from '../ports/carrier-adapter.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { StoredQuote, StoredRate } from '../store/read-quotes.ts';

/** On the wire what waits is `processing` as well. */
export type WireStatus = 'processing' | 'success' | 'error';

/** A rate as `service.md` 2.3 has it: what a status lists while `include_rates` is false. */
export interface LiteRate {
  readonly id: string;
  readonly status: WireStatus;
  /** Two decimals; null until there is one. */
  readonly premium: string | null;
  readonly carrier_quote_number: string | null;
  readonly carrier_quote_url: string | null;
  readonly carrier_response_messages: readonly WireMessage[] | null;
  readonly carrier: string;
  readonly form_type: FormType;
  readonly request_id: string;
  readonly created_at: string;
}

/** The full rate resource (api.md 2). */
export interface FullRate extends LiteRate {
  readonly carrier_key: string;
  readonly product_code: ProductCode;
  readonly outcome: Outcome | null;
  readonly attempts: number;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly coverages: readonly WireAmount[] | null;
  readonly deductibles: readonly WireAmount[] | null;
  readonly fees: readonly WireAmount[] | null;
  readonly effective_date: string;
  readonly expires_at: string | null;
  readonly error: { readonly code: string; readonly message: string; readonly retryable: boolean } | null;
  /** What the premium is worth; null where there is none. */
  readonly rate_type: RateType | null;
  /** What is still to be shown; null where there is no premium. */
  readonly subject_to: readonly OpenRequirement[] | null;
  readonly bridge_url: string | null;
  /** What the carrier has to be read beside it; null where there is nothing. */
  readonly documents: readonly WireDocument[] | null;
  /** Since when the carrier has been at an answer that is still to come. */
  readonly pending_since: string | null;
  /** The rate in whose place this one stands. */
  readonly retry_of: string | null;
  /** The rate of an earlier quote whose answer was taken over. */
  readonly carried_from: string | null;
}

/** A carrier's message, on the wire. */
export interface WireMessage {
  readonly level: 'info' | 'warning' | 'error';
  readonly code: string;
  readonly message: string;
  readonly field: string | null;
}

/** A document that can be opened, on the wire: never where the carrier has it. */
export interface WireDocument {
  readonly document_id: string;
  readonly title: string;
  readonly media_type: string;
}

/** A coverage, deductible or fee, on the wire: dollars as a text with two decimals. */
export interface WireAmount {
  readonly code: string;
  readonly name: string;
  readonly amount: string;
}

export function wireStatus(rate: Pick<StoredRate, 'status'>): WireStatus {
  return rate.status === 'queued' ? 'processing' : rate.status;
}

export function presentLiteRate(rate: StoredRate): LiteRate {
  const { answer } = rate;
  return {
    id: rate.id,
    status: wireStatus(rate),
    premium: rate.premiumCents === undefined ? null : formatCents(rate.premiumCents),
    carrier_quote_number: answer?.carrierQuoteNumber ?? null,
    carrier_quote_url: answer?.carrierQuoteUrl ?? null,
    carrier_response_messages: presentMessages(rate),
    carrier: rate.carrier,
    form_type: rate.formType,
    request_id: rate.quoteId,
    created_at: formatMicros(rate.createdAt),
  };
}

export function presentFullRate(rate: StoredRate, quote: StoredQuote): FullRate {
  const { answer } = rate;
  const error = answer?.error;
  return {
    ...presentLiteRate(rate),
    carrier_key: rate.carrierKey,
    product_code: quote.productCode,
    outcome: rate.outcome ?? null,
    attempts: rate.attempts,
    started_at: instant(rate.startedAt),
    finished_at: instant(rate.finishedAt),
    coverages: amounts(answer?.coverages),
    deductibles: amounts(answer?.deductibles),
    fees: amounts(answer?.fees),
    effective_date: quote.effectiveDate,
    expires_at: instant(answer?.expiresAt),
    error: error === undefined ? null : { code: error.code, message: error.message, retryable: rate.retryable },
    rate_type: answer?.rateType ?? null,
    subject_to: answer?.rateType === undefined ? null : (answer.subjectTo ?? []),
    bridge_url: answer?.bridgeUrl ?? null,
    documents:
      answer?.documents?.map(({ id, title, mediaType }) => ({ document_id: id, title, media_type: mediaType })) ?? null,
    pending_since: instant(rate.pendingSince),
    retry_of: rate.retryOf ?? null,
    carried_from: rate.carriedFrom ?? null,
  };
}

function instant(value: Micros | undefined): string | null {
  return value === undefined ? null : formatMicros(value);
}

function amounts(lines: readonly AmountLine[] | undefined): WireAmount[] | null {
  return lines?.map(({ code, name, amountCents }) => ({ code, name, amount: formatCents(amountCents) })) ?? null;
}

/** What the carrier said; of a fault, what is known of it, so that the lite form tells a no from a fault as well. */
function presentMessages(rate: StoredRate): WireMessage[] | null {
  const messages = (rate.answer?.messages ?? []).map(({ level, code, message, field }) => ({
    level,
    code,
    message,
    field: field ?? null,
  }));
  const error = rate.answer?.error;
  if (error !== undefined) messages.push({ level: 'error', code: error.code, message: error.message, field: null });
  return messages.length === 0 ? null : messages;
}
