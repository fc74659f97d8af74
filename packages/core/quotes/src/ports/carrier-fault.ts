/**
 * What is known of a request that got no answer:
 * - `unasked`: the carrier was not asked, for a reason of ours (its rules cannot be read). It may be asked later.
 * - `refused`: the carrier did no work for it (connection refused, 429, 503 with Retry-After). It may be sent again.
 * - `failed`: the carrier answered that something went wrong with it. It may have done some of the work.
 * - `lost`: no answer (connection reset). It may have done all of the work.
 * - `unreadable`: an answer that is none of the carrier's: a maintenance page, JSON that is cut off, an empty body, a
 *   redirect. It may have done all of the work, and may answer properly the next time.
 * - `invalid`: a refusal of this request, or an answer that makes no sense. Asking again would not help.
 */
export type FaultKind = 'not_sent' | 'refused' | 'failed' | 'lost' | 'unreadable' | 'invalid';

/** What is known of a call that failed, which decides whether it may be made again. */
export interface CarrierFaultOptions {
  readonly kind: FaultKind;
  /** For programs, as `http_500`. */
  readonly code: string;
  /**
   * Whether it is known that the carrier made nothing for this request: then a retry has a new idempotency key. Default:
   * true of `unasked` and `refused`, false of the others. Say true of an `invalid` that is the carrier's refusal.
   */
  readonly nothingMade?: boolean | undefined;
  /** How long the carrier asked to be left alone. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** Thrown by a carrier adapter whose carrier gave no answer. The message is shown to the agent: no secrets, no personal data. */
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
