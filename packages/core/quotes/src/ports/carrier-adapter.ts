import type { Cents, FormType, JsonObject, ProductCode } from '@leeward/terms';
import type { CarrierExchange } from './carrier-exchange.ts';
import type { AnswerOutcome, Outcome } from './outcome.ts';

/** A carrier that can be called for quotes. */
export interface CarrierAdapter {
  /** Lower-case letters, digits and underscores, for example `bayou_mutual`. Unique in a host. */
  readonly key: string;
  /** For example `Bayou Mutual`. */
  readonly name: string;
  readonly offers: readonly Offer[];
  /**
   * Two calls with one idempotency key do the work once. Otherwise a rate is called at most once, and a lost answer stays unknown unless
   * `lookup` finds it.
   */
  readonly idempotent: boolean;
  readonly limits?: Partial<CarrierLimits> | undefined;
  /** Keys of `fields` that affect its answers: a requote that changes only others reuses the answer. @default all keys */
  readonly fieldsUsed?: readonly string[] | undefined;
  /**
   * Evaluates rules, fetches a token, fills in the request. Runs before the call is recorded and its deadline starts; failures do not
   * count against the carrier. Rejects with a {@link CarrierFault}; other errors count as `not_sent`. `quote` and `lookup` receive the
   * result as `context.prepared`, and prepare again if it is missing.
   */
  prepare?(request: CarrierRequest, context: CallContext): Promise<Preparation>;
  /**
   * Calls the carrier for one rate. Resolves with its answer, also a decline; rejects with a {@link CarrierFault} that states the fate
   * of the request (other errors count as `lost`). Honours `context.signal`.
   */
  quote(request: CarrierRequest, context: CallContext): Promise<CarrierAnswer>;
  /** Looks up an earlier request with the same idempotency key. */
  lookup?(request: CarrierRequest, context: CallContext): Promise<LookupAnswer>;
  /**
   * Polls a `pending` request, or a `referred` one with `pending`, at the times that the answer named or after a callback. May be called
   * any number of times, also after a fault.
   */
  resume?(request: CarrierRequest, context: ResumeContext): Promise<CarrierAnswer>;
  /** Verifies the signature of an untrusted callback and returns the request that it concerns; any error refuses it. */
  verifyCallback?(callback: CarrierCallback): VerifiedCallback | Promise<VerifiedCallback>;
  /**
   * Opens a document that needs credentials. Rejects with a {@link CarrierFault} whose `code` states the reason (for example
   * `http_404`); honours `context.signal`, also while the content is read. @default fetches `url` over https from the public internet
   */
  openDocument?(document: DocumentReference, context: DocumentContext): Promise<OpenedDocument>;
  /** Rating of the carrier's financial strength, for comparisons; a rejection counts as unknown. @default unknown */
  financialStrength?(): FinancialStrength | undefined | Promise<FinancialStrength | undefined>;
  /** Estimates a premium from incomplete fields, without a call. Undefined if they do not suffice. @default no estimates */
  indicate?(request: IndicationRequest): Indication | undefined | Promise<Indication | undefined>;
}

/** A home, without a quote; any field may be missing. */
export type IndicationRequest = Pick<CarrierRequest, 'formType' | 'effectiveDate' | 'fields'>;

/** An estimate of a premium with fees and taxes. */
export interface Indication {
  /** With neutral values for the missing fields. */
  readonly premiumCents: Cents;
  /** Lowest and highest premium over all values of the missing fields. */
  readonly minCents: Cents;
  readonly maxCents: Cents;
  readonly missingFields: readonly string[];
}

/** Rating of a carrier's ability to pay claims. */
export interface FinancialStrength {
  /** Rating agency. */
  readonly agency: string;
  /** For example `A`. */
  readonly rating: string;
  /** `YYYY-MM-DD`. */
  readonly asOf?: string | undefined;
}

/** A message to a carrier's callback address. */
export interface CarrierCallback {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Since 1970. Refuse signatures that are much older or newer. */
  readonly receivedAtMs: number;
}

