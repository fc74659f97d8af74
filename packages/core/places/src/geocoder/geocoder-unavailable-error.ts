import type { GeocodeAttempt } from './geocoder.ts';

/** Why a geocoder could not answer. */
export type UnavailableKind =
  /** It took longer than it was given. */
  | 'timed_out'
  /** No connection. */
  | 'unreachable'
  /** It answered with a status that is no answer: 5xx, 401, 403, 429 … */
  | 'bad_status'
  /** What it answered is not what its documentation says: HTML, half a JSON, no coordinates. */
  | 'malformed_answer'
  /** It sent us to a host that is not configured. */
  | 'redirected'
  /** More bytes than any answer has. */
  | 'answer_too_large'
  /** Our own limit of requests to it is used up. */
  | 'rate_limited'
  /** It failed so often that it is not asked for a while. */
  | 'circuit_open'
  /** None of a chain's geocoders could answer. */
  | 'all_failed';

/** What one of several geocoders did, and nothing of the address. */
export type AttemptOutcome = Pick<GeocodeAttempt, 'geocoder' | 'outcome'>;

/** A geocoder is out of reach, or does not answer as it should. Another one, or a later try, may do. */
export class GeocoderUnavailableError extends Error {
  override readonly name = 'GeocoderUnavailableError';
  readonly geocoder: string;
  readonly kind: UnavailableKind;
  /** When to try again, where that is known. */
  readonly retryAfterSeconds: number | undefined;
  /** Of a chain: what each did that was asked. Without details, which may hold the address: errors come into logs. */
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
