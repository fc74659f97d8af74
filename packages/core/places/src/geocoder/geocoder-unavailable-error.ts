import type { GeocodeAttempt } from './geocoder.ts';

/** Why a geocoder could not answer. */
export type UnavailableKind =
  /** No answer within the time limit. */
  | 'timed_out'
  /** No connection. */
  | 'unreachable'
  /** The HTTP status is an error: 5xx, 401, 403, 429 … */
  | 'bad_status'
  /** The body is not as documented: HTML, truncated JSON, no coordinates. */
  | 'malformed_answer'
  /** It redirected to a host that is not configured. */
  | 'redirected'
  /** The body exceeds the size limit. */
  | 'answer_too_large'
  /** Our rate limit for this geocoder is used up. */
  | 'rate_limited'
  /** The circuit breaker is open after repeated failures. */
  | 'circuit_open'
  /** Every geocoder of a chain was unavailable. */
  | 'all_failed';

/** Outcome of one geocoder of a chain, without the address. */
export type AttemptOutcome = Pick<GeocodeAttempt, 'geocoder' | 'outcome'>;

/** A geocoder is unreachable or returned an invalid answer. Another geocoder, or a retry, may succeed. */
export class GeocoderUnavailableError extends Error {
  override readonly name = 'GeocoderUnavailableError';
  readonly geocoder: string;
  readonly kind: UnavailableKind;
  /** Time until a retry may succeed, if known. */
  readonly retryAfterSeconds: number | undefined;
  /** Outcomes of a chain's geocoders. Details are left out: they may contain the address, and errors are logged. */
  readonly attempts: readonly AttemptOutcome[] | undefined;

  constructor(
    geocoder: string,
    kind: UnavailableKind,
    detail: string,
    options: {
      cause?: unknown;
      retryAfterSeconds?: number | undefined;
      attempts?: readonly AttemptOutcome[] | undefined;
    } = {},
  ) {
    super(`${geocoder}: ${detail}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.geocoder = geocoder;
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.attempts = options.attempts;
  }
}
