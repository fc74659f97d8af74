import { type FormType, formatCents, formatMicros, type JsonObject, type ProductCode } from '@leeward/terms';
import type { RateType } from '../ports/carrier-adapter.ts';
import type { ListedQuote } from '../store/list-quotes.ts';
import type { Counts } from './quote-status.ts';

/** A quote in a list. */
export interface QuoteListItem {
  readonly quote_request_id: string;
  readonly service_quote_id: string;
  readonly team_id: string;
  readonly status: 'processing' | 'complete';
  readonly product_code: ProductCode;
  readonly form_types: readonly FormType[];
  readonly effective_date: string;
  /** Empty once the personal data is erased. */
  readonly assigned_producer_email: string;
  readonly counts: Counts;
  readonly min_quote: string | null;
  readonly max_quote: string | null;
  /** The lowest premium among bindable rates, else among quoted ones, else among indications. */
  readonly best_offer: { readonly premium: string; readonly rate_type: RateType } | null;
  /** For example `DM`. Null if the personal data is erased or unreadable. */
  readonly insured_initials: string | null;
  /** Null unless requested. */
  readonly insured: QuoteInsured | null;
  readonly requote_of: string | null;
  readonly created_at: string;
}

/** Name and home of the insured. */
export interface QuoteInsured {
  readonly name: string;
  readonly address: string;
}

/** A page of quotes, newest first. */
export interface QuoteList {
  readonly quotes: readonly QuoteListItem[];
  /** The cursor of the next page; null on the last. */
  readonly next: string | null;
}

export function presentListItem(listed: ListedQuote, showsInsured: boolean): QuoteListItem {
  const { quote, fields, processing, success, error, minCents, maxCents, best } = listed;
  return {
    quote_request_id: quote.id,
    service_quote_id: quote.serviceQuoteId,
    team_id: quote.teamId,
    status: processing === 0 ? 'complete' : 'processing',
    product_code: quote.productCode,
    form_types: listed.formTypes,
    effective_date: quote.effectiveDate,
    assigned_producer_email: quote.producerEmail,
    counts: { processing, success, error },
    min_quote: minCents === undefined ? null : formatCents(minCents),
    max_quote: maxCents === undefined ? null : formatCents(maxCents),
    best_offer: best === undefined ? null : { premium: formatCents(best.cents), rate_type: best.rateType },
    insured_initials: presentInitials(fields),
    insured: fields === undefined || !showsInsured ? null : presentInsured(fields),
    requote_of: quote.requoteOf ?? null,
    created_at: formatMicros(quote.createdAt),
  };
}

const names = ['first_name', 'last_name'];

/** `DM`; null if the fields are erased or unreadable. */
export function presentInitials(fields: JsonObject | undefined): string | null {
  return fields === undefined ? null : textsOf(fields, names).map(initial).join('');
}

export function presentInsured(fields: JsonObject): QuoteInsured {
  const line = (keys: readonly string[]) => textsOf(fields, keys).join(' ');
  const address = [line(['house_number', 'street']), line(['city']), line(['state', 'zipcode'])];
  return { name: line(names), address: address.filter((part) => part !== '').join(', ') };
}

function textsOf(fields: JsonObject, keys: readonly string[]): string[] {
  return keys.map((key) => fields[key]).filter((value) => typeof value === 'string');
}

function initial(name: string): string {
  return [...name.trim()][0]?.toLocaleUpperCase('en-US') ?? '';
}
