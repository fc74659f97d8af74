import type { Geocoder } from '../geocoder/geocoder.ts';
import { type CacheOptions, withCache } from './with-cache.ts';
import { type CircuitBreakerOptions, withCircuitBreaker } from './with-circuit-breaker.ts';
import { type RateLimitOptions, withRateLimit } from './with-rate-limit.ts';
import { withTimeout } from './with-timeout.ts';

/**
 * How long a geocoder may take, how often it is asked, and when it is left alone; `null` or undefined for its default.
 */
export interface GuardOptions {
  /** For one request; default 5,000. */
  readonly timeoutMs?: number | undefined;
  readonly circuitBreaker?: CircuitBreakerOptions | undefined;
  /** Default: no limit. */
  readonly rateLimit?: RateLimitOptions | undefined;
  readonly cache?: CacheOptions | undefined;
}

/** A geocoder on a network with all it takes to rely on it: time-out, circuit breaker, rate limit, cache, from the inside out. */
export function guardGeocoder(geocoder: Geocoder, options: GuardOptions = {}): Geocoder {
  const guarded = withCircuitBreaker(withTimeout(geocoder, options.timeoutMs ?? 5_000), options.circuitBreaker);
  const limited = options.rateLimit === undefined ? guarded : withRateLimit(guarded, options.rateLimit);
  return withCache(limited, options.cache);
}
