import type { JsonObject } from '@leeward/terms';
import type { QuoteDocument } from '../documents/documents.ts';
import type { CarrierCallback } from '../ports/carrier-adapter.ts';
import type { CarriersResponse, ProductsResponse } from '../present/catalog.ts';
import type { QuoteComparison } from '../present/comparison.ts';
import type { QuoteEventMessage } from '../present/event.ts';
import type { Indications } from '../present/indications.ts';
import type { QuoteList } from '../present/quote-list.ts';
import type { CreatedQuoteResponse, QuoteStatusResponse } from '../present/quote-status.ts';
import type { FullRate } from '../present/rate.ts';
import type { CallbackFate } from '../store/callbacks.ts';
import type { CarrierBacklog } from '../store/hand-out.ts';
import type { FailureCount } from '../store/read-failed-rates.ts';
import type { RateEvent } from '../store/read-quotes.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { OperatorActions } from './operator-actions.ts';
import type { WatchedHomes } from './watched-homes.ts';

/** Result of erasing an insured person. */
export interface ErasedInsured {
  /** `quote_request_id` of each. */
  readonly erased: readonly string[];
  /** Quotes that cannot be decrypted. */
  readonly unreadable: number;
}

/** An event with its id, the same at each delivery. */
export interface TaggedEvent {
  readonly id: string;
  readonly message: QuoteEventMessage;
}

/** The events of a quote; waiting needs no connection. */
export interface QuoteEvents {
  /** Resolves with the next event, in order and without a gap; undefined at the end. Await it before the next call. */
  next(): Promise<TaggedEvent | undefined>;
  end(): void;
}

/** Options of creating a quote. */
export interface CreateOptions {
  /** A repeated request with this key returns the first quote, for 24 hours. @default none */
  readonly idempotencyKey?: string | undefined;
  /**
   * Called with the number of rates between check and storage; an error ends the request. Not called for a repeated request. @default
   * accepts every request
   */
  readonly admit?: ((rates: number) => void | Promise<void>) | undefined;
}

/** Selection of a comparison. */
export interface CompareOptions {
  /** In any spelling. @default all */
  readonly formType?: string | undefined;
  /** Only lines in which rates differ from one another or from the request. @default false */
  readonly differencesOnly?: boolean | undefined;
  /** Adds name and address of the insured. @default false */
  readonly showsInsured?: boolean | undefined;
}

/** Filters and position of a list of quotes. */
export interface QuoteListOptions {
  /** @default all products */
  readonly product?: string | undefined;
  /** @default both */
  readonly status?: 'processing' | 'complete' | undefined;
  /** 1 to 200. @default 50 */
  readonly limit?: number | undefined;
  /** `next` of the previous page. @default the first page */
  readonly cursor?: string | undefined;
  /** Adds name and address of the insured. @default false */
  readonly showsInsured?: boolean | undefined;
}

