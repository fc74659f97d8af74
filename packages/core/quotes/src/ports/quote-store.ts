import type { Cents, FormType, JsonObject, Micros, ProductCode } from '@leeward/terms';
import type {
  AmountLine,
  CarrierDocument,
  CarrierLimits,
  CarrierMessage,
  CarrierQuota,
  OpenRequirement,
  RateType,
} from './carrier-adapter.ts';
import type { Outcome } from './outcome.ts';
import type { JobRef } from './queue-backend.ts';
import type { RefusedRetry } from './refused-retry.ts';
import type { StoredEvent } from './stored-event.ts';
import type { FaultOutcome, TroubledQuery, TroubledRate } from './troubled-rate.ts';
import type { WebhookStore } from './webhook-store.ts';

/** Where a rate is on its way. */
export type RateStatus = 'queued' | 'processing' | 'success' | 'error';

export interface NewQuote {
  readonly id: string;
  readonly serviceQuoteId: string;
  readonly teamId: string;
  readonly productCode: ProductCode;
  readonly producerEmail: string;
  readonly effectiveDate: string;
  readonly fields: JsonObject;
  readonly skipped: readonly { readonly carrierKey: string; readonly formType: FormType; readonly code: string }[];
  readonly idempotency: { readonly key: string; readonly bodyHash: string } | undefined;
  readonly rates: readonly {
    readonly id: string;
    readonly carrierKey: string;
    readonly carrier: string;
    readonly formType: FormType;
    /** Among the rates of the quote; left out, its place in this list. */
    readonly position?: number | undefined;
    /** Whether the queue is told of it as soon as it is stored. */
    readonly told: boolean;
  }[];
  /** Rates of an earlier quote that are taken over with their answers, in place of being asked. */
  readonly carried?: readonly { readonly id: string; readonly from: string; readonly position: number }[] | undefined;
  /** The quote that it was made from. */
  readonly requoteOf?: string | undefined;
  /** After so long, counted from now, a rate that has not ended ends as `timed_out`. */
  readonly deadlineMs: number;
}

export interface StoredQuote extends Omit<NewQuote, 'fields' | 'rates' | 'carried' | 'deadlineMs' | 'idempotency'> {
  readonly createdAt: Micros;
  readonly erasedAt: Micros | undefined;
}

/** A rate without its answer: enough for counts and for the lite form. */
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
  readonly attempts: number;
  readonly createdAt: Micros;
  readonly startedAt: Micros | undefined;
  readonly finishedAt: Micros | undefined;
  readonly retryOf: string | undefined;
  readonly supersededBy: string | undefined;
  /** The rate of an earlier quote whose answer this is. */
  readonly carriedFrom?: string | undefined;
  /** Since when its carrier has been at it, with more to come. */
  readonly pendingSince: Micros | undefined;
}

