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
import type { RateEvent } from '../store/read-quotes.ts';
import type { TroubleCount } from '../store/read-troubled.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { OperatorDesk } from './operator-desk.ts';

/** What erasing an insured came to. */
export interface ErasedInsured {
  /** `quote_request_id`s. */
  readonly erased: readonly string[];
  readonly unreadable: number;
}

/** An event with its id, which is the same however often it is told. */
export interface TaggedEvent {
  readonly id: string;
  readonly message: QuoteEventMessage;
}

/** What happens to a quote, for one who follows it. It holds no connection and no slot of work while it waits. */
export interface QuoteEvents {
  /** Resolves with the next event, in order and without a gap; undefined when it was ended. Ask for one at a time. */
  next(): Promise<TaggedEvent | undefined>;
  end(): void;
}

/** How a quote is taken in. */
export interface CreateOptions {
  readonly idempotencyKey?: string | undefined;
  /** Told how many rates there will be, before anything is stored; what it throws ends the request. */
  readonly admit?: ((rates: number) => void | Promise<void>) | undefined;
}

/** Quoting for many teams. Answers are as they go over the wire; what is not the team's own is undefined. */
export interface Quotes extends AsyncDisposable, OperatorDesk {
  /**
   * Checks a request, stores the quote with all its rates, and has the carriers asked.
   *
   * `admit` is told how many rates there will be, once the request is known to be good and before anything is stored; what
   * it throws or rejects with ends the request. It is not asked where an earlier quote is answered again.
   *
   * @throws {InvalidQuoteRequestError} with all faults.
   * @throws {IdempotencyConflictError} when the key was used with another body, which is looked up before all else.
   */
  create(teamId: string, body: unknown, options?: CreateOptions): Promise<CreatedQuoteResponse>;
  /**
   * Makes a quote again with changes: `changes` may have `fields` (key by key; null takes one away), `form_types`,
   * `carrier_keys` and `assigned_producer_email`. Rates whose carrier is asked nothing new are taken over with their answers
   * while these are valid (`carried_from`); those that the earlier quote still waits for are left to it
   * (`skipped`, `in_progress`). Undefined where there is no such quote.
   *
   * @throws {InvalidQuoteRequestError} with all faults, also where its personal data was erased.
   * @throws {IdempotencyConflictError} as of `create`.
   */
  requote(
    teamId: string,
    quoteId: string,
    changes: unknown,
    options?: CreateOptions,
  ): Promise<CreatedQuoteResponse | undefined>;
  /** @param quoteId either identifier. */
  status(
    teamId: string,
    quoteId: string,
    options?: { readonly includeRates?: boolean | undefined },
  ): Promise<QuoteStatusResponse | undefined>;
  /** The rates of a quote side by side: premiums by worth, coverages, deductibles and fees by code. */
  compare(teamId: string, quoteId: string): Promise<QuoteComparison | undefined>;
  rate(teamId: string, rateId: string): Promise<FullRate | undefined>;
  /**
   * Has the carrier send a document of a rate, now: nothing of it is kept. Resolves when its first bytes are there; the
   * signal gives it up until then, closing it afterwards. Undefined where there is no such document.
   *
   * @throws {DocumentError} where it cannot be opened; reading it rejects with one where it breaks off.
   */
  openDocument(
    teamId: string,
    rateId: string,
    documentId: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<QuoteDocument | undefined>;
  /** The changes of a rate's status, oldest first. */
  history(teamId: string, rateId: string): Promise<readonly RateEvent[] | undefined>;
  /**
   * Follows a quote: what has happened behind the event `after` (an id of one, or its number; left out, all), then what
   * happens, in whichever process.
   *
   * @throws {InvalidQuoteRequestError} where `after` is no event of this quote.
   */
  events(
    teamId: string,
    quoteId: string,
    options?: { readonly after?: string | undefined },
  ): Promise<QuoteEvents | undefined>;
  /** Endpoints that are told of events. */
  readonly webhooks: Webhooks;
  /** Ends all that is followed in this process, now: before a server stops. */
  endEvents(): Promise<void>;
  /** Ends what has not ended as `cancelled`; calls under way are broken off. */
  cancel(teamId: string, quoteId: string): Promise<QuoteStatusResponse | undefined>;
  /**
   * Puts a new rate in the place of one that ended with `error.retryable`.
   *
   * @throws {RateNotRetryableError} otherwise.
   */
  retry(teamId: string, rateId: string): Promise<FullRate | undefined>;
  /**
   * A message from a carrier about an answer that it owes, verified by the carrier's adapter before anything else is done
   * with it. Each is taken once: `replayed`, `late` (the rate waits no more), `unknown` (nothing of this carrier waits under
   * its reference) and `refused` (not verified) change nothing. Undefined where there is no such carrier, or it has no callbacks.
   */
  receiveCallback(carrierKey: string, callback: CarrierCallback): Promise<CallbackFate | 'refused' | undefined>;
  /** Erases the personal data of a quote now. False where there is no such quote, or nothing left to erase. */
  erase(teamId: string, quoteId: string): Promise<boolean>;
  /**
   * Erases the personal data of all quotes of a team for one insured: `insured_email`, `insured_phone`, or `last_name` with
   * `insured_date_of_birth`, and what else of these is given must fit as well. `unreadable` counts quotes whose key is not
   * at hand.
   *
   * @throws {InvalidQuoteRequestError} with all faults.
   */
  eraseInsured(teamId: string, insured: unknown): Promise<ErasedInsured>;
  /** Erases now what is erased within a minute anyway: the quotes of teams that are no more. @returns how many. */
  eraseRemovedTeams(): Promise<number>;

  /** What waits for its turn, carrier by carrier, of all teams and processes. */
  backlog(): Promise<readonly CarrierBacklog[]>;
  /** Rates of all teams that ended for a fault in the last day and were not retried, by carrier and outcome. */
  troubles(): Promise<readonly TroubleCount[]>;

  products(): ProductsResponse;
  carriers(teamId: string): Promise<CarriersResponse>;
  /** JSON Schema of `fields` of a product, by default of homes; undefined where there is no such product. */
  fieldReference(product?: string): JsonObject | undefined;

  /**
   * Begins to repair and forget, and, unless `work` is false, to ask carriers in this process. Without it quotes can be
   * made and read; with a queue that reaches other processes, these do the work. Rejects where the store or the queue is out
   * of reach; it may then be tried again.
   */
  start(options?: { readonly work?: boolean | undefined }): Promise<void>;
  /** One round of repairs now, as every process does each half second. */
  sweep(): Promise<void>;
  /** Resolves when the store and the queue answer; rejects with what is wrong. */
  ready(): Promise<void>;
  /** Takes no more work, lets carriers answer for `graceMs` (default 10,000), hands back the rest. Does not close the database. */
  stop(options?: { readonly graceMs?: number | undefined }): Promise<void>;
}
