import type { GeocodeAttempt } from './geocoder.ts';

/** Why a geocoder could not answer. */
export type UnavailableKind =
  | 'timed_out'
  | 'unreachable'
  /** 5xx, 401, 403, 429 … */
  | 'bad_status'
  /** HTML, truncated JSON, no coordinates. */
  | 'malformed_answer'
  /** To a host that is not configured. */
  | 'redirected'
  /** Beyond the size limit. */
  | 'answer_too_large'
  | 'rate_limited'
  /** After repeated failures. */
  | 'circuit_open'
  /** Every geocoder of a chain. */
  | 'all_failed';

/** One geocoder of a chain, without the address. */
export type AttemptOutcome = Pick<GeocodeAttempt, 'geocoder' | 'outcome'>;

/** Unreachable, or an invalid answer. Another geocoder, or a retry, may succeed. */
export class GeocoderUnavailableError extends Error {
  override readonly name = 'GeocoderUnavailableError';
  readonly geocoder: string;
  readonly kind: UnavailableKind;
  /** If known. */
  readonly retryAfterSeconds: number | undefined;
  /** Outcomes of a chain, without details: they may contain the address, and errors are logged. */
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