/** What a rate ended with, besides outcome and premium. */
export interface StoredAnswer {
  readonly carrierQuoteNumber?: string | undefined;
  readonly carrierQuoteUrl?: string | undefined;
  readonly bridgeUrl?: string | undefined;
  readonly messages?: readonly CarrierMessage[] | undefined;
  readonly coverages?: readonly AmountLine[] | undefined;
  readonly deductibles?: readonly AmountLine[] | undefined;
  readonly fees?: readonly AmountLine[] | undefined;
  readonly expiresAt?: Micros | undefined;
  readonly rateType?: RateType | undefined;
  readonly subjectTo?: readonly OpenRequirement[] | undefined;
  readonly documents?: readonly StoredDocument[] | undefined;
  /** Of a rate that ended for a fault. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** A document of an answer. */
export interface StoredDocument {
  readonly id: string;
  readonly title: string;
  readonly mediaType: string;
  /** Where it is to be had. Given when it is stored, sealed as fields are; read only by `readDocument`. */
  readonly reference?: Pick<CarrierDocument, 'url' | 'keep'> | undefined;
}

/** A document with its reference, and whose it is. */
export interface FoundDocument {
  readonly document: StoredDocument;
  readonly carrierKey: string;
  readonly quoteId: string;
  readonly rateId: string;
}

/** What waits for its turn at a carrier. */
export interface CarrierBacklog {
  readonly carrierKey: string;
  readonly waiting: number;
  /** Of the rate that waits longest. */
  readonly oldestWaitMs: number;
}

/** Rates of one carrier that ended for a fault in the last day, and were not retried. */
export interface TroubleCount {
  readonly carrierKey: string;
  readonly outcome: FaultOutcome;
  readonly count: number;
}

/** How many of a quota's requests were made in its window of now. */
export interface QuotaUse extends Pick<CarrierQuota, 'per'> {
  readonly carrierKey: string;
  readonly used: number;
}

/** How many more rates the queue of a carrier takes. */
export interface QueueRoom {
  readonly carrierKey: string;
  readonly room: number;
}

/** A quote, in the order of their age. */
export interface OldQuote {
  readonly at: Micros;
  readonly id: string;
}

/** How many quotes were deleted, and the last one looked at; undefined if none is behind it. */
export interface DeletedQuotes {
  readonly count: number;
  readonly next: OldQuote | undefined;
}

/** Processes that are dead, and the leases that they held. */
export interface LostProcesses {
  readonly processes: number;
  readonly leases: number;
}

/** Rates that are handed out to queues. */
export interface HandOut {
  readonly jobs: readonly JobRef[];
  /** The carriers whose room is full: more may be due there. */
  readonly hasMore: ReadonlySet<string>;
}

export interface ClaimRequest extends JobRef {
  /** New for every claim that is made, the same when one is sent again. */
  readonly token: string;
  readonly leaseMs: number;
  /** Whether the carrier is about to be asked, at once: then that is noted with the claim, as `markSent` would. */
  readonly sent: boolean;
}

/** The right to work on a rate, until someone else's claim raises the fence. */
export interface Hold {
  readonly rateId: string;
  readonly fence: number;
}

export interface Sending extends Hold {
  readonly leaseMs: number;
  /** Whether that is to be remembered: false only renews the lease. */
  readonly sent: boolean;
}

export interface ClaimedRate extends Hold {
  readonly quoteId: string;
  readonly teamId: string;
  readonly carrierKey: string;
  readonly formType: FormType;
  readonly productCode: ProductCode;
  readonly producerEmail: string;
  readonly effectiveDate: string;
  /** `unreadable` where the key they were encrypted under is not at hand. */
  readonly fields: JsonObject | 'erased' | 'unreadable';
  /** The rate's id, or the key that it keeps from the rate it retries. */
  readonly idempotencyKey: string;
  /** Claims so far, this one included. */
  readonly attempts: number;
  /** Whether the carrier may have been asked by an earlier claim. */
  readonly sent: boolean;
  readonly remainingMs: number;
  /** Why it went back to the queue, the last time that it did. */
  readonly waitedFor: string | undefined;
  /** What is kept for a carrier that answers later: then it is looked at, not asked. */
  readonly pending: KeptPending | undefined;
}

/** What is kept while a carrier takes its time. */
export interface KeptPending {
  readonly keep: JsonObject;
  /** Looks in vain since the last answer. */
  readonly failures: number;
  /** Digest of the referral that the rate has ended with so far. */
  readonly answered?: string | undefined;
}

/** How a rate waits for its carrier. */
export interface PendingWait extends KeptPending {
  readonly carrierKey: string;
  /** Until the next look; undefined where only a callback wakes it. */
  readonly delayMs: number | undefined;
  /** Undefined leaves the last one. */
  readonly reference: string | undefined;
  /** The whole wait, counted from its beginning. */
  readonly maxPendingMs: number;
}

/** A callback that its carrier's adapter has verified. */
export interface TakenCallback {
  readonly carrierKey: string;
  readonly id: string;
  readonly reference: string;
  /** What the rate ends with; undefined where it is only to be looked at. */
  readonly end: Omit<Ending, 'rateId' | 'fence'> | undefined;
}

/** `unknown`: no rate of this carrier waits, or has waited, under that reference. `late`: it waits no more. */
export type CallbackFate = 'taken' | 'replayed' | 'late' | 'unknown';

export interface Ending extends Hold {
  readonly outcome: Outcome;
  readonly premiumCents: Cents | undefined;
  readonly answer: StoredAnswer;
  readonly retryable: boolean;
  /** Of a referral on which the carrier goes on. */
  readonly follow?: PendingWait | undefined;
  /** As of {@link Release}. */
  readonly mayHaveMade?: boolean | undefined;
}

export interface Release extends Hold {
  readonly delayMs: number;
  /** Whether the carrier may still have been asked: kept by a look-up that is to be repeated. */
  readonly keepSent: boolean;
  /** Whether the claim is not counted as an attempt, because nothing was tried. */
  readonly uncounted: boolean;
  /** True if the carrier may have made something under the rate's key. Undefined keeps the earlier answer. */
  readonly mayHaveMade?: boolean | undefined;
  readonly reason: string;
}

/** One transition of a rate's status; instants in microseconds since 1970. */
export interface RateEvent {
  readonly at: Micros;
  readonly from: RateStatus;
  readonly to: RateStatus;
  readonly reason: string | undefined;
}

/** The events of a quote from the number behind this one on. */
export interface EventsAfter {
  readonly quoteId: string;
  readonly after: number;
}

export type Permit =
  | { readonly granted: true }
  | { readonly granted: false; readonly waitMs: number; readonly usedUp?: UsedQuota | undefined };

/** A quota of which nothing is left. */
export interface UsedQuota extends CarrierQuota {
  /** ISO 8601, in UTC. */
  readonly resetsAt: string;
}

/** What an erasure came to. */
export interface Erased {
  readonly quoteIds: readonly string[];
  /** Rates that had not ended, and have by it. */
  readonly endedRateIds: readonly string[];
}

/** What a quote says of a person. */
export interface PersonalQuote {
  readonly id: string;
  /** Undefined where the key they were encrypted under is not at hand. */
  readonly fields: JsonObject | undefined;
}

/** A carrier that is left alone. */
export interface CarrierRest {
  readonly carrierKey: string;
  /** For so long still; undefined for one that is paused. */
  readonly remainingMs: number | undefined;
}

/**
 * Quotes and their rates, where they outlive a process. Every operation is atomic, and what it acknowledges is on disk;
 * operations on lists may succeed for some and not for others, each by itself. A rate changes its status only with an
 * event row in the same transaction, and never again once it has ended. Rejects when out of reach.
 */
export interface QuoteStore {
  /**
   * Stores a quote with all its rates, `queued` or taken over; or finds that the team used this idempotency key within its
   * 24 hours, or that what was to be taken over has been erased.
   */
  createQuote(
    quote: NewQuote,
  ): Promise<{ readonly createdAt: Micros } | { readonly bodyHash: string; readonly quoteId: string } | 'erased'>;
  findByIdempotencyKey(
    teamId: string,
    key: string,
  ): Promise<{ readonly bodyHash: string; readonly quoteId: string } | undefined>;