/** A verified callback. */
export interface VerifiedCallback {
  /** Unique per carrier: each id is accepted once. */
  readonly id: string;
  /** From the `pending` answer. */
  readonly reference: string;
  /** Without it the request is polled (`resume`) now. */
  readonly answer?: CarrierAnswer | undefined;
}

/** How to wait for an answer that takes minutes or days. */
export interface PendingTerms {
  /** State for `resume`, for example a job's address. JSON, up to 16 KiB; encrypted and erased like personal data. */
  readonly keep?: JsonObject | undefined;
  /** @default waits for a callback; 60,000 without a `reference` */
  readonly pollAfterMs?: number | undefined;
  /** Identifies the request in callbacks. */
  readonly reference?: string | undefined;
}

/**
 * A final answer without a call, data for the call, or a wait: the rate is prepared again once the other carriers of the quote have
 * ended, or shortly before its time is over.
 */
export type Preparation =
  | { readonly answer: CarrierAnswer }
  | { readonly prepared: unknown }
  | { readonly waitForOthers: true };

/** Rates of the other carriers in a quote. */
export interface OtherRates {
  readonly rates: readonly OtherRate[];
  /** False once the rate must be decided with the answers that exist. */
  readonly canWait: boolean;
}

/** A rate of another carrier, without personal data. Rates that a retry replaced are left out. */
export interface OtherRate {
  readonly carrierKey: string;
  readonly formType: FormType;
  /** Undefined until the rate ends. */
  readonly outcome: Outcome | undefined;
  readonly premiumCents: Cents | undefined;
  /** Codes of the messages in the answer. */
  readonly messageCodes: readonly string[];
}

/** Form types that a carrier quotes, by state. */
export interface Offer {
  readonly formTypes: readonly FormType[];
  /** Lower-case abbreviations. @default all states */
  readonly states?: readonly string[] | undefined;
}

/** Limits of calls to a carrier; over all processes if the queue is shared. */
export interface CarrierLimits {
  /** @default 8 */
  readonly concurrency: number;
  /** In ms. @default 30_000 */
  readonly deadlineMs: number;
  /** Calls per rate, retries included. @default 4 */
  readonly maxAttempts: number;
  /**
   * Wait before a retry, in ms: random, up to `initialMs` doubled with each retry, at most `maxMs`. @default { initialMs: 500, maxMs:
   * 30_000 }
   */
  readonly backoff: { readonly initialMs: number; readonly maxMs: number };
  /**
   * Calls in any window of `perMs`, over all processes, evenly spaced except for `burst` calls at once (1 to `calls`, default 1).
   * @default no limit
   */
  readonly rateLimit:
    | { readonly calls: number; readonly perMs: number; readonly burst?: number | undefined }
    | undefined;
  /** Over all processes. @default none */
  readonly quotas: readonly CarrierQuota[];
  /** Maximum accepted `Retry-After`, in ms. @default 60_000 */
  readonly maxCooldownMs: number;
  /** Wait for a pending answer, or after a referral, in ms. @default 30 days */
  readonly maxPendingMs: number;
  /** After `failures` in a row no call is made for `cooldownMs`, then one trial. @default { failures: 8, cooldownMs: 10_000 } */
  readonly breaker: { readonly failures: number; readonly cooldownMs: number };
}

/** Requests in a calendar hour, day or month (UTC). */
export interface CarrierQuota {
  readonly requests: number;
  readonly per: 'hour' | 'day' | 'month';
}

/** Request of a rate. */
export interface CarrierRequest {
  readonly rateId: string;
  readonly quoteRequestId: string;
  readonly teamId: string;
  readonly productCode: ProductCode;
  readonly formType: FormType;
  /** `YYYY-MM-DD`. */
  readonly effectiveDate: string;
  readonly producerEmail: string;
  /** Known ones checked and normalized, additional ones unchanged. */
  readonly fields: JsonObject;
}

