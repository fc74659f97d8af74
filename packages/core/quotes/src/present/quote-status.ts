import type { FormType } from '@leeward/terms';
import { type Cents, formatCents, formatMicros } from '@leeward/terms';
import { type Outcome, outcomes } from '../ports/outcome.ts';
import type { StoredQuote, StoredRate } from '../store/read-quotes.ts';
import { type FullRate, type LiteRate, presentFullRate, presentLiteRate, type WireStatus, wireStatus } from './rate.ts';

/** Rates by status. */
export type Counts = Readonly<Record<WireStatus, number>>;
/** Rates by outcome. */
export type OutcomeCounts = Readonly<Record<Outcome, number>>;

/** A rate in a list. */
export interface RateIndexEntry {
  readonly id: string;
  readonly status: WireStatus;
  readonly carrier: string;
  readonly carrier_key: string;
  readonly form_type: FormType;
}

/** Response of a status request. */
export interface QuoteStatusResponse {
  readonly quote_request_id: string;
  readonly service_quote_id: string;
  readonly status: 'processing' | 'complete';
  readonly counts: Counts;
  readonly outcomes: OutcomeCounts;
  readonly min_quote: string | null;
  readonly max_quote: string | null;
  readonly rate_index: readonly RateIndexEntry[];
  readonly rates: readonly (LiteRate | FullRate)[];
  /** The earlier quote. */
  readonly requote_of: string | null;
  readonly created_at: string;
  readonly completed_at: string | null;
}

/** Response of a create: the stored state. `complete` if every answer was carried over. */
export interface CreatedQuoteResponse {
  readonly quote_request_id: string;
  readonly service_quote_id: string;
  readonly status: 'processing' | 'complete';
  readonly counts: Counts;
  readonly outcomes: OutcomeCounts;
  readonly rate_index: readonly RateIndexEntry[];
  readonly skipped: readonly { readonly carrier_key: string; readonly form_type: FormType; readonly code: string }[];
  readonly requote_of: string | null;
  readonly created_at: string;
}

/** @param all Rates that a retry replaced do not count. */
export function presentQuoteStatus(
  quote: StoredQuote,
  all: readonly StoredRate[],
  options: { readonly includeRates: boolean },
): QuoteStatusResponse {
  const rates = all.filter((rate) => rate.supersededBy === undefined);
  const counts = countStatuses(rates);
  const quoted = rates.filter((rate) => rate.outcome === 'quoted').map((rate) => rate.premiumCents);
  const premiums = quoted.filter((premium) => premium !== undefined);
  const complete = counts.processing === 0;
  const last = Math.max(quote.createdAt, ...rates.map((rate) => rate.finishedAt ?? 0));
  return {
    quote_request_id: quote.id,
    service_quote_id: quote.serviceQuoteId,
    status: complete ? 'complete' : 'processing',
    counts,
    outcomes: countOutcomes(rates),
    min_quote: extreme(premiums, (a, b) => a < b),
    max_quote: extreme(premiums, (a, b) => a > b),
    rate_index: rates.map(presentIndexEntry),
    rates: rates.map((rate) => (options.includeRates ? presentFullRate(rate, quote) : presentLiteRate(rate))),
    requote_of: quote.requoteOf ?? null,
    created_at: formatMicros(quote.createdAt),
    completed_at: complete ? formatMicros(last) : null,
  };
}

/** Repeated requests return the same response: rates in their initial state. */
export function presentCreatedQuote(quote: StoredQuote, all: readonly StoredRate[]): CreatedQuoteResponse {
  const rates = all
    .filter((rate) => rate.retryOf === undefined)
    .map((rate) =>
      rate.carriedFrom === undefined ? { ...rate, status: 'queued' as const, outcome: undefined } : rate,
    );
  const counts = countStatuses(rates);
  return {
    quote_request_id: quote.id,
    service_quote_id: quote.serviceQuoteId,
    status: counts.processing === 0 ? 'complete' : 'processing',
    counts,
    outcomes: countOutcomes(rates),
    rate_index: rates.map(presentIndexEntry),
    skipped: quote.skipped.map(({ carrierKey, formType, code }) => ({
      carrier_key: carrierKey,
      form_type: formType,
      code,
    })),
    requote_of: quote.requoteOf ?? null,
    created_at: formatMicros(quote.createdAt),
  };
}

function presentIndexEntry(rate: StoredRate): RateIndexEntry {
  const { id, carrier, carrierKey, formType } = rate;
  return { id, status: wireStatus(rate), carrier, carrier_key: carrierKey, form_type: formType };
}

function countStatuses(rates: readonly StoredRate[]): Counts {
  const counts = { processing: 0, success: 0, error: 0 };
  for (const rate of rates) counts[wireStatus(rate)]++;
  return counts;
}

function countOutcomes(rates: readonly StoredRate[]): OutcomeCounts {
  const counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  for (const { outcome } of rates) if (outcome !== undefined) counts[outcome]++;
  return counts;
}

function extreme(premiums: readonly Cents[], better: (a: Cents, b: Cents) => boolean): string | null {
  const [first, ...rest] = premiums;
  if (first === undefined) return null;
  return formatCents(rest.reduce((best, premium) => (better(premium, best) ? premium : best), first));
}