  /** By either identifier, within the team. */
  readQuote(teamId: string, id: string): Promise<StoredQuote | undefined>;
  /** A quote's fields; undefined where they are erased, or encrypted under a key that is not at hand. */
  readFields(quoteId: string): Promise<JsonObject | undefined>;
  /** All rates of a quote in their order, those that a retry replaced included. */
  readRates(quoteId: string): Promise<StoredRate[]>;
  readRate(
    teamId: string,
    rateId: string,
  ): Promise<{ readonly rate: StoredRate; readonly quote: StoredQuote } | undefined>;
  /** `erased` of any document of a quote that was erased; `unreadable` where the key of its reference is not at hand. */
  readDocument(
    teamId: string,
    rateId: string,
    documentId: string,
  ): Promise<FoundDocument | 'erased' | 'unreadable' | undefined>;
  readEvents(rateId: string): Promise<RateEvent[]>;
  /** What happened to these quotes, in order a quote, at most `limit` events of each. */
  readOutbox(wanted: readonly EventsAfter[], limit: number): Promise<StoredEvent[]>;
  /** Who is told of events, and of which still. */
  readonly webhooks: WebhookStore;
  /** The same number for as long as nothing was written, by whomever; undefined where that cannot be told cheaply. */
  changes(): number | undefined;
  /** Tells other processes that there are events of these quotes. It may go by unheard. */
  announce(quoteIds: readonly string[]): Promise<void>;
  /** Hears what others announce; `all` where something may have been missed. @returns how to end it. */
  hear(told: (quoteIds: readonly string[] | 'all') => void): Promise<() => Promise<void>>;