/** Context of one call. */
export interface CallContext {
  /** Constant for all calls of a rate. A retry reuses it unless the carrier certainly made nothing under it. */
  readonly idempotencyKey: string;
  /** Aborted at the deadline, on cancellation, and when the process stops. */
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  /** 1 for the first call. */
  readonly attempt: number;
  /** From the adapter's `prepare`. */
  readonly prepared?: unknown;
  /** Reads the rates of other carriers in this quote. Present for `prepare`, `quote`, `lookup` and `resume` of a worker. */
  readonly readOthers?: (() => Promise<OtherRates>) | undefined;
  /** Terms under which the carrier accepts the home; the rate must respect them. Present with `withVerdict`. @default none */
  readonly terms?: readonly CarrierTerm[] | undefined;
  /** The tier of the carrier that takes or refers the home: rate this one. Present with `withVerdict`. @default none */
  readonly tier?: CarrierTier | undefined;
  /** Await it before each HTTP request if there are several: it applies the carrier's rate limit. The first already has its permit. */
  readonly beforeRequest?: (() => Promise<void>) | undefined;
  /** Keeps an HTTP request and its answer for the operator, without waiting. Present in a worker that keeps them. */
  readonly recordExchange?: ((exchange: CarrierExchange) => void) | undefined;
}

/** A tier: one of several ranked programs of a carrier, such as preferred and standard. */
export interface CarrierTier {
  /** Name of the ladder. */
  readonly of: string;
  /** From 1. The lowest rank is the best tier. */
  readonly rank: number;
  readonly name?: string | undefined;
  readonly programId: string;
}

/** A term under which a carrier accepts a home: bounds of a number, the words that remain, or a flag. */
export interface CarrierTerm {
  /** For example `named_storm_deductible_percent`. */
  readonly name: string;
  /** In words: `named storm deductible: at least 5 percent`. */
  readonly text: string;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly oneOf?: readonly string[] | undefined;
  readonly applies?: true | undefined;
}

/** Context of a poll. */
export interface ResumeContext extends CallContext {
  /** From the last answer. */
  readonly keep: JsonObject;
  /** Failed polls since the last answer. */
  readonly failures: number;
}

/** A carrier's answer; amounts in whole cents. */
export interface CarrierAnswer {
  /** `pending`: the answer comes later, on the terms of `pending`. */
  readonly outcome: AnswerOutcome;
  /** For `pending`, and for `referred` if a later answer replaces this one. */
  readonly pending?: PendingTerms | undefined;
  /** For one year with fees and taxes, in US dollars. Required for `quoted`, optional for `referred`. */
  readonly premiumCents?: Cents | undefined;
  /** ISO 4217; another currency is a fault. @default 'USD' */
  readonly currency?: string | undefined;
  /** Another term is a fault. @default 12 */
  readonly termMonths?: number | undefined;
  readonly carrierQuoteNumber?: string | undefined;
  readonly carrierQuoteUrl?: string | undefined;
  /** Continues this quote in the carrier's system. */
  readonly bridgeUrl?: string | undefined;
  readonly messages?: readonly CarrierMessage[] | undefined;
  readonly coverages?: readonly AmountLine[] | undefined;
  readonly deductibles?: readonly AmountLine[] | undefined;
  readonly endorsements?: readonly AmountLine[] | undefined;
  /** Fees and taxes, which the premium includes. */
  readonly fees?: readonly AmountLine[] | undefined;
  /** ISO 8601 with an offset. */
  readonly expiresAt?: string | undefined;
  /** @default 'indication' */
  readonly rateType?: RateType | undefined;
  /**
   * Terms of this rate by name, compared with `context.terms`. Known deductibles and coverages are compared without it. @default none
   */
  readonly terms?: Readonly<Record<string, number | string | boolean>> | undefined;
  /** Terms of the carrier's rules, compared with this rate. Set by `withVerdict`. @default none */
  readonly constraints?: readonly ComparedTerm[] | undefined;
  /** Inspections, loss reports, photographs. */
  readonly subjectTo?: readonly OpenRequirement[] | undefined;
  /** Up to 100. */
  readonly documents?: readonly CarrierDocument[] | undefined;
}

