import type { Cents, FormType, JsonObject, ProductCode } from '@leeward/terms';

/** A carrier that can be called for quotes. */
export interface CarrierAdapter {
  /** Lower-case letters, digits and underscores, for example `bayou_mutual`. Unique among the adapters of a host. */
  readonly key: string;
  /** Display name, for example `Bayou Mutual`. */
  readonly name: string;
  readonly offers: readonly Offer[];
  /**
   * True if the carrier does its work once when it is called twice with the same idempotency key. Otherwise it is called at most
   * once per rate, and a lost answer stays unknown unless `lookup` finds it.
   */
  readonly idempotent: boolean;
  readonly limits?: Partial<CarrierLimits> | undefined;
  /** Keys of `fields` that affect its answers: a requote that changes only other fields reuses the answer. @default all keys */
  readonly fieldsUsed?: readonly string[] | undefined;
  /**
   * Prepares a call: evaluates rules, fetches a token, fills in the request. It runs before the call is recorded and before the
   * deadline starts, and its failures do not count against the carrier. Rejects with a {@link CarrierFault}; any other error
   * counts as `not_sent`. Honours `context.signal`. `quote` and `lookup` receive the result as `context.prepared`, and prepare
   * again if it is missing.
   */
  prepare?(request: CarrierRequest, context: CallContext): Promise<Preparation>;
  /**
   * Calls the carrier for one rate. Resolves with its answer, also if it declines; rejects with a {@link CarrierFault} that states
   * what is known of the request (any other error counts as `lost`). Honours `context.signal`.
   */
  quote(request: CarrierRequest, context: CallContext): Promise<CarrierAnswer>;
  /** Looks up an earlier request with the same idempotency key. */
  lookup?(request: CarrierRequest, context: CallContext): Promise<LookupAnswer>;
  /**
   * Polls a request that the carrier answered with `pending`, or with `referred` and `pending`: at the times that the answer
   * named, or after a callback. May be called any number of times; after a fault it is called again later.
   */
  resume?(request: CarrierRequest, context: ResumeContext): Promise<CarrierAnswer>;
  /** Verifies the signature of a callback and returns the request that it concerns. Input is untrusted; any error refuses it. */
  verifyCallback?(callback: CarrierCallback): VerifiedCallback | Promise<VerifiedCallback>;
  /**
   * Opens a document of an answer, for carriers that need credentials. Rejects with a {@link CarrierFault} whose `code` states the
   * reason (for example `http_404`); honours `context.signal`, also while the content is read. Without this method the document's
   * `url` is fetched over https from the public internet.
   */
  openDocument?(document: DocumentReference, context: DocumentContext): Promise<OpenedDocument>;
}

/** A message that arrived at the address of a carrier's callbacks. */
export interface CarrierCallback {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Milliseconds since 1970. Refuse signatures that are much older or newer. */
  readonly receivedAtMs: number;
}

/** A callback whose signature is valid. */
export interface VerifiedCallback {
  /** Unique among the carrier's callbacks: each id is accepted once. */
  readonly id: string;
  /** The `reference` of the carrier's `pending` answer. */
  readonly reference: string;
  /** The carrier's answer. Without it the request is polled (`resume`) now. */
  readonly answer?: CarrierAnswer | undefined;
}

/** How to wait for an answer that takes minutes or days. */
export interface PendingTerms {
  /** State for `resume`, for example a job's address. JSON, up to 16 KiB; encrypted and erased like personal data. */
  readonly keep?: JsonObject | undefined;
  /** Delay of the next poll, in ms. @default waits for a callback; 60,000 without a `reference` */
  readonly pollAfterMs?: number | undefined;
  /** Identifies this request in the carrier's callbacks. */
  readonly reference?: string | undefined;
}

/** Result of preparing: a final answer without a call, or data for the call. */
export type Preparation = { readonly answer: CarrierAnswer } | { readonly prepared: unknown };