  /**
   * Hands out due rates, fairly among the teams that have some, until each carrier's room is full or nothing is due there.
   * No other process is handed the same rate for `againMs`. Rates that were handed out that long ago and that nobody has
   * claimed are returned as well, whatever the room.
   */
  takeDue(options: { readonly queues: readonly QueueRoom[]; readonly againMs: number }): Promise<HandOut>;
  /** How many rates of each carrier are handed out and not claimed yet. Carriers with none are left out. */
  countHandedOut(): Promise<ReadonlyMap<string, number>>;
  /** Makes rates due that were taken and not enqueued, or that are to wait. */
  putOff(jobs: readonly JobRef[], delayMs: number): Promise<void>;
  /** Raises the fence and takes the lease of rates that are queued or whose lease ran out, under the fence the job names. */
  claim(claims: readonly ClaimRequest[]): Promise<(ClaimedRate | undefined)[]>;
  /** Notes that the carrier is about to be asked, and renews the lease. False where the hold is lost: then it must not be asked. */
  markSent(sendings: readonly Sending[]): Promise<boolean[]>;
  /** Ends rates. False where the hold is lost. */
  finish(endings: readonly Ending[]): Promise<boolean[]>;
  /** Puts rates back in the queue. False where the hold is lost. */
  release(releases: readonly Release[]): Promise<boolean[]>;
  /** Gives rates back that wait for their carrier, with what is kept meanwhile. False where the hold is lost. */
  keepPending(waits: readonly (Hold & PendingWait)[]): Promise<boolean[]>;
  /** Takes a callback once: ends the rate that waits for it, or makes it due. */
  takeCallback(callback: TakenCallback): Promise<{ readonly fate: CallbackFate; readonly rateId?: string | undefined }>;
  /** What waits for its turn; carriers for which nothing does are left out. */
  readBacklog(): Promise<CarrierBacklog[]>;
  /** Rates that ended for a fault in the last day, and were not retried, by carrier and outcome. */
  countTroubled(): Promise<TroubleCount[]>;
  /** Quotas of carriers that were asked in the window of now. */
  readQuotas(): Promise<QuotaUse[]>;
  /** Which of these holds are lost: cancelled, ended or claimed by another. */
  findLost(holds: readonly Hold[]): Promise<Hold[]>;
  /**
   * Notices where the store's clock was set and moves what waits with it, so that nobody waits longer for it and nobody
   * loses a lease. @returns the jump in milliseconds where this call moved something, else 0.
   */
  followClock(): Promise<number>;
  /**
   * Notes that this process is alive, and ends the leases of processes that have not been heard of for 8 s: their rates are
   * due, under the fence that they have. To be called about every second.
   */
  followProcesses(): Promise<LostProcesses>;
  /** This process stops, and holds nothing any more. */
  leaveProcesses(): Promise<void>;
  /** Ends what is past its deadline and in nobody's hands. @returns how many. */
  expire(limit: number): Promise<number>;

  /** One call to this carrier, if its rate limit allows it now: never more than `calls` in any `perMs`, whoever asks. */
  takePermit(carrierKey: string, limit: NonNullable<CarrierLimits['rateLimit']>): Promise<Permit>;
  /** One request against each of a carrier's quotas, or against none: where one is used up, that says when it resets. */
  takeQuota(carrierKey: string, quotas: readonly CarrierQuota[]): Promise<Permit>;
  /** Leaves a carrier alone for at least so long. */
  restCarrier(carrierKey: string, restMs: number): Promise<void>;
  /** Leaves a carrier alone until its rest is lifted. */
  pauseCarrier(carrierKey: string): Promise<void>;
  /** The carriers that are left alone now. */
  readRests(): Promise<CarrierRest[]>;
  /** Ends a carrier's rest or pause, and makes due what waits for it. @returns whether there was one. */
  liftRest(carrierKey: string): Promise<boolean>;

  /** Ends all unfinished rates of a quote as `cancelled`. @returns their ids. */
  cancelQuote(quoteId: string): Promise<string[]>;
  /**
   * Puts a new rate in the place of one that ended with a retryable fault; with `mayRepeat`, of any that ended for a fault:
   * then the carrier may do its work a second time.
   */
  retryRate(
    rateId: string,
    newId: string,
    options: { readonly deadlineMs: number; readonly told: boolean; readonly mayRepeat: boolean },
  ): Promise<'retried' | RefusedRetry>;
  /** Rates in trouble, of all teams. */
  readTroubled(query: TroubledQuery): Promise<TroubledRate[]>;
  /** Which carriers these rates are of, whosever they are; those that there are not are left out. */
  carriersOfRates(rateIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Makes a rate due now that waits for its next try, or its next look. @returns whether it did. */
  wakeRate(rateId: string): Promise<boolean>;

  /** Erases the personal data of quotes, ending what is unfinished. Those that have none left are passed over. */
  eraseQuotes(quoteIds: readonly string[]): Promise<Erased>;
  /** Overwrites what was erased while others were reading, where that is still to be done. */
  finishErasure(): Promise<void>;
  /**
   * Deletes finished quotes with all that belongs to them, of the `limit` oldest behind `after`. Keeps those of which a rate
   * ended less than `ageMs` ago or may still change, and those that a webhook is owed events of.
   */
  deleteFinished(options: {
    readonly ageMs: number;
    readonly after: OldQuote | undefined;
    readonly limit: number;
  }): Promise<DeletedQuotes>;
  /** Quotes with personal data that are older than this, oldest first. */
  findOlderThan(ageMs: number, limit: number): Promise<string[]>;
  /** A team's quotes with personal data, in the order of their ids, after the one named. */
  readPersonal(teamId: string, after: string, limit: number): Promise<PersonalQuote[]>;
  /** The teams of which there is personal data. */
  teamsWithPersonalData(): Promise<string[]>;
  /** Forgets idempotency keys that have run out, and callbacks so old that nobody would take them. */
  forgetIdempotencyKeys(): Promise<void>;
  /** Resolves when the store answers and can be written to. */
  ping(): Promise<void>;
}