/** Location of a document: a `url`, a `keep`, or both. */
export interface CarrierDocument {
  /** Unique in the answer: 1 to 64 letters, digits, hyphens and underscores. @default its position, from 1 */
  readonly id?: string | undefined;
  readonly title: string;
  /** For example `application/pdf`; the carrier must send this type later. */
  readonly mediaType: string;
  /** Up to 8,000 characters. May contain a token: encrypted like `fields`, never shown, erased with the quote. */
  readonly url?: string | undefined;
  /** State for `openDocument`: JSON, up to 4 KiB; stored like `url`. */
  readonly keep?: JsonObject | undefined;
}

/** A document as its answer listed it. */
export interface DocumentReference extends CarrierDocument {
  readonly id: string;
}

/** Context of opening a document. */
export interface DocumentContext {
  readonly rateId: string;
  /** Aborted at the time limit, or when the reader closes the document; applies until the last byte. */
  readonly signal: AbortSignal;
  /** Await it before each HTTP request: it applies the carrier's rate limit. The first has its permit. */
  readonly beforeRequest: () => Promise<void>;
}

/** A document that the carrier sends. */
export interface OpenedDocument {
  /** Read as fast as it is consumed. An error ends the transfer. */
  readonly content: AsyncIterable<Uint8Array>;
  /** From the carrier's response. @default the type of the answer */
  readonly mediaType?: string | undefined;
  /** A shorter document counts as broken off. */
  readonly lengthBytes?: number | undefined;
}

/** `indication`: a first estimate. `quoted`: firm, subject to conditions. `bindable`: can be bound without change. */
export const rateTypes = ['indication', 'quoted', 'bindable'] as const;
/** Commitment of a premium. */
export type RateType = (typeof rateTypes)[number];

/** A condition of a premium. */
export interface OpenRequirement {
  readonly code: string;
  readonly message: string;
}

/** A message with an answer. */
export interface CarrierMessage {
  readonly level: 'info' | 'warning' | 'error';
  readonly code: string;
  readonly message: string;
  readonly field?: string | null | undefined;
}

/** Decisions about a coverage. */
export const inclusions = ['included', 'excluded', 'not_offered'] as const;
/** Decision about a coverage. */
export type Inclusion = (typeof inclusions)[number];
/** Ways in which a loss is paid. `schedule`: by a schedule of ages. */
export const settlements = ['replacement_cost', 'actual_cash_value', 'schedule'] as const;
/** Way in which a loss is paid. */
export type Settlement = (typeof settlements)[number];

/** A coverage, a deductible, an endorsement or a fee. Has an amount, a percentage, an inclusion or a settlement; fees have an amount. */
export interface AmountLine {
  readonly code: string;
  readonly name: string;
  /** @default computed from `percent` if the answer lists that coverage */
  readonly amountCents?: Cents | undefined;
  /** For example 2 for 2 % of a coverage. */
  readonly percent?: number | undefined;
  /** Code of that coverage. @default 'dwelling' */
  readonly percentOf?: string | undefined;
  readonly inclusion?: Inclusion | undefined;
  readonly settlement?: Settlement | undefined;
}

/** A term compared with a rate: the rate satisfies it, violates it, or does not state it. */
export interface ComparedTerm extends CarrierTerm {
  readonly result: 'satisfied' | 'violated' | 'not_stated';
  /** Value of the rate, in the unit of the term. */
  readonly value?: number | string | boolean | undefined;
}

/** Result of a lookup. */
export type LookupAnswer =
  | { readonly status: 'found'; readonly answer: CarrierAnswer }
  /** The rate ends as `failed` and can be retried as a new one. */
  | { readonly status: 'absent' }
  | { readonly status: 'unknown' };
