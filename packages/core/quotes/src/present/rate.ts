import type { FormType, ProductCode } from '@leeward/terms';
import { formatCents, formatMicros, type Micros } from '@leeward/terms';
import type {
  AmountLine,
  ComparedTerm,
  Inclusion,
  OpenRequirement,
  RateType,
  Settlement,
} from '../ports/carrier-adapter.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { StoredQuote, StoredRate } from '../store/read-quotes.ts';

/** A queued rate is `processing`. */
export type WireStatus = 'processing' | 'success' | 'error';

/** The short form, for `include_rates: false`. */
export interface LiteRate {
  readonly id: string;
  readonly status: WireStatus;
  /** Two decimals; null without a premium. */
  readonly premium: string | null;
  readonly carrier_quote_number: string | null;
  readonly carrier_quote_url: string | null;
  readonly carrier_response_messages: readonly WireMessage[] | null;
  readonly carrier: string;
  readonly form_type: FormType;
  readonly request_id: string;
  readonly created_at: string;
}

/** A rate with all its details. */
export interface FullRate extends LiteRate {
  readonly carrier_key: string;
  readonly product_code: ProductCode;
  readonly outcome: Outcome | null;
  readonly attempts: number;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly coverages: readonly WireCoverage[] | null;
  readonly deductibles: readonly WireCoverage[] | null;
  readonly endorsements: readonly WireCoverage[] | null;
  /** Terms of the carrier's rules, and whether the rate satisfies them. */
  readonly terms: readonly WireTerm[];
  readonly fees: readonly WireAmount[] | null;
  readonly effective_date: string;
  readonly expires_at: string | null;
  readonly error: { readonly code: string; readonly message: string; readonly retryable: boolean } | null;
  /** Null without a premium. */
  readonly rate_type: RateType | null;
  readonly subject_to: readonly OpenRequirement[] | null;
  readonly bridge_url: string | null;
  readonly documents: readonly WireDocument[] | null;
  readonly pending_since: string | null;
  /** The rate that this one replaces. */
  readonly retry_of: string | null;
  /** The rate whose answer was carried over. */
  readonly carried_from: string | null;
}

/** A carrier's message. */
export interface WireMessage {
  readonly level: 'info' | 'warning' | 'error';
  readonly code: string;
  readonly message: string;
  readonly field: string | null;
}

/** A document, without its address. */
export interface WireDocument {
  readonly document_id: string;
  readonly title: string;
  readonly media_type: string;
}

/** Dollars as text with two decimals. */
export interface WireAmount {
  readonly code: string;
  readonly name: string;
  readonly amount: string;
}

/** A coverage, a deductible or an endorsement: an amount, a percentage of a coverage, an inclusion or a settlement. */
export interface WireCoverage extends CoverageValue {
  readonly code: string;
  readonly name: string;
}

/** Value of a coverage; null where not stated. */
export interface CoverageValue {
  /** Dollars as text with two decimals; computed for a percentage of a listed coverage. */
  readonly amount: string | null;
  readonly percent: number | null;
  /** Code of a coverage. */
  readonly percent_of: string | null;
  readonly inclusion: Inclusion | null;
  readonly settlement: Settlement | null;
}

/** A term of the carrier's rules. */
export interface WireTerm {
  readonly name: string;
  readonly text: string;
  readonly result: ComparedTerm['result'];
  /** Value of the rate; null if not stated. */
  readonly value: number | string | boolean | null;
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
    coverages: coverages(answer?.coverages),
    deductibles: coverages(answer?.deductibles),
    endorsements: coverages(answer?.endorsements),
    terms: presentTerms(answer?.constraints),
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
  return lines?.map(({ code, name, amountCents }) => ({ code, name, amount: formatCents(amountCents ?? 0n) })) ?? null;
}

function coverages(lines: readonly AmountLine[] | undefined): WireCoverage[] | null {
  return lines?.map(({ code, name, ...value }) => ({ code, name, ...presentCoverage(value) })) ?? null;
}

export function presentCoverage(value: Omit<AmountLine, 'code' | 'name'>): CoverageValue {
  const { amountCents, percent, percentOf, inclusion, settlement } = value;
  return {
    amount: amountCents === undefined ? null : formatCents(amountCents),
    percent: percent ?? null,
    percent_of: percent === undefined ? null : (percentOf ?? 'dwelling'),
    inclusion: inclusion ?? null,
    settlement: settlement ?? null,
  };
}

export function presentTerms(terms: readonly ComparedTerm[] = []): WireTerm[] {
  return terms.map(({ name, text, result, value }) => ({ name, text, result, value: value ?? null }));
}

/** Adds a message for a fault, so that the short form distinguishes it from a decline. */
export function presentMessages(rate: StoredRate): WireMessage[] | null {
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
