import { type FormType, formatCents, formatMicros } from '@leeward/terms';
import type { Outcome } from '../ports/outcome.ts';
import type { CarrierChange } from '../store/closures.ts';
import type { EventType, StoredEvent } from '../store/read-outbox.ts';
import type { StoredQuote } from '../store/read-quotes.ts';
import { presentHomeChange, type WireHomeChange } from './watched-home.ts';

/** An event in webhooks and streams, without personal data; read details from the API. */
export interface QuoteEventMessage {
  readonly type: EventType;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: {
    readonly quote_request_id: string;
    readonly service_quote_id: string;
    /** 1, 2, 3 … within the quote, in order. */
    readonly number: number;
    /** State after the event; null for an event of the whole quote. */
    readonly rate: EventRate | null;
    /** Carriers that storms or other events closed or reopened for the home; only in `quote.affected`. */
    readonly carriers?: readonly EventCarrier[];
  };
}

/** A rate after its event, in wire names. */
export interface EventRate {
  readonly id: string;
  readonly carrier_key: string;
  readonly carrier: string;
  readonly form_type: FormType;
  readonly status: 'success' | 'error';
  readonly outcome: Outcome;
  /** Two decimals; null without a premium. */
  readonly premium: string | null;
}

/** A carrier that events closed, or that is open again. */
export interface EventCarrier {
  readonly rate_id: string;
  readonly carrier_key: string;
  readonly carrier: string;
  readonly form_type: FormType;
  readonly change: 'closed' | 'reopened';
  /** Rules that close it; empty if it is open again. */
  readonly reasons: readonly { readonly code: string; readonly message: string }[];
}

/** Constant over deliveries, so that receivers can drop duplicates. */
export function eventId({ quoteId, number }: Pick<StoredEvent, 'quoteId' | 'number'>): string {
  return `${quoteId}_${number}`;
}

/** Accepts an event id of this quote, or a number. */
export function eventNumber(quoteId: string, text: string): number | undefined {
  const [, of, number] = /^(?:([\w-]{1,64})_)?(\d{1,9})$/.exec(text) ?? [];
  return number === undefined || (of !== undefined && of !== quoteId) ? undefined : Number(number);
}

/** A change of a watched home in webhooks. */
export interface HomeEventMessage {
  readonly type: EventType;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: {
    readonly watched_home_id: string;
    /** The one the home was created with; null if its key is not configured. */
    readonly reference: string | null;
    /** 1, 2, 3 … within the home, in order. */
    readonly number: number;
    readonly changes: readonly WireHomeChange[];
  };
}

export function presentHomeEvent({
  quoteId,
  type,
  at,
  number,
  reference,
  changes = [],
}: StoredEvent): HomeEventMessage {
  return {
    type,
    timestamp: formatMicros(at),
    data: {
      watched_home_id: quoteId,
      reference: reference ?? null,
      number,
      changes: changes.map(presentHomeChange),
    },
  };
}

export function presentEvent(event: StoredEvent, quote: Pick<StoredQuote, 'id' | 'serviceQuoteId'>): QuoteEventMessage {
  const { type, at, number, rate, carriers } = event;
  return {
    type,
    timestamp: formatMicros(at),
    data: {
      quote_request_id: quote.id,
      service_quote_id: quote.serviceQuoteId,
      number,
      rate:
        rate === undefined
          ? null
          : {
              id: rate.id,
              carrier_key: rate.carrierKey,
              carrier: rate.carrier,
              form_type: rate.formType,
              status: rate.status,
              outcome: rate.outcome,
              premium: rate.premiumCents === undefined ? null : formatCents(rate.premiumCents),
            },
      ...(carriers && { carriers: carriers.map(presentCarrier) }),
    },
  };
}

function presentCarrier({ rateId, carrierKey, carrier, formType, change, reasons }: CarrierChange): EventCarrier {
  return {
    rate_id: rateId,
    carrier_key: carrierKey,
    carrier,
    form_type: formType,
    change,
    reasons: reasons.map(({ code, message }) => ({ code, message })),
  };
}
