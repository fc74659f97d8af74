import type { Cents, FormType, JsonObject, ProductCode } from '@leeward/terms';

/** One carrier that can be asked for a quote. */
export interface CarrierAdapter {
  /** Lower-case letters, digits and underscores, as `bayou_mutual`. Unique among the adapters of a host. */
  readonly key: string;
  /** For people, as `Bayou Mutual`. */
  readonly name: string;
  readonly offers: readonly Offer[];
  /**
   * Whether the carrier, asked twice with the same idempotency key, does its work once. Where it does not, it is
   * called at most once a rate, and an answer that was lost stays unknown unless `lookup` finds it.
   */
  readonly idempotent: boolean;
  readonly limits?: Partial<CarrierLimits> | undefined;
  /**
   * The keys of `fields` that make a difference to its answers: where a quote is made again with other fields changed, the
   * carrier is not asked again. Left out, all of them.
   */
  readonly fieldsUsed?: readonly string[] | undefined;
  /**
   * What is to be done before the carrier is asked: its rules read, a token fetched, the request filled in. It comes before
   * the call is noted and before its deadline begins, and what fails here is not held against the carrier. Rejects with a
   * {@link CarrierFault} that tells why the carrier was not asked (anything else thrown counts as `unasked`). Honours
   * `context.signal`. Where there is one, `quote` and `lookup` find what it gave in `context.prepared`, and prepare by
   * themselves where they find nothing.
   */
  prepare?(request: CarrierRequest, context: CallContext): Promise<Preparation>;
  /**
   * Asks for one rate. Resolves with the carrier's answer, a no included; rejects with a {@link CarrierFault} that says
   * what is known of the request's fate (anything else thrown counts as `lost`). Honours `context.signal`.
   */
  quote(request: CarrierRequest, context: CallContext): Promise<CarrierAnswer>;
  /** Asks what became of a request that was sent before under the same idempotency key. */
  lookup?(request: CarrierRequest, context: CallContext): Promise<LookupAnswer>;
  /**
   * Looks again at a request to which the carrier answered `pending`, or `referred` with more to come: at the times that
   * answer named, or because a callback came. May be called any number of times; a fault means that it is tried again later.
   */
  resume?(request: CarrierRequest, context: ResumeContext): Promise<CarrierAnswer>;
  /**
   * Checks that a callback comes from the carrier, by its signature, and says whose request it is about. Anything thrown
   * refuses it. It is asked about bytes from anyone on the network.
   */
  verifyCallback?(callback: CarrierCallback): VerifiedCallback | Promise<VerifiedCallback>;
  /**
   * Opens a document that an answer brought, for carriers that want credentials. Rejects with a {@link CarrierFault} whose
   * `code` says why not (`http_404`, as such); honours `context.signal`, also while its content is read. Where there is none,
   * the document's `url` is fetched as it is, over https, from the public internet alone.
   */
  openDocument?(document: DocumentReference, context: DocumentContext): Promise<OpenedDocument>;
}

/** A message that came by itself to the address of a carrier's callbacks. */
export interface CarrierCallback {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Milliseconds since 1970: what is signed as much older is to be refused. */
  readonly receivedAtMs: number;
}

/** What a carrier's adapter has made out of a callback that is the carrier's. */
export interface VerifiedCallback {
  /** Of this callback among all of the carrier: one that was taken before is refused. */
  readonly id: string;
  /** As the carrier's `pending` answer named it. */
  readonly reference: string;
  /** What it brings; left out, the request is looked at again (`resume`), now. */
  readonly answer?: CarrierAnswer | undefined;
}

/** How a request is waited for whose answer takes minutes or days. */
export interface PendingTerms {
  /**
   * What `resume` needs: a job's address, a session. JSON, up to 16 KiB; kept as personal data is, and erased with it.
   */
  readonly keep?: JsonObject | undefined;
  /** When to look again. Left out: when a callback comes. */
  readonly pollAfterMs?: number | undefined;
  /** What the carrier's callbacks call this request. */
  readonly reference?: string | undefined;
}

/** What came of preparing: an end without the carrier being asked, or what its call needs. */
export type Preparation = { readonly answer: CarrierAnswer } | { readonly prepared: unknown };

