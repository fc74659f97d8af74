import type { RateLimit } from './rate-limit.ts';

/** A request for units of a limit. */
export interface Withdrawal {
  readonly key: string;
  readonly limit: RateLimit;
  /** A positive integer. More than the burst counts as the burst, so that it fits an unused limit. */
  readonly units: number;
}

/** The answer to one withdrawal. */
export interface RateLimitDecision {
  readonly allowed: boolean;
  /** Units available now, after this withdrawal. */
  readonly remaining: number;
  /** Time until the same number of units is available, in ms; 0 if it is now. */
  readonly retryAfterMs: number;
  /** Time until the whole burst is available, in ms. */
  readonly resetAfterMs: number;
}

/**
 * Counts by key with the generic cell rate algorithm (ITU-T I.371). `take` is atomic across processes: two concurrent calls never both
 * get the last unit. It is all or nothing: if one withdrawal is refused, none is made. The decisions are in the order of the
 * withdrawals, whose keys differ. It rejects only if the store is unavailable; the request is then admitted uncounted.
 */
export interface RateLimitStore {
  take(withdrawals: readonly Withdrawal[]): readonly RateLimitDecision[] | Promise<readonly RateLimitDecision[]>;
}
