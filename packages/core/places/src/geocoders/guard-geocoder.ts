import type { Geocoder } from '../geocoder/geocoder.ts';
import { type CacheOptions, withCache } from './with-cache.ts';
import { type CircuitBreakerOptions, withCircuitBreaker } from './with-circuit-breaker.ts';
import { type RateLimitOptions, withRateLimit } from './with-rate-limit.ts';
import { withTimeout } from './with-timeout.ts';

/** Limits of a geocoder on a network. */
export interface GuardOptions {
  /** Per request. @default 5000 */
  readonly timeoutMs?: number | undefined;
  /** @default the defaults of `withCircuitBreaker` */
  readonly circuitBreaker?: CircuitBreakerOptions | undefined;
  /** @default no limit */
  readonly rateLimit?: RateLimitOptions | undefined;
  /** @default the defaults of `withCache` */
  readonly cache?: CacheOptions | undefined;
}

/**
 * Adds time-out, circuit breaker, rate limit and cache, from the inside out.
 * @example
 * guardGeocoder(createCensusGeocoder(), { timeoutMs: 4_000 });
 */
export function guardGeocoder(geocoder: Geocoder, options: GuardOptions = {}): Geocoder {
  const guarded = withCircuitBreaker(withTimeout(geocoder, options.timeoutMs ?? 5_000), options.circuitBreaker);
  const limited = options.rateLimit === undefined ? guarded : withRateLimit(guarded, options.rateLimit);
  return withCache(limited, options.cache);
}
