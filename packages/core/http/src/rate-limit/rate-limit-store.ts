import type { RateLimit } from './rate-limit.ts';

/** So many units of one limit, asked for under a key. */
export interface Withdrawal {
  readonly key: string;
  readonly limit: RateLimit;
  /** Whole and positive; more than a burst holds counts as the whole burst, so that it fits an unused limit. */
  readonly units: number;
}

/** What a store answers to one withdrawal. */
export interface RateLimitDecision {
  readonly allowed: boolean;
  /** Units that could be taken at this very moment, after this withdrawal. */
  readonly remaining: number;
  /** Until as many units as were asked for can be taken (again); 0 where they can be now. */
  readonly retryAfterMs: number;
  /** Until the whole burst is there again. */
  readonly resetAfterMs: number;
}

/**
 * Counts by key with the generic cell rate algorithm (ITU-T I.371). One `take` is atomic: two at the same moment never
 * both get the last unit, from whichever process they come; and it is whole: where one withdrawal is refused, none is
 * made, so that a refused request costs nothing. Answers in the order of the withdrawals, whose keys differ. Rejects only
 * when out of reach: the request is then let through, since a lost counter is no reason to refuse work.
 */
export interface RateLimitStore {
  take(withdrawals: readonly Withdrawal[]): readonly RateLimitDecision[] | Promise<readonly RateLimitDecision[]>;
}
