import type { JsonObject } from '@leeward/terms';
import type { QuoteDocument } from '../documents/documents.ts';
import type { CarrierCallback } from '../ports/carrier-adapter.ts';
import type { CarriersResponse, ProductsResponse } from '../present/catalog.ts';
import type { QuoteComparison } from '../present/comparison.ts';
import type { QuoteEventMessage } from '../present/event.ts';
import type { CreatedQuoteResponse, QuoteStatusResponse } from '../present/quote-status.ts';
import type { FullRate } from '../present/rate.ts';
import type { CallbackFate } from '../store/callbacks.ts';
import type { CarrierBacklog } from '../store/hand-out.ts';
import type { FailureCount } from '../store/read-failed-rates.ts';
import type { RateEvent } from '../store/read-quotes.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { OperatorActions } from './operator-actions.ts';

/** Result of erasing an insured person. */
export interface ErasedInsured {
  /** `quote_request_id` of each erased quote. */
  readonly erased: readonly string[];
  /** Number of quotes whose fields cannot be decrypted. */
  readonly unreadable: number;
}

/** An event with its id, which is the same at each delivery. */
export interface TaggedEvent {
  readonly id: string;
  readonly message: QuoteEventMessage;
}

/** The events of a quote. Waiting for an event needs no connection. */
export interface QuoteEvents {
  /** Resolves with the next event, in order and without a gap; undefined when ended. Await it before the next call. */
  next(): Promise<TaggedEvent | undefined>;
  end(): void;
}

/** Options of creating a quote. */
export interface CreateOptions {
  /** A repeated request with this key returns the first quote, for 24 hours. @default none */
  readonly idempotencyKey?: string | undefined;
  /**
   * Called with the number of rates, after the request is checked and before it is stored. An error that it throws ends the
   * request. Not called for a repeated request. @default accepts every request
   */
  readonly admit?: ((rates: number) => void | Promise<void>) | undefined;
}

/** Quoting for many teams. Methods return the wire format, and undefined for quotes of other teams. */
export interface Quotes extends AsyncDisposable, OperatorActions {
  /**
   * Checks a request, stores the quote with all its rates, and calls the carriers in the background.
   *
   * @throws {InvalidQuoteRequestError} with all faults.
   * @throws {IdempotencyConflictError} if the key was used with another body; checked first.
   */
  create(teamId: string, body: unknown, options?: CreateOptions): Promise<CreatedQuoteResponse>;
  /**
   * Creates a quote from an earlier one with changes: `changes` may have `fields` (key by key; null removes one), `form_types`,
   * `carrier_keys` and `assigned_producer_email`. If a carrier's request does not change, its valid answer is carried over
   * (`carried_from`), and a rate in progress is skipped (`in_progress`). Undefined if there is no such quote.
   *
   * @throws {InvalidQuoteRequestError} with all faults, also if the personal data of the quote was erased.
   * @throws {IdempotencyConflictError} see `create`.
   */
  requote(
    teamId: string,
    quoteId: string,
    changes: unknown,
    options?: CreateOptions,
  ): Promise<CreatedQuoteResponse | undefined>;
  /** @param quoteId `quote_request_id` or `service_quote_id`. */
  status(
    teamId: string,
    quoteId: string,
    options?: { readonly includeRates?: boolean | undefined },
  ): Promise<QuoteStatusResponse | undefined>;
  /** Compares the rates of a quote: premiums by type, coverages, deductibles and fees by code. */
  compare(teamId: string, quoteId: string): Promise<QuoteComparison | undefined>;
  rate(teamId: string, rateId: string): Promise<FullRate | undefined>;
  /**
   * Requests a document of a rate from the carrier. Resolves at its first bytes; the signal aborts it until then, `close`
   * afterwards. No copy is stored. Undefined if there is no such document.
   *
   * @throws {DocumentError} if it cannot be opened. Reading rejects with one if the transfer breaks off.
   */
  openDocument(
    teamId: string,
    rateId: string,
    documentId: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<QuoteDocument | undefined>;
  /** Status changes of a rate, oldest first. */
  history(teamId: string, rateId: string): Promise<readonly RateEvent[] | undefined>;
  /**
   * Follows a quote: events after `after` (the id or number of an event; omitted, all events), then new events of any process.
   *
   * @throws {InvalidQuoteRequestError} if `after` is not an event of this quote.
   */
  events(
    teamId: string,
    quoteId: string,
    options?: { readonly after?: string | undefined },
  ): Promise<QuoteEvents | undefined>;
  /** Endpoints that receive events. */
  readonly webhooks: Webhooks;
  /** Ends all followers in this process. Call it before a server stops. */
  endEvents(): Promise<void>;
  /** Ends unfinished rates as `cancelled` and aborts calls in progress. */
  cancel(teamId: string, quoteId: string): Promise<QuoteStatusResponse | undefined>;
  /**
   * Replaces a rate that ended with `error.retryable` by a new one.
   *
   * @throws {RateNotRetryableError} if the rate is not retryable.
   */
  retry(teamId: string, rateId: string): Promise<FullRate | undefined>;
  /**
   * Accepts a carrier's callback about a pending answer, after the adapter has verified it. A callback is accepted once
   * (`taken`). `replayed`, `late` (the rate no longer waits), `unknown` (no rate waits under this reference) and `refused` (not
   * verified) change nothing. Undefined if the carrier is unknown or has no callbacks.
   */
  receiveCallback(carrierKey: string, callback: CarrierCallback): Promise<CallbackFate | 'refused' | undefined>;
  /** Erases the personal data of a quote. @returns false if there is no such quote, or it was erased before. */
  erase(teamId: string, quoteId: string): Promise<boolean>;
  /**
   * Erases the personal data of all quotes of a team for one insured person, identified by `insured_email`, `insured_phone`, or
   * `last_name` with `insured_date_of_birth`. All given values must match.
   *
   * @throws {InvalidQuoteRequestError} with all faults.
   */
  eraseInsured(teamId: string, insured: unknown): Promise<ErasedInsured>;
  /** Erases the quotes of removed teams now. A sweep does so within a minute. @returns the number of quotes. */
  eraseRemovedTeams(): Promise<number>;

  /** Number and age of waiting rates by carrier, of all teams and processes. */
  backlog(): Promise<readonly CarrierBacklog[]>;
  /** Number of rates that failed in the last day and were not retried, by carrier and outcome, of all teams. */
  failures(): Promise<readonly FailureCount[]>;

  products(): ProductsResponse;
  carriers(teamId: string): Promise<CarriersResponse>;
  /** JSON Schema of `fields` of a product, by default of homes. Undefined if the product is unknown. */
  fieldReference(product?: string): JsonObject | undefined;

  /**
   * Starts sweeps and, unless `work` is false, calls to carriers in this process. With a distributed queue other processes can
   * do the work. Rejects if the store or the queue is unavailable; call it again later.
   */
  start(options?: { readonly work?: boolean | undefined }): Promise<void>;
  /** Sweeps once: hands out due rates, ends expired ones, erases old data. Each process does so every half second. */
  sweep(): Promise<void>;
  /** Resolves if the store and the queue answer; rejects with the reason if not. */
  ready(): Promise<void>;
  /** Stops work: calls have `graceMs` to finish, other rates return to the store. Keeps the database open. @default graceMs 10_000 */
  stop(options?: { readonly graceMs?: number | undefined }): Promise<void>;
}