/** Form types that a carrier quotes, and the states; all of them where none is named. */
export interface Offer {
  readonly formTypes: readonly FormType[];
  /** Lower-case abbreviations; all states where left out. */
  readonly states?: readonly string[] | undefined;
}

/** How a carrier may be asked, over all processes where the queue is shared; times in milliseconds. */
export interface CarrierLimits {
  /** Calls at once. Default 8. */
  readonly concurrency: number;
  /** How long a call may take. Default 30,000. */
  readonly deadlineMs: number;
  /** Calls for one rate at most, retries included. Default 4. */
  readonly maxAttempts: number;
  /** Waits before a retry: a random time up to `initialMs`, doubled each time up to `maxMs`. Default 500 and 30,000. */
  readonly backoff: { readonly initialMs: number; readonly maxMs: number };
  /**
   * At most `calls` in any `perMs`, over all processes, evenly spaced but for `burst` (up to `calls`) at once, by default 1.
   * Default: no limit.
   */
  readonly rateLimit:
    | { readonly calls: number; readonly perMs: number; readonly burst?: number | undefined }
    | undefined;
  /** So many requests in an hour, a day or a month of the calendar in UTC, over all processes. Default: no quota. */
  readonly quotas: readonly CarrierQuota[];
  /** The longest that the carrier is left alone because it asked for it (`Retry-After`). Default 60,000. */
  readonly maxCooldownMs: number;
  /** The longest that a `pending` answer, or what follows a referral, is waited for. Default 30 days. */
  readonly maxPendingMs: number;
  /** After `failures` in a row the carrier is left alone for `cooldownMs`, then tried with one call. Default 8 and 10,000. */
  readonly breaker: { readonly failures: number; readonly cooldownMs: number };
}

/** How many requests a carrier takes in a window of the calendar. */
export interface CarrierQuota {
  readonly requests: number;
  readonly per: 'hour' | 'day' | 'month';
}

/** What a carrier is asked. Fields are as the caller gave them, checked and normalized. */
export interface CarrierRequest {
  readonly rateId: string;
  readonly quoteRequestId: string;
  readonly teamId: string;
  readonly productCode: ProductCode;
  readonly formType: FormType;
  /** `YYYY-MM-DD`. */
  readonly effectiveDate: string;
  readonly producerEmail: string;
  /** The quote's fields: the known ones checked and normalized, extra ones as they came. */
  readonly fields: JsonObject;
}

/** One call: its idempotency key, its deadline in milliseconds, and the signal that ends it. */
export interface CallContext {
  /**
   * The same for every call of one rate: the rate's id. A retry keeps the key of the rate before it, unless it is known that
   * the carrier made nothing under it.
   */
  readonly idempotencyKey: string;
  /** Aborted at the deadline, when the rate is cancelled, and when the process stops. */
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  /** 1 for the first call of a rate. */
  readonly attempt: number;
  /** What the adapter's own `prepare` gave for this call. */
  readonly prepared?: unknown;
  /**
   * For an adapter that makes several HTTP requests: awaited before each of them, it keeps them within the carrier's rate
   * limit. The first of a `quote`, `lookup` or `resume` goes at once, its permit was taken before.
   */
  readonly beforeRequest?: (() => Promise<void>) | undefined;
}

/** For looking again at what a carrier has at hand. */
export interface ResumeContext extends CallContext {
  /** What the last answer wanted kept. */
  readonly keep: JsonObject;
  /** How often it has been looked at in vain since the last answer. */
  readonly failures: number;
}

/** What a carrier can answer. A fault is no answer: see {@link CarrierFault}. */
export type AnswerOutcome = 'quoted' | 'referred' | 'declined' | 'ineligible' | 'needs_information' | 'pending';

