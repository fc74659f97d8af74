/**
 * State of a request without an answer:
 * - `not_sent`: not sent, for a reason on our side, for example unreadable rules. It may be sent later.
 * - `refused`: the carrier did no work (connection refused, 429, 503 with Retry-After). It may be sent again.
 * - `failed`: the carrier reported an internal error. It may have done some of the work.
 * - `lost`: no answer (connection reset). It may have done all of the work.
 * - `unreadable`: the response is not the carrier's answer: a maintenance page, truncated JSON, an empty body, a redirect. It may
 *   have done all of the work, and may answer properly the next time.
 * - `invalid`: the carrier rejected this request, or its answer makes no sense. Repeating the request would not help.
 */
export type FaultKind = 'not_sent' | 'refused' | 'failed' | 'lost' | 'unreadable' | 'invalid';

/** Details of a failed call, which decide whether it may be repeated. */
export interface CarrierFaultOptions {
  readonly kind: FaultKind;
  /** For programs, for example `http_500`. */
  readonly code: string;
  /**
   * True if the carrier certainly made nothing for this request: a retry then uses a new idempotency key. Set it for an `invalid`
   * that is the carrier's rejection.
   *
   * @default true for `not_sent` and `refused`, otherwise false
   */
  readonly nothingMade?: boolean | undefined;
  /** Cooldown that the carrier requested, in ms. @default none */
  readonly retryAfterMs?: number | undefined;
  /** @default none */
  readonly cause?: unknown;
}

/** Thrown by an adapter whose carrier gave no answer. Agents see the message: it must not contain secrets or personal data. */
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