/** Form types that a carrier quotes, and in which states. */
export interface Offer {
  readonly formTypes: readonly FormType[];
  /** Lower-case abbreviations. @default all states */
  readonly states?: readonly string[] | undefined;
}

/** Limits of calls to a carrier; over all processes if the queue is shared. */
export interface CarrierLimits {
  /** Maximum number of concurrent calls. @default 8 */
  readonly concurrency: number;
  /** Maximum duration of a call, in ms. @default 30_000 */
  readonly deadlineMs: number;
  /** Maximum number of calls per rate, including retries. @default 4 */
  readonly maxAttempts: number;
  /**
   * Wait before a retry, in ms: a random time up to `initialMs`, doubled with each retry up to `maxMs`.
   *
   * @default { initialMs: 500, maxMs: 30_000 }
   */
  readonly backoff: { readonly initialMs: number; readonly maxMs: number };
  /**
   * Maximum number of calls in any window of `perMs`, over all processes, evenly spaced except for `burst` calls at once (1 to
   * `calls`, default 1). @default no limit
   */
  readonly rateLimit:
    | { readonly calls: number; readonly perMs: number; readonly burst?: number | undefined }
    | undefined;
  /** Maximum number of requests per hour, day or month (calendar, UTC), over all processes. @default none */
  readonly quotas: readonly CarrierQuota[];
  /** Maximum cooldown that the carrier can request (`Retry-After`), in ms. @default 60_000 */
  readonly maxCooldownMs: number;
  /** Maximum wait for a pending answer, or for the answer after a referral, in ms. @default 30 days */
  readonly maxPendingMs: number;
  /**
   * Circuit breaker: after `failures` in a row no call is made for `cooldownMs`, then one trial call.
   *
   * @default { failures: 8, cooldownMs: 10_000 }
   */
  readonly breaker: { readonly failures: number; readonly cooldownMs: number };
}

/** Maximum number of requests in a calendar window. */
export interface CarrierQuota {
  readonly requests: number;
  readonly per: 'hour' | 'day' | 'month';
}

/** A request to a carrier. */
export interface CarrierRequest {
  readonly rateId: string;
  readonly quoteRequestId: string;
  readonly teamId: string;
  readonly productCode: ProductCode;
  readonly formType: FormType;
  /** `YYYY-MM-DD`. */
  readonly effectiveDate: string;
  readonly producerEmail: string;
  /** The quote's fields: known ones checked and normalized, additional ones unchanged. */
  readonly fields: JsonObject;
}

/** Context of one call. */
export interface CallContext {
  /** Constant for all calls of a rate. A retry reuses the key unless it is certain that the carrier made nothing under it. */
  readonly idempotencyKey: string;
  /** Aborted at the deadline, when the rate is cancelled, and when the process stops. */
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  /** 1 for the first call of a rate. */
  readonly attempt: number;
  /** Result of the adapter's `prepare` for this call. */
  readonly prepared?: unknown;
  /**
   * Await it before each HTTP request of an adapter that makes several: it keeps them within the carrier's rate limit. The first
   * request of `quote`, `lookup` or `resume` already has its permit.
   */
  readonly beforeRequest?: (() => Promise<void>) | undefined;
}

/** Context of a poll. */
export interface ResumeContext extends CallContext {
  /** `keep` of the last answer. */
  readonly keep: JsonObject;
  /** Number of failed polls since the last answer. */
  readonly failures: number;
}

/** Outcomes of an answer. A fault is not an answer: see {@link CarrierFault}. */
export type AnswerOutcome = 'quoted' | 'referred' | 'declined' | 'ineligible' | 'needs_information' | 'pending';

