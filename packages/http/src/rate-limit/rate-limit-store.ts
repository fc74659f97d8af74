import type { RateLimit } from './rate-limit.ts';

/** What a store answers to one request. */
export interface RateLimitDecision {
  readonly allowed: boolean;
  /** Requests that would be allowed at this very moment, after this one. */
  readonly remaining: number;
  /** Until the next request is allowed; 0 where one is allowed now. */
  readonly retryAfterMs: number;
  /** Until the whole burst is there again. */
  readonly resetAfterMs: number;
}

/**
 * Counts requests by key with the generic cell rate algorithm (ITU-T I.371). One `take` is atomic: two at the same
 * moment never both get the last place, from whichever process they come. A refused request costs nothing. Rejects
 * only when out of reach: the request is then let through, since a lost counter is no reason to refuse work.
 */
export interface RateLimitStore {
  take(key: string, limit: RateLimit): RateLimitDecision | Promise<RateLimitDecision>;
}
