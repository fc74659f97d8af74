/**
 * State of a request without an answer:
 * - `not_sent`: for a reason on our side. May be sent later.
 * - `refused`: the carrier did no work (connection refused, 429, 503 with Retry-After). May be sent again.
 * - `failed`: an internal error of the carrier, which may have done some work.
 * - `lost`: no answer (connection reset). It may have done all of the work.
 * - `unreadable`: not the carrier's answer: a maintenance page, truncated JSON, a redirect. It may have done all of the work, and may
 * answer properly the next time.
 * - `invalid`: the carrier rejected this request, or its answer makes no sense. Repeating would not help.
 */
export type FaultKind = 'not_sent' | 'refused' | 'failed' | 'lost' | 'unreadable' | 'invalid';

/** Details of a failed call. */
export interface CarrierFaultOptions {
  readonly kind: FaultKind;
  /** For example `http_500`. */
  readonly code: string;
  /**
   * The carrier certainly made nothing: a retry then uses a new idempotency key. Set it for an `invalid` that is the carrier's
   * rejection. @default true for `not_sent` and `refused`, otherwise false
   */
  readonly nothingMade?: boolean | undefined;
  /** Requested cooldown, in ms. @default none */
  readonly retryAfterMs?: number | undefined;
  /** @default none */
  readonly cause?: unknown;
}

/** An adapter's fault. Agents see the message: no secrets or personal data. */
export class CarrierFault extends Error {
  override readonly name = 'CarrierFault';
  readonly kind: FaultKind;
  readonly code: string;
  readonly nothingMade: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: CarrierFaultOptions) {
    super(message, { cause: options.cause });
    this.kind = options.kind;
    this.code = options.code;
    this.nothingMade = options.nothingMade ?? (options.kind === 'not_sent' || options.kind === 'refused');
    this.retryAfterMs = options.retryAfterMs;
  }
}