/** A carrier's answer; amounts in whole cents. */
export interface CarrierAnswer {
  /** `pending`: the carrier accepted the request and answers later, on the terms of `pending`. */
  readonly outcome: AnswerOutcome;
  /** For `pending`, and for `referred` if a later answer follows and replaces this one. */
  readonly pending?: PendingTerms | undefined;
  /** Premium for one year with fees and taxes, in US dollars. Required for `quoted`, optional for `referred`. */
  readonly premiumCents?: Cents | undefined;
  /** Currency of the amounts (ISO 4217). Any other currency is a fault. @default 'USD' */
  readonly currency?: string | undefined;
  /** Months covered by the premium. Any other term is a fault. @default 12 */
  readonly termMonths?: number | undefined;
  readonly carrierQuoteNumber?: string | undefined;
  readonly carrierQuoteUrl?: string | undefined;
  /** Link with which the agent continues this quote in the carrier's system. */
  readonly bridgeUrl?: string | undefined;
  readonly messages?: readonly CarrierMessage[] | undefined;
  readonly coverages?: readonly AmountLine[] | undefined;
  readonly deductibles?: readonly AmountLine[] | undefined;
  readonly fees?: readonly AmountLine[] | undefined;
  /** ISO 8601 with an offset. */
  readonly expiresAt?: string | undefined;
  /** Commitment of the premium. @default 'indication' */
  readonly rateType?: RateType | undefined;
  /** Conditions of the premium: inspections, loss reports, photographs. */
  readonly subjectTo?: readonly OpenRequirement[] | undefined;
  /** Quote letters and forms, up to 100. */
  readonly documents?: readonly CarrierDocument[] | undefined;
}

/** Location of a document, without its content: a `url`, a `keep`, or both. */
export interface CarrierDocument {
  /** Unique in the answer: 1 to 64 letters, digits, hyphens and underscores. @default its position in the list, from 1 */
  readonly id?: string | undefined;
  /** Display title, for example `Quote letter`. */
  readonly title: string;
  /** For example `application/pdf`. The carrier must send this type later. */
  readonly mediaType: string;
  /** Up to 8,000 characters. May contain a token: it is encrypted like `fields`, never shown, and erased with the quote. */
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
  /** Aborted at the time limit, or when the reader closes the document. Applies until the last byte is read. */
  readonly signal: AbortSignal;
  /** Await it before each HTTP request: it keeps them within the carrier's rate limit. The first request has its permit. */
  readonly beforeRequest: () => Promise<void>;
}

/** A document that the carrier sends. */
export interface OpenedDocument {
  /** Read as fast as the reader consumes it. An error ends the transfer. */
  readonly content: AsyncIterable<Uint8Array>;
  /** Media type in the carrier's response. @default the type of the answer */
  readonly mediaType?: string | undefined;
  /** Length of the whole document, if the carrier states it. A shorter document counts as broken off. */
  readonly lengthBytes?: number | undefined;
}

/** `indication`: a first estimate. `quoted`: firm, subject to the listed conditions. `bindable`: can be bound without change. */
export const rateTypes = ['indication', 'quoted', 'bindable'] as const;
/** Commitment of a premium. */
export type RateType = (typeof rateTypes)[number];

/** A condition of a premium, coded like an underwriting requirement. */
export interface OpenRequirement {
  readonly code: string;
  readonly message: string;
}

/** A message of a carrier with its answer. */
export interface CarrierMessage {
  readonly level: 'info' | 'warning' | 'error';
  readonly code: string;
  readonly message: string;
  /** The quote field that it concerns. */
  readonly field?: string | null | undefined;
}

/** A coverage limit, a deductible or a fee. */
export interface AmountLine {
  readonly code: string;
  readonly name: string;
  readonly amountCents: Cents;
}

/** Result of a lookup. */
export type LookupAnswer =
  | { readonly status: 'found'; readonly answer: CarrierAnswer }
  /** The carrier does not know the request. The rate ends as `failed` and can be retried as a new one. */
  | { readonly status: 'absent' }
  /** The carrier does not know. */
  | { readonly status: 'unknown' };
