import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleType } from 'cockatiel';
import type { Geocoder } from '../geocoder/geocoder.ts';
import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';

/** After how many failures in a row a geocoder is left alone, and for how many milliseconds. */
export interface CircuitBreakerOptions {
  /** Failures in a row after which the geocoder is left alone; default 5. */
  readonly failures?: number | undefined;
  /** For how long, before one request tries it again; default 30,000. */
  readonly pauseMs?: number | undefined;
}

/** The geocoder, not asked for a while after it failed several times in a row. Finding nothing is no failure. */
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
        const detail = `it failed ${failures} times in a row and is left alone for ${pauseMs} ms.`;
        const retryAfterSeconds = Math.ceil(pauseMs / 1000);
        throw new GeocoderUnavailableError(geocoder.name, 'circuit_open', detail, { retryAfterSeconds });
      }
    },
  };
}