/** Quoting for many teams. Methods return the wire format; undefined for quotes of other teams. */
export interface Quotes extends AsyncDisposable, OperatorActions {
  /**
   * Stores the quote with all its rates and calls the carriers in the background. @throws {InvalidQuoteRequestError} with all faults.
   * @throws {IdempotencyConflictError} if the key was used with another body; checked first.
   */
  create(teamId: string, body: unknown, options?: CreateOptions): Promise<CreatedQuoteResponse>;
  /**
   * Creates a quote from an earlier one: `changes` may have `fields` (key by key; null removes one), `form_types`, `carrier_keys`,
   * `priority` and `assigned_producer_email`. A carrier whose request does not change carries its valid answer over (`carried_from`); its rate in
   * progress is skipped (`in_progress`). @throws {InvalidQuoteRequestError} with all faults, also if the personal data was erased.
   * @throws {IdempotencyConflictError} see `create`.
   */
  requote(
    teamId: string,
    quoteId: string,
    changes: unknown,
    options?: CreateOptions,
  ): Promise<CreatedQuoteResponse | undefined>;
  /** Newest first. @throws {InvalidQuoteRequestError} if `product` is unknown or `cursor` malformed. */
  list(teamId: string, options?: QuoteListOptions): Promise<QuoteList>;
  /** @param quoteId `quote_request_id` or `service_quote_id`. */
  status(
    teamId: string,
    quoteId: string,
    options?: { readonly includeRates?: boolean | undefined },
  ): Promise<QuoteStatusResponse | undefined>;
  /**
   * Premiums by type; coverages, deductibles, endorsements and fees by code. @throws {InvalidQuoteRequestError} if the form type is
   * unknown.
   */
  compare(teamId: string, quoteId: string, options?: CompareOptions): Promise<QuoteComparison | undefined>;
  rate(teamId: string, rateId: string): Promise<FullRate | undefined>;
  /**
   * Requests a document from the carrier; no copy is stored. Resolves at its first bytes; the signal aborts it until then, `close`
   * afterwards. @throws {DocumentError} if it cannot be opened. Reading rejects with one if the transfer breaks off.
   */
  openDocument(
    teamId: string,
    rateId: string,
    documentId: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<QuoteDocument | undefined>;
  /** Transitions, oldest first. */
  history(teamId: string, rateId: string): Promise<readonly RateEvent[] | undefined>;
  /**
   * Events after `after` (an id or number; omitted, all), then new events of any process. @throws {InvalidQuoteRequestError} if `after`
   * is not an event of this quote.
   */
  events(
    teamId: string,
    quoteId: string,
    options?: { readonly after?: string | undefined },
  ): Promise<QuoteEvents | undefined>;
  readonly webhooks: Webhooks;
  /** Undefined without `homeVerdicts`. */
  readonly watchedHomes: WatchedHomes | undefined;
  /** Ends all followers in this process, before a server stops. */
  endEvents(): Promise<void>;
  /** Ends unfinished rates as `cancelled` and aborts calls. */
  cancel(teamId: string, quoteId: string): Promise<QuoteStatusResponse | undefined>;
  /** Replaces a rate that ended with `error.retryable`. @throws {RateNotRetryableError} */
  retry(teamId: string, rateId: string): Promise<FullRate | undefined>;
  /**
   * Accepts a verified callback about a pending answer, once (`taken`). `replayed`, `late` (no longer waiting), `unknown` (no such
   * reference) and `refused` (not verified) change nothing. Undefined if the carrier is unknown or has no callbacks.
   */
  receiveCallback(carrierKey: string, callback: CarrierCallback): Promise<CallbackFate | 'refused' | undefined>;
  /** Erases personal data. @returns false if there is no such quote, or it was erased before. */
  erase(teamId: string, quoteId: string): Promise<boolean>;
  /**
   * Erases a team's quotes for one insured person: `insured_email`, `insured_phone`, or `last_name` with `insured_date_of_birth`. All
   * given values must match. `pause` is waited for after each 20 quotes; with false it ends early. @throws {InvalidQuoteRequestError} with all faults.
   */
  eraseInsured(
    teamId: string,
    insured: unknown,
    options?: { readonly pause?: () => Promise<boolean> },
  ): Promise<ErasedInsured>;
  /** Sweeps do so within a minute. @returns the number of quotes. */
  eraseRemovedTeams(): Promise<number>;

  /** Waiting rates by carrier, of all teams and processes. */
  backlog(): Promise<readonly CarrierBacklog[]>;
  /** Rates that failed in the last day without a retry, by carrier and outcome, of all teams. */
  failures(): Promise<readonly FailureCount[]>;

  /**
   * Estimates premiums from fields that may be incomplete. Stores nothing and calls no carrier. @throws {InvalidQuoteRequestError} with
   * all faults.
   */
  indicate(
    teamId: string,
    home: { readonly formTypes: readonly string[]; readonly fields: unknown },
  ): Promise<Indications>;

  products(): ProductsResponse;
  carriers(teamId: string): Promise<CarriersResponse>;
  /** JSON Schema of `fields`, by default of homes. Undefined if the product is unknown. */
  fieldReference(product?: string): JsonObject | undefined;

  /**
   * Starts sweeps and, unless `work` is false, carrier calls in this process. Rejects if the store or queue is unavailable; call it
   * again later.
   */
  start(options?: { readonly work?: boolean | undefined }): Promise<void>;
  /** Hands out due rates, ends expired ones, erases old data. Runs every half second. */
  sweep(): Promise<void>;
  /** Rejects with the reason if the store or queue does not answer. */
  ready(): Promise<void>;
  /** Calls have `graceMs` to finish; other rates return to the store. Keeps the database open. @default graceMs 10_000 */
  stop(options?: { readonly graceMs?: number | undefined }): Promise<void>;
}
