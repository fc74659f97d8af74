import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleType } from 'cockatiel';
import type { Geocoder } from '../geocoder/geocoder.ts';
import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';

/** Limits of a circuit breaker. */
export interface CircuitBreakerOptions {
  /** In a row. @default 5 */
  readonly failures?: number | undefined;
  /** Until one request tries again. @default 30_000 */
  readonly pauseMs?: number | undefined;
}

/**
 * Pauses a geocoder after repeated failures; `not_found` is not one.
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