/** What a carrier answered; money in whole cents. */
export interface CarrierAnswer {
  /** `pending`: the carrier has taken the request and answers later, on the terms of `pending`. */
  readonly outcome: AnswerOutcome;
  /** With `pending`; and with `referred` where the carrier goes on: its later answer takes the place of this one. */
  readonly pending?: PendingTerms | undefined;
  /** A year's premium with fees and taxes, in US dollars. `quoted` has one; `referred` may. */
  readonly premiumCents?: Cents | undefined;
  /** Currency of the amounts (ISO 4217). Anything but `USD` is a fault: it is not compared as dollars. @default 'USD' */
  readonly currency?: string | undefined;
  /** Months that the premium is for. Anything but 12 is a fault: it is not compared as a year's. @default 12 */
  readonly termMonths?: number | undefined;
  readonly carrierQuoteNumber?: string | undefined;
  readonly carrierQuoteUrl?: string | undefined;
  /** Where the agent goes on with this quote in the carrier's own system. */
  readonly bridgeUrl?: string | undefined;
  readonly messages?: readonly CarrierMessage[] | undefined;
  readonly coverages?: readonly AmountLine[] | undefined;
  readonly deductibles?: readonly AmountLine[] | undefined;
  readonly fees?: readonly AmountLine[] | undefined;
  /** ISO 8601 with an offset. */
  readonly expiresAt?: string | undefined;
  /** What the premium is worth. Default `indication`. */
  readonly rateType?: RateType | undefined;
  /** What is still to be ordered or shown before the premium holds: inspections, loss reports, photographs. */
  readonly subjectTo?: readonly OpenRequirement[] | undefined;
  /** Quote letters, forms: up to 100. */
  readonly documents?: readonly CarrierDocument[] | undefined;
}

/** A document that an answer brings: where it is to be had, never what is in it. It has a `url`, or a `keep`, or both. */
export interface CarrierDocument {
  /** Of this document in the answer: 1 to 64 letters, digits, hyphens and underscores. Default: its place in the list, from 1. */
  readonly id?: string | undefined;
  /** For people, as `Quote letter`. */
  readonly title: string;
  /** As `application/pdf`: what the carrier sends later has to be that. */
  readonly mediaType: string;
  /** Up to 8,000 characters. It may hold a token: kept encrypted where fields are, shown to nobody, erased with the quote. */
  readonly url?: string | undefined;
  /** What `openDocument` needs: JSON, up to 4 KiB; kept as the `url` is. */
  readonly keep?: JsonObject | undefined;
}

/** A document as its answer brought it. */
export interface DocumentReference extends CarrierDocument {
  readonly id: string;
}

/** One opening of a document. */
export interface DocumentContext {
  readonly rateId: string;
  /** Aborted when it takes too long, and when nobody wants it any more: until the last byte was read. */
  readonly signal: AbortSignal;
  /** Awaited before each HTTP request it keeps several within the carrier's rate limit; the first of them goes at once. */
  readonly beforeRequest: () => Promise<void>;
}

/** A document as a carrier sends it. */
export interface OpenedDocument {
  /** Read no faster than it is taken. What it throws breaks the document off. */
  readonly content: AsyncIterable<Uint8Array>;
  /** What the carrier says that it is; left out, what was announced. */
  readonly mediaType?: string | undefined;
  /** Of the whole, where the carrier says it: a document that ends before is broken off. */
  readonly lengthBytes?: number | undefined;
}

/** `indication`: a first number. `quoted`: firm, subject to what is listed. `bindable`: can be bound as it is. */
export const rateTypes = ['indication', 'quoted', 'bindable'] as const;
/** What a premium is worth: an indication, a firm quote, or one that can be bound. */
export type RateType = (typeof rateTypes)[number];

/** Something a premium is subject to, coded as underwriting requirements are. */
export interface OpenRequirement {
  readonly code: string;
  readonly message: string;
}

/** What a carrier says beside its answer. */
export interface CarrierMessage {
  readonly level: 'info' | 'warning' | 'error';
  readonly code: string;
  readonly message: string;
  /** The quote field it is about. */
  readonly field?: string | null | undefined;
}

/** A coverage limit, a deductible or a fee. */
export interface AmountLine {
  readonly code: string;
  readonly name: string;
  readonly amountCents: Cents;
}

/** What became of an earlier request: its answer, nothing, or nobody knows. */
export type LookupAnswer =
  | { readonly status: 'found'; readonly answer: CarrierAnswer }
  /** The carrier has no such request. The rate ends as `failed` and can be retried as a new one. */
  | { readonly status: 'absent' }
  /** The carrier cannot say. */
  | { readonly status: 'unknown' };
