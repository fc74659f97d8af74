import type { JsonObject } from '@leeward/terms';
import type { CarrierCallback } from './ports/carrier-adapter.ts';
import type { CallbackFate, CarrierBacklog, CarrierRest, RateEvent } from './ports/quote-store.ts';
import type { CarriersResponse, ProductsResponse } from './present/catalog.ts';
import type { QuoteComparison } from './present/comparison.ts';
import type { QuoteEventMessage } from './present/event.ts';
import type { CreatedQuoteResponse, QuoteStatusResponse } from './present/quote-status.ts';
import type { FullRate } from './present/rate.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

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

/** A carrier that was named by key or name, and whether anything changed for it. */
export interface CarrierChanged {
  readonly carrierKey: string;
  readonly changed: boolean;
}

/** Quoting for many teams. Answers are as they go over the wire; what is not the team's own is undefined. */
export interface Quotes extends AsyncDisposable {
  /**
   * Checks a request, stores the quote with all its rates, and has the carriers asked.
   *
   * `admit` is told how many rates there will be, once the request is known to be good and before anything is stored; what
   * it throws or rejects with ends the request. It is not asked where an earlier quote is answered again.
   *
   * @throws {InvalidQuoteRequestError} with all faults.
   * @throws {IdempotencyConflictError} when the key was used with another body, which is looked up before all else.
   */
  create(
    teamId: string,
    body: unknown,
    options?: {
      readonly idempotencyKey?: string | undefined;
      readonly admit?: ((rates: number) => void | Promise<void>) | undefined;
    },
  ): Promise<CreatedQuoteResponse>;
  /** @param quoteId either identifier. */
  status(
    teamId: string,
    quoteId: string,
    options?: { readonly includeRates?: boolean | undefined },
  ): Promise<QuoteStatusResponse | undefined>;
  /** The rates of a quote side by side: premiums by worth, coverages, deductibles and fees by code. */
  compare(teamId: string, quoteId: string): Promise<QuoteComparison | undefined>;
  rate(teamId: string, rateId: string): Promise<FullRate | undefined>;
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

  /**
   * Leaves a carrier alone, in all processes, until it is resumed: what is under way is finished, the rest waits while its
   * time lasts. Undefined where there is no such carrier.
   */
  pauseCarrier(carrier: string): Promise<CarrierChanged | undefined>;
  /**
   * Ends a pause, or a rest that the carrier asked for (`Retry-After`), in all processes within half a second: `changed`
   * where there was one. Undefined where there is no such carrier.
   */
  resumeCarrier(carrier: string): Promise<CarrierChanged | undefined>;
  /** The carriers that are left alone now. */
  carrierRests(): Promise<readonly CarrierRest[]>;

  /** What waits for its turn, carrier by carrier, of all teams and processes. */
  backlog(): Promise<readonly CarrierBacklog[]>;

  products(): ProductsResponse;
  carriers(teamId: string): Promise<CarriersResponse>;
  /** JSON Schema of `fields` of a product, by default of homes; undefined where there is no such product. */
  fieldReference(product?: string): JsonObject | undefined;

  /**
   * Begins to repair and forget, and, unless `work` is false, to ask carriers in this process. Without it quotes can be
   * made and read; with a queue that reaches other processes, these do the work.
   */
  start(options?: { readonly work?: boolean | undefined }): Promise<void>;
  /** One round of repairs now, as every process does each half second. */
  sweep(): Promise<void>;
  /** Resolves when the store and the queue answer; rejects with what is wrong. */
  ready(): Promise<void>;
  /** Takes no more work, lets carriers answer for `graceMs` (default 10,000), hands back the rest. Does not close the database. */
  stop(options?: { readonly graceMs?: number | undefined }): Promise<void>;
}
