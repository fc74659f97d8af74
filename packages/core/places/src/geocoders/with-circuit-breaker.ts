import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleType } from 'cockatiel';
import type { Geocoder } from '../geocoder/geocoder.ts';
import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';

/** Limits of a circuit breaker. */
export interface CircuitBreakerOptions {
  /** Consecutive failures that open the breaker. @default 5 */
  readonly failures?: number | undefined;
  /** Time until one request tries the geocoder again, in ms. @default 30_000 */
  readonly pauseMs?: number | undefined;
}

/**
 * Stops calling a geocoder for a while after repeated failures. `not_found` does not count as a failure.
 *
 * @example
 * withCircuitBreaker(createCensusGeocoder(), { failures: 3 });
 */
export function withCircuitBreaker(geocoder: Geocoder, options: CircuitBreakerOptions = {}): Geocoder {
  const { failures = 5, pauseMs = 30_000 } = options;
  const policy = circuitBreaker(handleType(GeocoderUnavailableError), {
    halfOpenAfter: pauseMs,
    breaker: new ConsecutiveBreaker(failures),
  });
  return {
    name: geocoder.name,
    async geocode(address, callOptions) {
      try {
        return await policy.execute(() => geocoder.geocode(address, callOptions));
      } catch (error) {
        callOptions?.signal?.throwIfAborted();
        if (!(error instanceof BrokenCircuitError)) throw error;
        const detail = `it failed ${failures} times in a row and is paused for ${pauseMs} ms.`;
        const retryAfterSeconds = Math.ceil(pauseMs / 1000);
        throw new GeocoderUnavailableError(geocoder.name, 'circuit_open', detail, { retryAfterSeconds });
      }
    },
  };
}
